#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

// The device-wide algorithms with memory and launches hidden, so that one test serves the host
// executor and a GPU.

enum class SelectKind { kScan, kBallot, kLookBack };

struct SelectProblem {
  std::vector<uint8_t> flags;    ///< [n]
  std::vector<uint32_t> values;  ///< [n]
  uint32_t capacity;             ///< >= n
  bool count_on_device = false;  ///< n reaches the kernels through memory; else capacity is n
};

/// One select algorithm that keeps its workspace from call to call.
class Selector {
 public:
  virtual ~Selector() = default;

  /// The selected values. Throws where a kernel fails or writes outside its buffers.
  virtual std::vector<uint32_t> select(const SelectProblem& problem) = 0;
};

/// Where the algorithms run: the host executor with one schedule, or a GPU.
class Algorithms {
 public:
  virtual ~Algorithms() = default;
  virtual std::unique_ptr<Selector> selector(SelectKind kind, uint32_t max_capacity) = 0;

  /// Appends the values whose flag is set, by blocks that each take several rounds of items.
  virtual std::vector<uint32_t> append(const std::vector<uint8_t>& flags,
                                       const std::vector<uint32_t>& values) = 0;
  /// Likewise, where threads have several values each, which are gathered in shared memory.
  virtual std::vector<uint32_t> append_many(const std::vector<uint8_t>& flags,
                                            const std::vector<uint32_t>& values) = 0;
};

struct Backend {
  std::string name;
  std::function<std::string()> why_unavailable;  ///< empty where it can run
  std::function<std::unique_ptr<Algorithms>()> make;
};

inline void PrintTo(const Backend& backend, std::ostream* out) {
  *out << backend.name;
}

std::vector<Backend> host_backends();
std::vector<Backend> cuda_backends();  ///< only in a CUDA build
