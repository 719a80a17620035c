# Files that the real NumPy, SciPy and Minari write, for the tests whose names say FromPython. They are made when the
# first of these is run, in a Python environment within the build folder; see make_data for what is there already.
set(python_data ${CMAKE_BINARY_DIR}/python)
add_test(NAME PythonData.IsWritten COMMAND ${CMAKE_CURRENT_LIST_DIR}/make_data ${python_data})
set_tests_properties(PythonData.IsWritten PROPERTIES FIXTURES_SETUP python_data COST 500 TIMEOUT 600)

# Tests are discovered after the build, so what they need is said when they are run.
list(JOIN test_programs " " all)
file(WRITE ${python_data}.cmake "foreach(program ${all})" [[

  foreach(test IN LISTS ${program}_TESTS)
    if(test MATCHES "FromPython")
      set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED python_data)
    endif()
  endforeach()
endforeach()
]])
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${python_data}.cmake)

# Only here, so that other tests are compiled alike in every folder.
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/support/python_data.cpp PROPERTIES
  COMPILE_DEFINITIONS BELLWETHER_PYTHON_DATA="${python_data}/data")
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/support/hdf5_writer.cpp PROPERTIES
  INCLUDE_DIRECTORIES ${HDF5_INCLUDE_DIR})
