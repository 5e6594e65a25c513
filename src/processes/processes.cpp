// SPDX-License-Identifier: MIT
#include "processes/processes.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace winnow {

namespace {

class SingleProcess : public Processes {
 public:
  uint32_t index() const override { return 0; }
  uint32_t count() const override { return 1; }
  uint32_t host() const override { return 0; }
  void start_sum(std::vector<uint64_t>&) override {}
  bool sum_is_complete() override { return true; }
  void broadcast(std::span<std::byte>) override {}
  std::unique_ptr<Transfer> start_send(std::span<const std::byte>, uint32_t) override {
    return nullptr;  // there is no other process
  }
  std::unique_ptr<Transfer> start_receive(std::span<std::byte>, uint32_t) override {
    return nullptr;
  }
  void abort(int exit_code) override { std::exit(exit_code); }
};

/// Completes start(part), which returns a transfer, for each part of `bytes` in turn.
template <class Byte, class Start>
void transfer_all(std::span<Byte> bytes, Start start) {
  while (!bytes.empty()) {
    const std::span<Byte> part = bytes.first(std::min(bytes.size(), kMaxTransferBytes));
    const std::unique_ptr<Transfer> transfer = start(part);
    nap_until([&] { return transfer->is_complete(); }, kRestlessForBytes);
    bytes = bytes.subspan(part.size());
  }
}

std::string name_of_this_host() {
  char name[256] = "";
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

/// Returns ProcessPlace::processors of this process.
std::string processors_of_this_process() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // This fails on hosts with more processors than a cpu_set_t holds.
  if (::sched_getaffinity(0, sizeof(set), &set) != 0)
    return std::string(std::thread::hardware_concurrency(), '1');
  std::string processors(CPU_SETSIZE, '0');
  for (size_t i = 0; i < processors.size(); ++i)
    if (CPU_ISSET(i, &set)) processors[i] = '1';
  processors.resize(processors.rfind('1') + 1);
  return processors;
}

bool share_processors(const ProcessPlace& a, const ProcessPlace& b) {
  if (a.host != b.host) return false;
  const size_t both = std::min(a.processors.size(), b.processors.size());
  for (size_t i = 0; i < both; ++i)
    if (a.processors[i] == '1' && b.processors[i] == '1') return true;
  return false;
}

std::optional<uint32_t> number_of(const EnvironmentVariables& environment, const char* name) {
  const char* text = environment(name);
  if (!text) return std::nullopt;
  const std::string_view digits(text);
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

void Processes::send(std::span<const std::byte> bytes, uint32_t to) {
  transfer_all(bytes, [&](std::span<const std::byte> part) { return start_send(part, to); });
}

void Processes::receive(std::span<std::byte> bytes, uint32_t from) {
  transfer_all(bytes, [&](std::span<std::byte> part) { return start_receive(part, from); });
}

std::unique_ptr<Processes> make_single_process() {
  return std::make_unique<SingleProcess>();
}

void sum(Processes& processes, std::vector<uint64_t>& values) {
  processes.start_sum(values);
  nap_until([&] { return processes.sum_is_complete(); });
}

bool any(Processes& processes, bool one) {
  std::vector<uint64_t> yes = {one};
  sum(processes, yes);
  return yes[0] > 0;
}

std::string text_of_first(Processes& processes, std::string text) {
  text.resize(value_of_first(processes, uint64_t(text.size())));
  processes.broadcast(std::as_writable_bytes(std::span(text)));
  return text;
}

std::vector<std::string> texts_of_all(Processes& processes, const std::string& text) {
  std::vector<uint64_t> sizes(processes.count());
  sizes[processes.index()] = text.size();
  sum(processes, sizes);
  std::vector<std::string> texts(processes.count());
  for (uint32_t process = 0; process < processes.count(); ++process)
    texts[process].resize(sizes[process]);
  texts[processes.index()] = text;
  if (!processes.is_first()) processes.send(std::as_bytes(std::span(text)), 0);
  for (uint32_t process = 1; process < processes.count() && processes.is_first(); ++process)
    processes.receive(std::as_writable_bytes(std::span(texts[process])), process);
  for (std::string& one : texts) processes.broadcast(std::as_writable_bytes(std::span(one)));
  return texts;
}

std::vector<ProcessPlace> find_places(Processes& processes) {
  std::vector<uint64_t> hosts(processes.count());
  hosts[processes.index()] = processes.host();
  sum(processes, hosts);
  const std::vector<std::string> names = texts_of_all(processes, name_of_this_host());
  const std::vector<std::string> processors = texts_of_all(processes, processors_of_this_process());
  std::vector<ProcessPlace> places;
  for (uint32_t process = 0; process < processes.count(); ++process)
    places.push_back({uint32_t(hosts[process]), names[process], processors[process]});
  return places;
}

uint32_t local_index(const std::vector<ProcessPlace>& places, uint32_t process) {
  return uint32_t(
      std::count_if(places.begin(), places.begin() + process,
                    [&](const ProcessPlace& place) { return place.host == places[process].host; }));
}

uint32_t thread_count(const std::vector<ProcessPlace>& places, uint32_t process) {
  const ProcessPlace& own = places[process];
  uint32_t sharing = 0, before = 0;  // processes that share its processors; those with lower index
  for (uint32_t other = 0; other < places.size(); ++other) {
    if (other != process && !share_processors(own, places[other])) continue;
    ++sharing;
    if (other < process) ++before;
  }
  const auto processors = uint32_t(std::count(own.processors.begin(), own.processors.end(), '1'));
  return std::max(processors / sharing + (before < processors % sharing ? 1 : 0), 1u);
}

std::optional<Launch> find_launch(const EnvironmentVariables& environment) {
  struct Variables {
    const char *launcher, *index, *count;
  };
  constexpr Variables kOpenMpi{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"};
  constexpr Variables kPmi{"the launcher", "PMI_RANK", "PMI_SIZE"};
  constexpr Variables kMvapich{"mpirun_rsh", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"};
  constexpr Variables kJsm{"jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"};
  constexpr Variables kSlurm{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"};
  for (const Variables& variables : {kOpenMpi, kPmi, kMvapich, kJsm, kSlurm}) {
    const auto index = number_of(environment, variables.index);
    const auto count = number_of(environment, variables.count);
    if (!index || !count) continue;
    if (*count < 2 || *index >= *count) return std::nullopt;
    const bool is_slurm = variables.launcher == kSlurm.launcher;
    return Launch{variables.launcher, *index, *count, !is_slurm || environment("PMIX_RANK")};
  }
  // A step of srun --mpi=pmix with one task has PMIX_RANK, too, and is found above.
  if (const auto index = number_of(environment, "PMIX_RANK"))
    return Launch{.launcher = "a PMIx launcher", .index = *index};
  return std::nullopt;
}

}  // namespace winnow
