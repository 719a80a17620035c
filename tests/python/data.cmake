# Files that the real NumPy, SciPy and Minari write, for the tests whose suites end in FromPython. They are made before the
# first of these is run; make_data keeps what is up to date.
set(python_data ${CMAKE_BINARY_DIR}/python_data)
add_test(NAME PythonData.IsWritten COMMAND ${CMAKE_CURRENT_LIST_DIR}/make_data ${python_data})
set_tests_properties(PythonData.IsWritten PROPERTIES FIXTURES_SETUP python_data COST 500 TIMEOUT 600)

# Only here, so that other tests are compiled alike in every build folder.
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/support/data/python_data.cpp PROPERTIES
  COMPILE_DEFINITIONS BELLWETHER_PYTHON_DATA="${python_data}")
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/support/data/hdf5_writer.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${HDF5_INCLUDE_DIR})
