#include <bellwether/core/files/output_file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/files/patience.h>

namespace bellwether {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view ending = ".partial";
constexpr std::size_t digits = 16;
constexpr std::size_t buffered = 1 << 16;

std::uint64_t random_number() {
  std::random_device device;  // the kernel's generator: two containers with the same process ids differ
  return (std::uint64_t{device()} << 32U) | device();
}

/// What the names of temporary files of NAME begin with. A file system limits names to 255 bytes.
std::string stem_of(const std::string& name) { return name.substr(0, 200) + '.'; }

bool is_temporary_of(std::string_view stem, std::string_view name) {
  if (name.size() != stem.size() + digits + ending.size()) return false;
  if (!name.starts_with(stem) || !name.ends_with(ending)) return false;
  return name.substr(stem.size(), digits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_ino == b.st_ino && a.st_dev == b.st_dev; }

bool lock(int file, int how) {
  while (flock(file, how) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

/// Removes a temporary file if it is ours and nobody writes it.
void remove_if_stale(int folder, const std::string& name) {
  struct stat there {};
  if (fstatat(folder, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (!S_ISREG(there.st_mode) || there.st_uid != geteuid()) return;
  const Descriptor file(openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() || !lock(*file, LOCK_EX | LOCK_NB)) return;
  // Its writer may have renamed it since: then the lock came after its end, and the name is gone.
  struct stat held {};
  if (fstat(*file, &held) != 0 || fstatat(folder, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) return;
  if (same_file(held, there)) unlinkat(folder, name.c_str(), 0);
}

void remove_stale(int folder, const std::string& stem) {
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return;  // a folder that cannot be listed keeps what was left in it
  const std::unique_ptr<DIR, int (*)(DIR*)> list(fdopendir(again), closedir);
  std::vector<std::string> found;
  while (const dirent* entry = list ? readdir(list.get()) : nullptr) {  // NOLINT(concurrency-mt-unsafe): our own list
    if (is_temporary_of(stem, entry->d_name)) found.emplace_back(entry->d_name);
  }
  for (const std::string& name : found) remove_if_stale(folder, name);
}

/// Gives a file the permissions, owner and group of the one it replaces.
void inherit(int file, const struct stat& old) {
  struct stat made {};
  if (fstat(file, &made) != 0) return;
  auto mode = old.st_mode & 0777U;
  const bool same = made.st_uid == old.st_uid && made.st_gid == old.st_gid;
  const bool kept = same || fchown(file, old.st_uid, old.st_gid) == 0;
  const bool group_kept = kept || made.st_gid == old.st_gid || fchown(file, static_cast<uid_t>(-1), old.st_gid) == 0;
  if (!group_kept) mode &= 0707U | ((mode & 07U) << 3U);
  fchmod(file, mode);
}

/// Writes all bytes, or returns false with the reason in errno. A pipe that is full is waited for.
bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN && wait_until_ready(file, POLLOUT)) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// False when the disk failed; pipes, devices and some file systems have nothing to synchronise.
bool synchronise(int file) { return fsync(file) == 0 || (errno != EIO && errno != ENOSPC && errno != EDQUOT); }

/// The folder that a file is in. One that may not be read can still be written to.
Descriptor folder_of(const fs::path& file) {
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) opened = Descriptor(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  return opened;
}

/// The files that are being written. They outlive every other object, as files may be written until the end, and take
/// no memory as long as there are none, as a program without any may ask for them.
struct Unfinished {
  std::mutex mutex;
  std::vector<OutputFile*> files;
};
Unfinished& unfinished() {
  alignas(Unfinished) static std::array<std::byte, sizeof(Unfinished)> place;
  static auto& all = *new (place.data()) Unfinished;
  return all;
}

[[noreturn]] void cannot_write(const std::string& path) {
  const int reason = errno;
  if (reason == ENOENT) require_folder(path);
  throw IoError(fmt::format("cannot write {}: {}", path, std::strerror(reason)));
}

}  // namespace

std::string without_links(const std::string& path) {
  std::error_code failed;
  fs::path target = path;
  constexpr int most = 40;  // as the kernel
  for (int hops = 0; fs::is_symlink(target, failed); ++hops) {
    if (hops == most) {
      errno = ELOOP;
      cannot_write(path);
    }
    target = target.parent_path() / fs::read_symlink(target, failed);
  }
  return target.string();
}

void require_folder(const std::string& path) {
  std::error_code failed;
  const fs::path folder = fs::path(without_links(path)).parent_path();
  if (folder.empty() || fs::status(folder, failed).type() != fs::file_type::not_found) return;
  throw IoError(fmt::format("{}: there is no folder {}", path, folder.string()));
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  struct stat old {};
  if (stat(path_.c_str(), &old) == 0 && !S_ISREG(old.st_mode)) {
    file_ = open_patiently(path_, O_WRONLY | O_TRUNC);
    if (!file_.is_open()) fail();
    return;
  }
  const fs::path target = without_links(path_);
  name_ = target.filename().string();
  if (name_.empty()) {
    errno = path_.empty() ? ENOENT : EISDIR;
    fail();
  }
  folder_ = folder_of(target);
  if (!folder_.is_open()) fail();
  open_temporary();
  try {
    const std::scoped_lock held(unfinished().mutex);
    unfinished().files.push_back(this);
  } catch (const std::bad_alloc&) {
    discard();
    throw;
  }
}

void OutputFile::open_temporary() {
  struct stat old {};
  const bool replaces = fstatat(*folder_, name_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode);
  const std::string stem = stem_of(name_);
  remove_stale(*folder_, stem);
  for (;;) {
    std::string name = fmt::format("{}{:016x}{}", stem, random_number(), ending);
    constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    file_ = Descriptor(openat(*folder_, name.c_str(), flags, replaces ? 0600 : 0666));
    if (!file_.is_open() && errno == EEXIST) continue;
    if (!file_.is_open()) fail();
    // Another program that looks for stale files may have been faster than our lock, and removed it. Where files cannot
    // be locked, nothing is ever removed.
    struct stat made {};
    if (lock(*file_, LOCK_EX) && fstat(*file_, &made) == 0 && made.st_nlink == 0) continue;
    temporary_ = std::move(name);
    break;
  }
  if (replaces) inherit(*file_, old);
}

OutputFile::~OutputFile() {
  {
    const std::scoped_lock held(unfinished().mutex);
    std::erase(unfinished().files, this);
  }
  discard();
}

void OutputFile::discard() noexcept {
  if (!temporary_.empty()) unlinkat(*folder_, temporary_.c_str(), 0);
}

void discard_unfinished_files() noexcept {
  const std::unique_lock held(unfinished().mutex, std::try_to_lock);
  if (!held.owns_lock()) return;  // a thread that will never go on has it
  for (OutputFile* const file : unfinished().files) file->discard();
}

void make_folders(const std::string& path) {
  const auto fail = [&](int reason) { throw IoError(fmt::format("cannot make {}: {}", path, std::strerror(reason))); };
  std::error_code failed;
  std::vector<fs::path> missing;
  for (fs::path folder = path; !folder.empty() && !fs::exists(folder, failed); folder = folder.parent_path()) {
    missing.push_back(folder);
  }
  fs::create_directories(path, failed);
  if (failed) fail(failed.value());
  for (const fs::path& made : missing) {
    const Descriptor above = folder_of(made);
    if (above.is_open() && !synchronise(*above)) fail(errno);
  }
}

int OutputFile::descriptor() const {
  const int flags = fcntl(*file_, F_GETFL);  // another program does not expect that a pipe refuses to make it wait
  if (flags >= 0) fcntl(*file_, F_SETFL, flags & ~O_NONBLOCK);
  return *file_;
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() >= buffered) {
    flush();
    if (!write_all(*file_, bytes)) fail();
  } else {
    buffer_ += bytes;
  }
}

void OutputFile::flush() {
  if (!write_all(*file_, buffer_)) fail();
  buffer_.clear();
}

void OutputFile::commit() {
  flush();
  if (!synchronise(*file_)) fail();
  if (!temporary_.empty()) {
    if (renameat(*folder_, temporary_.c_str(), *folder_, name_.c_str()) != 0) fail();
    temporary_.clear();  // the lock is kept until now, so that nobody takes the file for a stale one
    if (!synchronise(*folder_)) fail();
  }
  file_.close();
}

void OutputFile::fail() const { cannot_write(path_); }

AppendedFile::AppendedFile(std::string path)
    : path_(std::move(path)), file_(open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)) {
  if (!file_.is_open()) cannot_write(path_);
}

void AppendedFile::append(std::string_view bytes) {
  struct stat before {};
  const bool can_be_cut = fstat(*file_, &before) == 0 && S_ISREG(before.st_mode);
  if (write_all(*file_, bytes)) return;
  const int reason = errno;
  if (can_be_cut && ftruncate(*file_, before.st_size) != 0) {  // the end of the file then is part of a line
  }
  errno = reason;
  cannot_write(path_);
}

void AppendedFile::synchronise() const {
  const Descriptor folder = folder_of(without_links(path_));
  if (!::bellwether::synchronise(*file_) || (folder.is_open() && !::bellwether::synchronise(*folder))) {
    cannot_write(path_);
  }
}

}  // namespace bellwether
