#include "cli/process.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace bellwether::testing {

std::vector<std::string> mpirun(int ranks) {
  return {"mpirun",
          "--allow-run-as-root",
          "--oversubscribe",
          "-x",
          "ASAN_OPTIONS=detect_leaks=0",
          "-x",
          "TSAN_OPTIONS=suppressions=" BELLWETHER_SOURCE_DIR "/tests/support/openmpi.tsan",
          "-n",
          std::to_string(ranks)};
}

Process::Process(const std::vector<std::string>& words, std::size_t file_size_limit) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string out = folder_.path("out");
  const std::string err = folder_.path("err");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot start a process");
  if (pid_ > 0) return;
  // The child, which may only do what is safe between fork and exec.
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(open(out.c_str(), flags, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), flags, 0600), STDERR_FILENO);
  if (file_size_limit > 0) {
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = file_size_limit;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  execvp(arguments[0], arguments.data());
  _exit(127);
}

Process::~Process() {
  if (ended_) return;
  signal(SIGKILL);
  waitpid(pid_, &status_, 0);
}

bool Process::running() {
  if (!ended_) ended_ = waitpid(pid_, &status_, WNOHANG) == pid_;
  return !ended_;
}

void Process::signal(int number) const {
  if (!ended_) kill(pid_, number);
}

void Process::lift_file_size_limit() const {
  rlimit limit{};
  prlimit(pid_, RLIMIT_FSIZE, nullptr, &limit);
  limit.rlim_cur = limit.rlim_max;
  prlimit(pid_, RLIMIT_FSIZE, &limit, nullptr);
}

std::string Process::err() const {
  const std::string path = folder_.path("err");
  return std::filesystem::exists(path) ? read_file(path) : "";
}

Finished Process::finish() {
  if (!ended_) waitpid(pid_, &status_, 0);
  ended_ = true;
  const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  // One that is killed at once has not made its files yet.
  const auto said = [&](const char* name) {
    const std::string path = folder_.path(name);
    return std::filesystem::exists(path) ? read_file(path) : std::string();
  };
  return {code, said("out"), said("err")};
}

std::vector<pid_t> Process::children() const {
  std::vector<pid_t> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0) continue;
    // pid (name) state parent ...
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    const std::size_t after_name = text.rfind(") ");
    if (after_name == std::string::npos || after_name + 4 > text.size()) continue;
    if (std::atoi(text.c_str() + after_name + 4) == pid_) all.push_back(pid);
  }
  return all;
}

Finished shell(const std::string& command) { return Process({"/bin/bash", "-c", command}).finish(); }

bool holds_within(const std::function<bool()>& condition, std::chrono::seconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end || ::testing::Test::HasFailure()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

}  // namespace bellwether::testing
