// What speaks MPI: a module that the program loads when it was started by a launcher (cli/mpi_ranks.h).
#include <climits>
#include <cstdlib>
#include <memory>
#include <vector>

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/ranks.h>

namespace bellwether::cli {

namespace {

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) throw IoError("this MPI does not work together with threads");
  }
  ~MpiRanks() override { MPI_Finalize(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
  }

  int size() const override {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
  }

  void send(int to, const Bytes& bytes) override {
    if (bytes.size() > INT_MAX) throw IoError("a message between processes is larger than MPI allows");
    Sending& one = *sending_.emplace_back(std::make_unique<Sending>());
    one.bytes = bytes;
    MPI_Isend(one.bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD, &one.request);
  }  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): poll and meet look after the request

  std::optional<Message> poll() override {
    std::erase_if(sending_, [](const auto& one) {
      int sent = 0;
      MPI_Test(&one->request, &sent, MPI_STATUS_IGNORE);
      return sent != 0;
    });
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{status.MPI_SOURCE, Bytes(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  void meet() override {
    for (const auto& one : sending_) {
      MPI_Wait(&one->request, MPI_STATUS_IGNORE);  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): of send
    }
    sending_.clear();
    MPI_Barrier(MPI_COMM_WORLD);
  }

  [[noreturn]] void abandon(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    std::abort();
  }

 private:
  /// A message on its way. Two processes that waited for each other's messages to be taken would wait for ever.
  struct Sending {
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::vector<std::unique_ptr<Sending>> sending_;
};

}  // namespace

}  // namespace bellwether::cli

extern "C" bellwether::Ranks* bellwether_mpi_ranks() { return new bellwether::cli::MpiRanks; }
