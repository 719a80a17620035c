# The module that reads Parquet and Arrow files, built against the headers and libraries of the pyarrow package of
# BELLWETHER_ARROW_PYTHON. A module of its own, so that the program starts where there is no Arrow.
execute_process(COMMAND ${BELLWETHER_ARROW_PYTHON} -c "import pyarrow; print(pyarrow.get_include())"
                OUTPUT_VARIABLE arrow_include OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${BELLWETHER_ARROW_PYTHON}, which BELLWETHER_ARROW_PYTHON names, cannot import pyarrow")
endif()
cmake_path(GET arrow_include PARENT_PATH arrow_folder)
foreach(library arrow parquet)
  file(GLOB found ${arrow_folder}/lib${library}.so.*)
  list(APPEND arrow_libraries ${found})
endforeach()
add_library(bellwether_arrow MODULE cli/arrow/module.cpp cli/arrow/file_batches.cpp cli/arrow/dataset_batches.cpp)
set_target_properties(bellwether_arrow PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
                      BUILD_RPATH ${arrow_folder} INSTALL_RPATH ${arrow_folder})
target_include_directories(bellwether_arrow PRIVATE src)
target_include_directories(bellwether_arrow SYSTEM PRIVATE ${arrow_include})
target_link_libraries(bellwether_arrow PRIVATE ${arrow_libraries})
install(TARGETS bellwether_arrow LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/bellwether)
add_dependencies(bellwether_cli bellwether_arrow)
