#pragma once

#include <memory>
#include <string>
#include <vector>

#include <bellwether/data/table.h>

/// Files of foreign libraries (library_table.h) at arm's length. These libraries were not made for files by strangers:
/// some files crash them, some keep them busy for ever, and a crash would take the model, or the stream, of the program
/// that reads such a file with it. So the program lets another process read it and gets the rows through a socket.
///
/// The process is the program itself, started anew: forking one that has threads would be no use, as the child may
/// hardly call anything. A library cannot know how to start the program that uses it, so this is a choice that `main`
/// makes; without it, files are read within the process.
namespace bellwether {

/// The word after its name with which the program calls `serve_table`.
inline constexpr const char* table_server = "serve-table";

/// From now on `open_table` reads files of foreign libraries by a process that this command starts: a path and its
/// arguments. To be called before there are threads. Nothing changes where there is no such file.
void read_apart_by(std::vector<std::string> command);

/// The command; empty where files are read within the process.
const std::vector<std::string>& apart_command();

/// Opens the table in such a file by a process that the command starts. Throws what open_library_table throws, and
/// IoError when the process crashes, takes a minute of processor time for one answer, or sends something else. Opening
/// and selecting throw IoError when `options.interrupted` becomes true while they wait; reading ends.
std::unique_ptr<TableReader> open_table_apart(const std::vector<std::string>& command, const std::string& path,
                                              const TableOptions& options = {});

/// The other side: answers what comes through the socket until it is closed. It limits its own memory to what is free,
/// and the time of every answer. Returns the exit code of the process.
int serve_table(int socket);

}  // namespace bellwether
