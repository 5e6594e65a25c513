// SPDX-License-Identifier: MIT
#include <mpi.h>

#include <algorithm>

#include "base/error.h"
#include "processes/processes.h"

// The only file that uses MPI. All calls come from the thread that made the object. An error of MPI
// ends the job with a message of MPI, which is its default.

namespace winnow {
namespace {

constexpr int kTag = 1;

bool is_complete(MPI_Request& request) {
  int complete = 0;
  MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
  return complete != 0;
}

class MpiTransfer : public Transfer {
 public:
  bool is_complete() override {
    if (request != MPI_REQUEST_NULL) {
      int complete = 0;
      MPI_Test(&request, &complete, &status_);
    }
    return request == MPI_REQUEST_NULL;
  }
  size_t bytes() const override {
    int count = 0;
    MPI_Get_count(&status_, MPI_BYTE, &count);
    return size_t(count);
  }

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  MPI_Status status_{};
};

class MpiProcesses : public Processes {
 public:
  MpiProcesses() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    if (given < MPI_THREAD_FUNNELED) {
      MPI_Finalize();
      throw Error("this MPI does not support programs with threads; expected MPI_THREAD_FUNNELED");
    }
    int index = 0, count = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &index);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    index_ = uint32_t(index);
    count_ = uint32_t(count);
    find_host();
  }
  ~MpiProcesses() override { MPI_Finalize(); }

  uint32_t index() const override { return index_; }
  uint32_t count() const override { return count_; }
  uint32_t host() const override { return host_; }

  void start_sum(std::vector<uint64_t>& values) override {
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), int(values.size()), MPI_UINT64_T, MPI_SUM,
                   MPI_COMM_WORLD, &sum_);
  }
  bool sum_is_complete() override { return is_complete(sum_); }

  std::unique_ptr<Transfer> start_send(std::span<const std::byte> bytes, uint32_t to) override {
    auto transfer = std::make_unique<MpiTransfer>();
    MPI_Isend(bytes.data(), int(bytes.size()), MPI_BYTE, int(to), kTag, MPI_COMM_WORLD,
              &transfer->request);
    return transfer;
  }

  std::unique_ptr<Transfer> start_receive(std::span<std::byte> bytes, uint32_t from) override {
    auto transfer = std::make_unique<MpiTransfer>();
    MPI_Irecv(bytes.data(), int(bytes.size()), MPI_BYTE, int(from), kTag, MPI_COMM_WORLD,
              &transfer->request);
    return transfer;
  }

  void broadcast(std::span<std::byte> bytes) override {
    while (!bytes.empty()) {
      const std::span<std::byte> part = bytes.first(std::min(bytes.size(), kMaxTransferBytes));
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Ibcast(part.data(), int(part.size()), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
      nap_until([&] { return is_complete(request); });  // the first process may be busy for long
      bytes = bytes.subspan(part.size());
    }
  }

  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

 private:
  /// Finds the first process on this host: processes that can share memory are on one host.
  void find_host() {
    MPI_Comm host;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Allreduce(&index_, &host_, 1, MPI_UINT32_T, MPI_MIN, host);
    MPI_Comm_free(&host);
  }

  uint32_t index_ = 0, count_ = 1, host_ = 0;
  MPI_Request sum_ = MPI_REQUEST_NULL;
};

}  // namespace

bool has_mpi() {
  return true;
}

std::unique_ptr<Processes> make_mpi_processes() {
  return std::make_unique<MpiProcesses>();
}

}  // namespace winnow
