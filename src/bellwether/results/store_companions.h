#pragma once

#include <filesystem>
#include <string>

namespace bellwether::store_file {

/// Throws IoError unless SQLite can be let at the files that it keeps beside a database: FILE-journal, FILE-wal and
/// FILE-shm. `target` is where the database is; `shown` is how messages call it.
///
/// SQLite opens whatever has these names, waits for a pipe, writes to what a link leads to, and deletes the file that a
/// journal names. So each has to be missing or a regular file of one name, and a journal may name nothing. Whoever puts
/// them there between this check and the opening has the right to change the folder, and needs no help from us.
void check_companions(const std::filesystem::path& target, const std::string& shown);

}  // namespace bellwether::store_file
