# Writes test sources one after another into one file, so that the headers they all include are read once. The unnamed
# namespace of each is put into a namespace of its own: local names of different tests cannot clash.
#   cmake -DSOURCES=a_test.cpp,b_test.cpp -DOUTPUT=all_tests.cpp -P unite_tests.cmake
string(REPLACE "," ";" sources "${SOURCES}")
set(all "")
foreach(source IN LISTS sources)
  file(READ "${source}" text)
  get_filename_component(stem "${source}" NAME_WE)
  string(REPLACE "\nnamespace {\n" "\nnamespace in_${stem} { namespace {\n" text "${text}")
  string(REPLACE "\n}  // namespace\n" "\n}}  // namespace\n" text "${text}")
  string(APPEND all "#line 1 \"${source}\"\n${text}")
endforeach()
file(WRITE "${OUTPUT}" "${all}")
