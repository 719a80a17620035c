#pragma once

#include <string>
#include <string_view>

#include <bellwether/core/files/descriptor.h>

/// The one place that writes files. A program that may meet a limit on the size of files has to ignore SIGXFSZ, and one
/// that writes to pipes SIGPIPE; both are then errors like a full disk.
namespace bellwether {

/// A file that appears under its name only when it is complete.
///
/// It is written beside its place, as NAME.0123456789abcdef.partial with random digits, and renamed by `commit`. File
/// and folder are synchronised with the disk, so what `commit` has returned from survives a power failure, and a file
/// of the same name keeps its old content until then.
///
/// - A file that is replaced hands on its permissions, and its owner and group where the system allows that. If the
///   group cannot be kept, it gets no more than everybody has. A new file follows the umask.
/// - Links at the name are resolved once: the file they lead to is replaced, and they stay links. Nothing is ever
///   written through a link at a temporary name.
/// - A pipe or a device is written to directly. Waiting for its reader ends when the program was asked to stop
///   (patience.h).
/// - A temporary file is locked (flock) while somebody writes it. The kernel gives up the lock when its holder ends,
///   however it ends; so a temporary file of the same NAME that belongs to this user and that nobody locks was left by
///   a program that was killed, and is removed. Several programs may write the same file; the last one wins.
///
/// Throws IoError that names the file and the reason.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);

  /// Gives the file its name. Without it the file is discarded.
  void commit();

  /// For another program that writes the content.
  int descriptor() const;

 private:
  friend void discard_unfinished_files() noexcept;

  void open_temporary();
  void discard() noexcept;
  void flush();
  [[noreturn]] void fail() const;

  std::string path_;       // as given, for messages
  std::string name_;       // in its folder, where links lead
  std::string temporary_;  // in the same folder, until `commit`; empty for pipes and devices
  std::string buffer_;
  Descriptor folder_;
  Descriptor file_;
};

/// A file that grows at its end. Throws IoError that names the file and the reason.
class AppendedFile {
 public:
  explicit AppendedFile(std::string path);

  /// Adds bytes, all of them or none: if there is no room for all, the file is cut back to the length it had. A pipe or
  /// a device cannot be cut; lines for these are those of a LinePipe.
  void append(std::string_view bytes);

  /// Synchronises the file and its name with the disk: what was appended then survives a power failure.
  void synchronise() const;

 private:
  std::string path_;
  Descriptor file_;
};

/// Removes the temporary files of every OutputFile of this process: for a program that has to end without destructors.
void discard_unfinished_files() noexcept;

/// Makes a folder and those above it that are missing, and synchronises the folders they are made in, so that files in
/// them survive a power failure. Throws IoError.
void make_folders(const std::string& path);

/// Throws IoError when there is no folder for a file: "no/m.bw: there is no folder no".
void require_folder(const std::string& path);

/// The path of the file that links at `path` lead to, whether it exists or not.
std::string without_links(const std::string& path);

}  // namespace bellwether
