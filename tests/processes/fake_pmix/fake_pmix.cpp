// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

// A stand-in for the library of PMIx: its server returns FAKE_PMIX_SIZE, a number or "none", as the
// number of processes. Without the variable there is no server.

struct Process {
  char job[256];
  uint32_t rank;
};

struct Value {
  uint16_t type;
  union {
    uint32_t number;
    void* pointer;
  } data;
};

extern "C" {

int PMIx_Init(Process* process, void*, size_t) {
  if (!std::getenv("FAKE_PMIX_SIZE")) return -1;
  std::strcpy(process->job, "prterun-host-9@1");
  process->rank = 0;
  return 0;
}

int PMIx_Get(const Process* process, const char* key, const void*, size_t, Value** value) {
  const char* const size = std::getenv("FAKE_PMIX_SIZE");
  const bool is_whole_job = process->rank == UINT32_MAX - 1;
  if (!is_whole_job || std::strcmp(process->job, "prterun-host-9@1") != 0 ||
      std::strcmp(key, "pmix.job.size") != 0 || std::strcmp(size, "none") == 0)
    return -46;  // not found
  constexpr uint16_t kUint32 = 14;
  *value = static_cast<Value*>(std::calloc(1, sizeof(Value)));
  (*value)->type = kUint32;
  (*value)->data.number = uint32_t(std::atoi(size));
  return 0;
}

int PMIx_Finalize(const void*, size_t) {
  return 0;
}

}  // extern "C"
