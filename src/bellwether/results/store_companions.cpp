#include <bellwether/results/store_companions.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/files/descriptor.h>

namespace bellwether::store_file {

namespace {

// Every journal begins with these bytes. One also ends with them when it belongs to a transaction over several
// databases; the name of the super-journal, which lists them all, is before them. Ours never do.
constexpr std::string_view journal_magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";

[[noreturn]] void cannot_read(const std::string& shown, int reason) {
  throw IoError(fmt::format("cannot read {}: {}", shown, std::strerror(reason)));
}

/// False when there is no such file.
bool is_regular_of_one_name(const std::string& path, const std::string& shown) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return false;
    cannot_read(shown, errno);
  }
  if (S_ISREG(found.st_mode) && found.st_nlink <= 1) return true;
  throw IoError(fmt::format("{} is not a file that SQLite made, and is in the way of one: move it elsewhere", shown));
}

bool ends_with_magic(const std::string& path, const std::string& shown) {
  const Descriptor journal(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!journal.is_open() && errno == ENOENT) return false;  // a sweep that was beginning has finished with it
  struct stat found {};
  if (!journal.is_open() || fstat(*journal, &found) != 0) cannot_read(shown, errno);
  std::array<char, journal_magic.size()> end{};
  if (found.st_size < static_cast<off_t>(2 * end.size())) return false;  // there is no room for a name
  const ssize_t length = pread(*journal, end.data(), end.size(), found.st_size - static_cast<off_t>(end.size()));
  if (length < 0) cannot_read(shown, errno);
  return std::string_view(end.data(), static_cast<std::size_t>(length)) == journal_magic;
}

}  // namespace

void check_companions(const std::filesystem::path& target, const std::string& shown) {
  for (const char* const beside : {"-wal", "-shm"}) is_regular_of_one_name(target.string() + beside, shown + beside);
  const std::string journal = target.string() + "-journal";
  const std::string name = shown + "-journal";
  if (!is_regular_of_one_name(journal, name) || !ends_with_magic(journal, name)) return;
  throw IoError(fmt::format(
      "{} names another file, which SQLite would delete; no sweep leaves such a journal: move it elsewhere", name));
}

}  // namespace bellwether::store_file
