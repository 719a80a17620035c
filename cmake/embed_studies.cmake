# Writes a source file that holds the study files, so that the program can reproduce them wherever it is.
#   cmake -DFILES=a.toml,b.toml -DOUTPUT=shipped_studies.cpp -P embed_studies.cmake
string(REPLACE "," ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND entries "      {\"${name}\", R\"study(${text})study\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include <bellwether/study/shipped_studies.h>\n\nnamespace bellwether {\n\n"
  "const std::vector<ShippedStudy>& shipped_studies() {\n  static const std::vector<ShippedStudy> all{\n${entries}  };\n"
  "  return all;\n}\n\n}  // namespace bellwether\n")
