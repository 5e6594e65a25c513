// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <optional>

#include "processes/processes.h"

namespace winnow {
namespace {

// A part of the interface of PMIx, the same in versions 3 to 5 of the standard.

struct PmixProcess {
  char job[256];
  uint32_t rank;
};

struct PmixValue {
  uint16_t type;
  alignas(8) uint32_t number;
};

constexpr int kPmixSuccess = 0;
constexpr uint16_t kPmixUint32 = 14;
constexpr uint32_t kPmixWholeJob = ~uint32_t{0} - 1;

/// Returns the number of processes of the job of this one; nothing if the library cannot be loaded
/// or its server does not answer.
std::optional<uint32_t> job_size(const std::string& library) {
  void* const pmix = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!pmix) return std::nullopt;
  const auto init =
      reinterpret_cast<int (*)(PmixProcess*, void*, size_t)>(::dlsym(pmix, "PMIx_Init"));
  const auto get =
      reinterpret_cast<int (*)(const PmixProcess*, const char*, const void*, size_t, PmixValue**)>(
          ::dlsym(pmix, "PMIx_Get"));
  const auto finalize =
      reinterpret_cast<int (*)(const void*, size_t)>(::dlsym(pmix, "PMIx_Finalize"));
  if (!init || !get || !finalize) return std::nullopt;

  PmixProcess process{};
  if (init(&process, nullptr, 0) != kPmixSuccess) return std::nullopt;
  process.rank = kPmixWholeJob;
  PmixValue* value = nullptr;
  const bool is_known = get(&process, "pmix.job.size", nullptr, 0, &value) == kPmixSuccess &&
                        value && value->type == kPmixUint32;
  const std::optional<uint32_t> size = is_known ? std::optional(value->number) : std::nullopt;
  finalize(nullptr, 0);
  return size;
}

}  // namespace

bool is_alone_by_pmix(const std::string& library) {
  // Calls the library in a process of its own: version 5 aborts if MPI initializes it once more.
  constexpr int kAlone = 1, kNotAlone = 2;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(job_size(library) == 1u ? kAlone : kNotAlone);
  int status = 0;
  pid_t ended = -1;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == kAlone;
}

}  // namespace winnow
