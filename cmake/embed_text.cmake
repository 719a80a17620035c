# Writes a source file with a function that returns the text of files, one after another; without files, nothing.
#   cmake -DFILES=a.css,b.css -DHEADER=bellwether/report/page.h -DNAMESPACE=bellwether -DFUNCTION=page_style
#         -DOUTPUT=page_style.cpp -P embed_text.cmake
set(text "")
string(REPLACE "," ";" files "${FILES}")
foreach(file IN LISTS files)
  file(READ "${file}" one)
  string(APPEND text "${one}")
endforeach()
file(WRITE "${OUTPUT}" "#include <${HEADER}>\n\nnamespace ${NAMESPACE} {\n\n"
  "std::string_view ${FUNCTION}() {\n  return R\"bellwether(${text})bellwether\";\n}\n\n"
  "}  // namespace ${NAMESPACE}\n")
