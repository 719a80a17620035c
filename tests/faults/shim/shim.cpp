// A library to be preloaded into a program, which then meets the faults that a disk, the memory or a clock may have.
//
//   FAULT=KIND:N:ERROR:MANNER   the N-th call of a kind fails with this errno; with MANNER `on`, so do all after it. Of
//                               memory there is then what is freed afterwards.
//                               An ERROR of 0 makes a read or a write shorter than asked for, which is no error.
//                               N = 0 counts the calls and changes nothing.
//   FAULT_FOLDER=FOLDER         calls that concern files count for files in this folder only, and for standard input
//   FAULT_COUNT=FILE            where the number of calls of every kind is written when the program ends: KIND COUNT
//   FAULT_JOURNAL=FILE          where everything that changes the folder is recorded (journal.h)
//
// Kinds: open, read, write, sync, rename, resize, lock, memory, thread, clock. For a clock the error is the number of
// seconds by which the time jumps, which may be negative.
//
// Only what happens between the beginning and the end of `main` counts.
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "faults/shim/fault.h"
#include "faults/shim/journal.h"

namespace {

// Set before `main`, and only read afterwards.
char folder[4096];
char count_file[4096];
int journal = -1;

std::array<std::atomic<bool>, 4096> ours{};  // descriptors of files in the folder

/// The next function of a name. There is no memory for more than a pointer: `malloc` itself is looked up this way.
template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}
#define REAL(function)                                             \
  (*[] {                                                           \
    static auto* const real = next<decltype(function)>(#function); \
    return real;                                                   \
  }())

bool is_ours(int file) {
  return file >= 0 && file < static_cast<int>(ours.size()) && ours[static_cast<std::size_t>(file)];
}

/// The full path of a file by a folder's descriptor and a name. False when it is not in the folder.
bool full_path(int at, const char* name, char* out) {
  const std::size_t room = 4096;
  if (name[0] == '/') {
    snprintf(out, room, "%s", name);
  } else {
    char link[64];
    if (at == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    const ssize_t length = readlink(link, out, room - 300);
    if (length < 0) return false;
    snprintf(out + length, room - static_cast<std::size_t>(length), "/%s", name);
  }
  const std::size_t length = std::strlen(folder);
  return length > 0 && std::strncmp(out, folder, length) == 0 && (out[length] == '/' || out[length] == 0);
}

/// Records an event: its name, the file by its inode, a place, and bytes or a path.
void record(char event, std::uint64_t inode, std::uint64_t at, const void* bytes, std::uint64_t size) {
  if (journal < 0) return;
  const journal::Header header{event, inode, at, size};
  const std::array<iovec, 2> parts{iovec{const_cast<journal::Header*>(&header), sizeof header},
                                   iovec{const_cast<void*>(bytes), size}};
  syscall(SYS_writev, journal, parts.data(), parts.size());  // one call: threads do not mix
}

std::uint64_t inode_of(int file) {
  struct stat status {};
  return syscall(SYS_fstat, file, &status) == 0 ? status.st_ino : 0;
}

void record_name(char event, const char* path, std::uint64_t inode) {
  record(event, inode, 0, path + std::strlen(folder) + 1, std::strlen(path + std::strlen(folder) + 1));
}

int opened(int file, bool in_folder, const char* path, bool existed, int flags) {
  if (file < 0 || file >= static_cast<int>(ours.size())) return file;
  ours[static_cast<std::size_t>(file)] = in_folder;
  if (!in_folder || journal < 0) return file;
  if (std::strlen(path) > std::strlen(folder) + 1 && !existed) record_name(journal::fresh, path, inode_of(file));
  if (existed && (flags & O_TRUNC) != 0) record(journal::resize, inode_of(file), 0, nullptr, 0);
  return file;
}

template <class Open>
int open_counted(int at, const char* name, int flags, Open&& open) {
  char path[4096];
  const bool in_folder = full_path(at, name, path);
  if (in_folder && fails(opening)) return -1;
  struct stat status {};
  const bool existed = in_folder && journal >= 0 && syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0;
  return opened(open(), in_folder, path, existed, flags);
}

void written(int file, const void* bytes, ssize_t size, off_t at) {
  if (journal < 0 || size <= 0 || !is_ours(file)) return;
  if (at < 0) at = static_cast<off_t>(syscall(SYS_lseek, file, 0, SEEK_CUR)) - size;
  record(journal::write, inode_of(file), static_cast<std::uint64_t>(at), bytes, static_cast<std::uint64_t>(size));
}

/// -2: go on; otherwise what to return.
ssize_t disturbed(unsigned kind, int file, std::size_t& size) {
  if (!(is_ours(file) || (kind == reading && file == STDIN_FILENO)) || !counts(kind)) return -2;
  if (error == 0 && size > 1) {
    size /= 2;
    return -2;
  }
  if (error == 0) return -2;
  errno = error;
  return -1;
}

std::atomic<long> room{0};  // bytes that were freed and not taken again, since memory ran out

/// Whether there is no memory for a request. When memory has run out, there is what is freed afterwards.
bool is_short_of(std::size_t size) {
  if (!armed.load(std::memory_order_relaxed)) return false;
  const long n = ++calls[memory];
  if (chosen != memory || chosen_call == 0 || n < chosen_call || (n > chosen_call && !goes_on)) return false;
  if (n == chosen_call) room = 0;
  else if ((room -= static_cast<long>(size)) >= 0) return false;
  else room += static_cast<long>(size);
  errno = ENOMEM;
  return true;
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

void write_counts() {
  armed = false;
  if (count_file[0] == 0) return;
  char text[512];
  int length = 0;
  for (unsigned kind = 0; kind < kinds; ++kind) {
    length += snprintf(text + length, sizeof text - static_cast<std::size_t>(length), "%s %ld\n", names[kind],
                       calls[kind].load());
  }
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, count_file, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  syscall(SYS_write, file, text, length);
  syscall(SYS_close, file);
}

int disturbed_main(int argc, char** argv, char** environment) {
  armed = true;
  const int code = real_main(argc, argv, environment);
  write_counts();
  return code;
}

void set_up() {
  if (const char* text = std::getenv("FAULT_FOLDER")) snprintf(folder, sizeof folder, "%s", text);
  if (const char* text = std::getenv("FAULT_COUNT")) snprintf(count_file, sizeof count_file, "%s", text);
  if (const char* text = std::getenv("FAULT_JOURNAL")) {
    const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND, 0600));
    journal = static_cast<int>(syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 1000));  // out of the program's way
    syscall(SYS_close, file);
  }
  char kind[16] = "";
  char manner[16] = "";
  if (const char* text = std::getenv("FAULT")) sscanf(text, "%15[^:]:%ld:%d:%15s", kind, &chosen_call, &error, manner);
  goes_on = std::strcmp(manner, "on") == 0;
  for (unsigned i = 0; i < kinds; ++i) {
    if (std::strcmp(kind, names[i]) == 0) chosen = i;
  }
  unsetenv("LD_PRELOAD");  // programs that it starts are left alone
}

mode_t mode_after(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(more, unsigned)) : 0;
}

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  set_up();
  real_main = main;
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(disturbed_main, argc, argv, init, fini, rtld_fini, stack_end);
}

#define OPEN(name)                                                                                           \
  int name(const char* path, int flags, ...) {                                                               \
    va_list more;                                                                                            \
    va_start(more, flags);                                                                                   \
    const mode_t mode = mode_after(flags, more);                                                             \
    va_end(more);                                                                                            \
    return open_counted(AT_FDCWD, path, flags,                                                               \
                        [&] { return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode)); }); \
  }
#define OPENAT(name)                                                                                   \
  int name(int at, const char* path, int flags, ...) {                                                 \
    va_list more;                                                                                      \
    va_start(more, flags);                                                                             \
    const mode_t mode = mode_after(flags, more);                                                       \
    va_end(more);                                                                                      \
    return open_counted(at, path, flags,                                                               \
                        [&] { return static_cast<int>(syscall(SYS_openat, at, path, flags, mode)); }); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                                       \
  FILE* name(const char* path, const char* mode) {                        \
    char whole[4096];                                                     \
    const bool in_folder = full_path(AT_FDCWD, path, whole);              \
    if (in_folder && fails(opening)) return nullptr;                      \
    FILE* const file = REAL(name)(path, mode);                            \
    if (file != nullptr) opened(fileno(file), in_folder, whole, true, 0); \
    return file;                                                          \
  }
FOPEN(fopen)
FOPEN(fopen64)

int close(int file) {
  if (file >= 0 && file < static_cast<int>(ours.size())) ours[static_cast<std::size_t>(file)] = false;
  return static_cast<int>(syscall(SYS_close, file));
}

ssize_t read(int file, void* bytes, size_t size) {
  const ssize_t instead = disturbed(reading, file, size);
  return instead != -2 ? instead : syscall(SYS_read, file, bytes, size);
}
#define PREAD(name)                                                               \
  ssize_t name(int file, void* bytes, size_t size, off_t at) {                    \
    const ssize_t instead = disturbed(reading, file, size);                       \
    return instead != -2 ? instead : syscall(SYS_pread64, file, bytes, size, at); \
  }
PREAD(pread)
PREAD(pread64)

size_t fread(void* bytes, size_t size, size_t count, FILE* file) {
  if (is_ours(fileno(file)) && error != 0 && fails(reading)) {
    file->_flags |= 0x20;  // what ferror looks at
    return 0;
  }
  return REAL(fread)(bytes, size, count, file);
}

ssize_t write(int file, const void* bytes, size_t size) {
  const ssize_t instead = disturbed(writing, file, size);
  if (instead != -2) return instead;
  const ssize_t done = syscall(SYS_write, file, bytes, size);
  written(file, bytes, done, -1);
  return done;
}
#define PWRITE(name)                                                   \
  ssize_t name(int file, const void* bytes, size_t size, off_t at) {   \
    const ssize_t instead = disturbed(writing, file, size);            \
    if (instead != -2) return instead;                                 \
    const ssize_t done = syscall(SYS_pwrite64, file, bytes, size, at); \
    written(file, bytes, done, at);                                    \
    return done;                                                       \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

#define SYNC(name)                                                                        \
  int name(int file) {                                                                    \
    if (is_ours(file) && fails(syncing)) return -1;                                       \
    const int done = static_cast<int>(syscall(SYS_##name, file));                         \
    if (is_ours(file) && done == 0) record(journal::sync, inode_of(file), 0, nullptr, 0); \
    return done;                                                                          \
  }
SYNC(fsync)
SYNC(fdatasync)

int renameat(int from_at, const char* from, int to_at, const char* to) noexcept {
  char old_path[4096];
  char new_path[4096];
  const bool in_folder = full_path(from_at, from, old_path) && full_path(to_at, to, new_path);
  if (in_folder && fails(renaming)) return -1;
  struct stat status {};
  syscall(SYS_newfstatat, from_at, from, &status, AT_SYMLINK_NOFOLLOW);
  const int done = static_cast<int>(syscall(SYS_renameat2, from_at, from, to_at, to, 0));
  if (in_folder && done == 0) {
    record_name(journal::remove, old_path, status.st_ino);
    record_name(journal::create, new_path, status.st_ino);
  }
  return done;
}
int rename(const char* from, const char* to) noexcept { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int unlinkat(int at, const char* name, int flags) noexcept {
  char path[4096];
  const bool in_folder = full_path(at, name, path);
  const int done = static_cast<int>(syscall(SYS_unlinkat, at, name, flags));
  if (in_folder && done == 0) record_name(journal::remove, path, 0);
  return done;
}
int unlink(const char* name) noexcept { return unlinkat(AT_FDCWD, name, 0); }

int mkdir(const char* name, mode_t mode) noexcept {
  const int done = static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, name, mode));
  char path[4096];
  struct stat status {};
  if (done == 0 && full_path(AT_FDCWD, name, path) && syscall(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0) {
    record_name(journal::folder, path, status.st_ino);
  }
  return done;
}

#define RESIZE(name)                                                                         \
  int name(int file, off_t size) noexcept {                                                  \
    if (is_ours(file) && fails(resizing)) return -1;                                         \
    const int done = static_cast<int>(syscall(SYS_ftruncate, file, size));                   \
    if (is_ours(file) && done == 0)                                                          \
      record(journal::resize, inode_of(file), static_cast<std::uint64_t>(size), nullptr, 0); \
    return done;                                                                             \
  }
RESIZE(ftruncate)
RESIZE(ftruncate64)

int flock(int file, int how) noexcept {
  if (is_ours(file) && fails(locking)) return -1;
  return static_cast<int>(syscall(SYS_flock, file, how));
}

int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) noexcept {
  if (fails(thread)) return error;
  return REAL(pthread_create)(id, attributes, start, argument);
}

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const int done = static_cast<int>(syscall(SYS_clock_gettime, clock, now));
  if (done == 0 && counts(ticking)) now->tv_sec = std::max<time_t>(0, now->tv_sec + error);
  return done;
}

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void __libc_free(void*);

void free(void* memory) {
  if (memory == nullptr) return;
  room += static_cast<long>(malloc_usable_size(memory));
  __libc_free(memory);
}
void* malloc(size_t size) { return is_short_of(size) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return is_short_of(count * size) ? nullptr : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) {
  if (is_short_of(size)) return nullptr;
  if (old != nullptr) room += static_cast<long>(malloc_usable_size(old));
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return is_short_of(size) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  if (is_short_of(size)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

}  // extern "C"
