# Writes a source file that holds the page of reports; without a FILE, an empty one.
#   cmake -DFILE=index.html -DOUTPUT=report_template.cpp -P embed_page.cmake
set(text "")
if(FILE)
  file(READ "${FILE}" text)
endif()
file(WRITE "${OUTPUT}" "#include \"report_page.h\"\n\nnamespace bellwether::cli {\n\n"
  "std::string_view report_template() {\n  return R\"bellwether(${text})bellwether\";\n}\n\n"
  "}  // namespace bellwether::cli\n")
