#include <bellwether/data/process/table_process.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/files/descriptor.h>
#include <bellwether/data/bad_cells.h>
#include <bellwether/data/cells.h>
#include <bellwether/data/library_table.h>
#include <bellwether/data/process/table_messages.h>
#include <bellwether/data/skipped_rows.h>

namespace bellwether {

namespace {

using table_messages::Answer;
using table_messages::Asked;
using table_messages::Outcome;
using table_messages::Request;

std::vector<std::string>& chosen_command() {
  static std::vector<std::string> command;
  return command;
}

/// A process with a socket to it, which is its standard input. It is killed by the destructor: it has nothing to lose.
class Child {
 public:
  Child(const std::vector<std::string>& command, const std::string& file) {
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail(file, errno);
    socket_ = Descriptor(ends[0]);
    const Descriptor other(ends[1]);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, *other, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;  // a group of its own: Ctrl-C is for the program, which then ends the process
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: C's signature
    words.push_back(nullptr);
    const int error = posix_spawn(&process_, words[0], &files, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) fail(file, error);
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int socket() const { return *socket_; }

  /// Ends it, unless it has ended already, and says how its end came; nothing when that is not known.
  std::string end() {
    if (process_ <= 0) return {};  // to signal another number than that of a process is to signal many of them
    kill(process_, SIGKILL);       // which changes nothing about one that has crashed
    int status = 0;
    pid_t found = 0;
    do {
      found = waitpid(process_, &status, 0);
    } while (found < 0 && errno == EINTR);
    process_ = -1;
    if (found < 0) return {};
    if (!WIFSIGNALED(status)) return fmt::format(" (exit code {})", WEXITSTATUS(status));
    if (WTERMSIG(status) == SIGXCPU) return " (it took a minute for one answer)";
    return fmt::format(" ({})", strsignal(WTERMSIG(status)));  // NOLINT(concurrency-mt-unsafe): of known signals
  }

 private:
  [[noreturn]] static void fail(const std::string& file, int error) {
    throw IoError(fmt::format("{}: cannot start a process that reads it: {}", file, std::strerror(error)));
  }

  Descriptor socket_;
  pid_t process_ = -1;
};

class TableProcess final : public TableReader {
 public:
  TableProcess(const std::vector<std::string>& command, const std::string& path, const TableOptions& options)
      : name_(path), stopped_(options.interrupted), bad_(options.bad_rows), child_(command, path) {
    const Request request{.asked = Asked::open, .path = path, .bad_rows = options.bad_rows, .decimal = options.decimal};
    columns_ = answer_to(request).columns;
  }

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  std::uint64_t skipped() const override { return last_.skipped + bad_.skipped(); }
  std::string first_skipped() const override { return bad_.first().empty() ? last_.first_skipped : bad_.first(); }

  std::optional<double> fraction() const override {
    return last_.fraction < 0 ? std::nullopt : std::optional(last_.fraction);
  }

  std::vector<bool> hold_text(const std::vector<std::string>& names, std::size_t rows) override {
    const Answer answer = answer_to({.asked = Asked::hold_text, .names = names, .rows = rows});
    if (answer.hold.size() != names.size()) reject_answer();
    return {answer.hold.begin(), answer.hold.end()};
  }

  void select(std::vector<ColumnRequest> requests) override {
    selected_ = requests;
    answer_to({.asked = Asked::select, .columns = std::move(requests)});
    const std::vector<std::size_t> indices = column_indices(selected_, name_, columns_);
    texts_.clear();
    for (std::size_t c = 0; c < selected_.size(); ++c) {
      const CellKind kind = selected_[c].kind;
      if (kind == CellKind::text || kind == CellKind::category) texts_.push_back(c);
    }
    const auto before = [&](std::size_t a, std::size_t b) { return indices[a] < indices[b]; };
    std::stable_sort(texts_.begin(), texts_.end(), before);
  }

  bool read(TableBlock& block, std::size_t rows) override {
    block.clear(selected_.size());
    if (over_) return false;
    last_ = answer_to({.asked = Asked::read, .rows = rows});
    if (over_) return false;
    if (last_.block.rows > rows || last_.block.columns != selected_.size()) reject_answer();
    std::swap(block, last_.block);
    take_texts(block);
    return last_.more;
  }

 private:
  Answer answer_to(const Request& request) {
    const auto bytes = table_messages::send(child_.socket(), table_messages::bytes_of(request))
                           ? table_messages::receive(child_.socket(), stopped_)
                           : std::nullopt;
    if (!bytes) return no_answer(request);
    Answer answer;
    try {
      answer = table_messages::answer_of(*bytes);
    } catch (const InvalidArgument&) {
      reject_answer();
    }
    if (answer.outcome == Outcome::bad_row) throw BadRow(answer.message);
    if (answer.outcome == Outcome::invalid_argument) throw InvalidArgument(answer.message);
    if (answer.outcome != Outcome::good) throw IoError(answer.message);
    return answer;
  }

  /// The other process sends texts; they are kept, or numbered as categories, here. Row by row: categories get their
  /// numbers in the order in which a file of text would have them.
  void take_texts(TableBlock& block) {
    for (std::size_t i = 0; !texts_.empty() && i < block.rows; ++i) {
      for (const std::size_t c : texts_) {
        double& cell = block.cells[i * block.columns + c];
        if (std::isnan(cell)) continue;
        if (!(cell >= 0 && cell < static_cast<double>(last_.texts.size()))) reject_answer();
        try {
          cell = parse_cell(last_.texts[static_cast<std::size_t>(cell)], selected_[c], name_, block.row[i]);
        } catch (const InvalidArgument& error) {
          if (objection_.empty()) objection_ = error.what();
          bad_.add(i, c);
        }
      }
    }
    bad_.drop_rows(block, [this](std::size_t, std::size_t) { return objection_; });
  }

  Answer no_answer(const Request& request) {
    const bool stopped = stopped_();
    over_ = true;
    if (stopped && request.asked == Asked::read) return std::move(last_);
    if (stopped) throw IoError(name_ + ": reading was interrupted");
    throw IoError(
        fmt::format("{}: {} failed while reading it{}: the file is damaged", name_, library_of(name_), child_.end()));
  }

  [[noreturn]] void reject_answer() const {
    throw IoError(fmt::format("{}: {} failed while reading it: the file is damaged", name_, library_of(name_)));
  }

  std::string name_;
  std::function<bool()> stopped_;
  BadCells bad_;           // of the texts
  std::string objection_;  // to the first of them
  Child child_;
  std::vector<std::string> columns_;
  std::vector<ColumnRequest> selected_;
  std::vector<std::size_t> texts_;  // selected columns of texts and categories, in the order of the columns
  Answer last_;                     // whose block has been handed on
  bool over_ = false;               // there will be no more answers
};

}  // namespace

void read_apart_by(std::vector<std::string> command) {
  if (!command.empty() && access(command[0].c_str(), X_OK) == 0) chosen_command() = std::move(command);
}

const std::vector<std::string>& apart_command() { return chosen_command(); }

std::unique_ptr<TableReader> open_table_apart(const std::vector<std::string>& command, const std::string& path,
                                              const TableOptions& options) {
  return std::make_unique<TableProcess>(command, path, options);
}

}  // namespace bellwether
