// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/watcher.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "compaction/learn/judge/launcher.h"
#include "compaction/simt/host/source_lines.h"

// Defined by the linker: the bounds of the program and of its static variables.
extern "C" char __executable_start, __data_start, _end;

namespace compaction::judge {

using simt::host::BlockState;
using simt::host::Executor;
using simt::host::Finding;
using simt::host::MemoryAccess;

namespace {

constexpr std::string_view kMark = "{code ";

// A thread that reads one address this often in a row yields to other threads.
constexpr unsigned kReadsOfASpin = 64;
constexpr unsigned kAtomicReadsOfASpin = 2;

std::string bytes_of(size_t size) {
  return size == 1 ? "1 byte" : std::to_string(size) + " bytes";
}

/// Returns the offset of `address` in the shared memory of the running block, in bytes. It wraps to
/// a huge number for addresses before it.
size_t offset_in_shared(const void* address) {
  return size_t(static_cast<const std::byte*>(address) -
                reinterpret_cast<const std::byte*>(
                    Executor::Scheduler::current->running().block->shared.data()));
}

std::string place_of(const simt::host::SourceLine& line, uintptr_t code) {
  if (line.line == 0) return "code " + std::to_string(code);
  return line.file.substr(line.file.rfind('/') + 1) + ":" + std::to_string(line.line);
}

}  // namespace

std::string code_mark(const void* code) {
  return std::string(kMark) + std::to_string(uintptr_t(code)) + "}";
}

std::string with_source_lines(std::string text) {
  for (size_t start; (start = text.find(kMark)) != std::string::npos;) {
    const uintptr_t code = strtoull(text.c_str() + start + kMark.size(), nullptr, 10);
    const size_t end = text.find('}', start) + 1;
    text.replace(start, end - start, place_of(simt::host::source_lines({code})[0], code));
  }
  return text;
}

bool Watcher::is_static(const void* address) {
  return address >= &__data_start && address < &_end;
}

Watcher& Watcher::instance() {
  static Watcher watcher;
  return watcher;
}

std::optional<Violation> Watcher::take_violation() {
  return std::exchange(violation_, {});
}

void Watcher::report(Violation violation) {
  if (!violation_) violation_ = std::move(violation);
}

void Watcher::set_host_array(const void* start, size_t bytes, std::string name) {
  host_arrays_.push_back({start, bytes, std::move(name)});
}

uint32_t Watcher::thread() const {
  const simt::host::Thread& running = Executor::Scheduler::current->running();
  return running.block->index * order.block_size() + running.rank;
}

void Watcher::run(const Executor::Launch& launch, size_t shared_bytes) {
  if (!executor)
    throw std::logic_error("a kernel is launched outside of a call of the judged function");
  const DeviceMemory::Opened opened(memory);
  shared_bytes_ = shared_bytes;
  executor->run(launch);
  if (violation_) throw CallEnded{};
}

// ---- events of the executor

void Watcher::start_launch(const Executor::Launch& launch) {
  const Pause pause;
  ++counts.launches;
  order.start_launch(launch.blocks, launch.block_size);
  spins_.assign(size_t(launch.blocks) * launch.block_size, {});
  last_block_ = nullptr;
}

void Watcher::start_block(BlockState& block) {
  const Pause pause;
  SharedMemory& shared = shared_of(block);
  const size_t bytes = block.shared.size() * Executor::kSharedAlignment;
  shared.history.reset(bytes);
  shared.is_allowed.assign(bytes, 0);
  std::fill_n(shared.is_allowed.begin(), std::min(bytes, shared_bytes_), uint8_t(1));
}

void Watcher::open_barrier(BlockState& block, const simt::host::Barrier& barrier) {
  const Pause pause;
  using simt::host::Collective;
  if (&barrier == &block.barrier) {
    ++counts.barriers;
    order.open_block_barrier(block.index);
  } else if (barrier.call == Collective::kSyncWarp) {
    order.open_warp_barrier(block.index * order.block_size() + barrier.first, barrier.size);
  }
}

void Watcher::end_launch() {
  const Pause pause;
  if (counts_banks) counts.bank_conflicts += banks_.take();
}

Watcher::SharedMemory& Watcher::shared_of(const BlockState& block) {
  if (&block != last_block_) {
    last_block_ = &block;
    last_shared_ = &shared_[&block];
  }
  return *last_shared_;
}

void Watcher::allow_shared(const void* start, size_t bytes) {
  const Pause pause;
  note_shared();
  const BlockState& block = *Executor::Scheduler::current->running().block;
  std::vector<uint8_t>& is_allowed = shared_of(block).is_allowed;
  std::fill_n(is_allowed.begin() + std::ptrdiff_t(offset_in_shared(start)), bytes, uint8_t(1));
}

// ---- events of the compiler's hooks

void Watcher::access(const MemoryAccess& access) noexcept {
  const size_t offset = offset_in_shared(access.address);
  if (memory.contains(access.address))
    access_device(access);
  else if (offset < Executor::Scheduler::current->launch().shared_size)
    access_shared(access, offset);
  else
    access_other(access);
  if (access.is_atomic()) order.atomic(thread(), access);
  if (recorder) recorder->access(access);
}

void Watcher::access_device(const MemoryAccess& access) {
  if (access.reads()) counts.bytes_read += access.size;
  if (access.writes()) counts.bytes_written += access.size;
  Allocation* array = memory.find(access.address);
  if (!array) return report_out_of_range(access, "device memory before the first array");
  const size_t offset = uintptr_t(access.address) - array->start;
  if (array->is_freed) return report_out_of_range(access, array->name + " (already freed)");
  if (offset + access.size > array->bytes)
    return report_out_of_range(access, array->name + " at byte " + std::to_string(offset) +
                                           " (its size is " + bytes_of(array->bytes) + ")");
  report(array->history.add(offset, order, access, now(access)), access, array->name);
}

void Watcher::access_shared(const MemoryAccess& access, size_t offset) {
  SharedMemory& shared = shared_of(*Executor::Scheduler::current->running().block);
  if (offset + access.size > shared.is_allowed.size() || !shared.is_allowed[offset] ||
      !shared.is_allowed[offset + access.size - 1])
    return report_out_of_range(access, "shared memory outside of its arrays");
  has_volatile_shared |= access.order == MemoryAccess::Order::kVolatile;
  const simt::host::Access now = this->now(access);
  report(shared.history.add(offset, order, access, now), access, "shared memory");
  if (!counts_banks) return;
  banks_.add({.thread = now.thread,
              .warp = order.warp_of(now.thread),
              .block_time = now.block_time,
              .warp_time = now.warp_time,
              .code = now.code},
             uint32_t(offset));
}

/// Memory that the judge did not allocate: static variables, arrays in host memory, the stack.
void Watcher::access_other(const MemoryAccess& access) {
  const uintptr_t address = uintptr_t(access.address);
  for (const HostArray& array : host_arrays_)
    if (address - uintptr_t(array.start) < array.bytes)
      return report_out_of_range(access, array.name + " (in host memory: copy it to the device)");
  if (!is_static(access.address)) return check_host_memory(access);
  constexpr size_t kWord = 4;  // bytes
  for (size_t i = 0; i < access.size; i += kWord) {
    simt::host::Cell& cell = variables_[(address + i) / kWord];
    cell.is_written = true;
    report(cell.add(order, access, now(access)), access, "a static variable");
  }
}

/// Reports an access of a kernel in CUDA's syntax to memory that is neither its own nor the
/// device's. Kernels of simt.h read objects of the executor, so that theirs are not judged.
void Watcher::check_host_memory(const MemoryAccess& access) {
  constexpr size_t kStack = size_t(64) << 10;  // bytes of the stack of a thread
  constexpr size_t kBeside = size_t(512)
                             << 10;  // bytes around shared memory that a wrong index hits
  const uintptr_t address = uintptr_t(access.address);
  const auto is_in = [&](const void* start, size_t bytes) {
    return address - uintptr_t(start) < bytes;
  };
  const auto frame = uintptr_t(__builtin_frame_address(0));
  if (!parameters_ || is_in(parameters_, parameter_bytes_)) return;
  if (address - (frame - kStack) < 2 * kStack) return;
  if (is_in(&__executable_start, size_t(&_end - &__executable_start))) return;
  const bool is_beside_shared =
      uses_shared_ && offset_in_shared(access.address) + kBeside < 2 * kBeside;
  report_out_of_range(access, is_beside_shared
                                  ? "shared memory outside of its arrays"
                                  : "memory of the host (allocate it with cudaMalloc and copy)");
  // The access would change the program's own memory.
  if (access.writes()) std::raise(kSignalOfViolation);
}

simt::host::Access Watcher::now(const MemoryAccess& access) const {
  simt::host::Access now = order.now(thread());
  now.code = access.code;
  if (recorder) now.event = uint32_t(recorder->next_event());
  return now;
}

void Watcher::fence(const void* code) noexcept {
  order.fence(thread());
  if (recorder) recorder->fence(code);
}

void Watcher::release(simt::host::SharedClock& to) {
  const Pause pause;
  order.release(thread(), to);
}

void Watcher::acquire(const simt::host::SharedClock& from) {
  const Pause pause;
  order.acquire(thread(), from);
}

void Watcher::before_read(const void* address, MemoryAccess::Order memory_order) {
  const bool is_atomic = memory_order != MemoryAccess::Order::kPlain;
  if (!is_atomic && !memory.contains(address) &&
      offset_in_shared(address) >= Executor::Scheduler::current->launch().shared_size)
    return;  // no other thread can write there
  Spin& spin = spins_[thread()];
  if (spin.address != address) {
    spin = {address, 1};
    return;
  }
  if (++spin.count < (is_atomic ? kAtomicReadsOfASpin : kReadsOfASpin)) return;
  Executor::Scheduler::current->back_off(std::source_location());
}

// ---- messages

std::string Watcher::name_of(uint32_t thread) const {
  return "thread " + std::to_string(order.rank_of(thread)) + " of block " +
         std::to_string(order.block_of(thread));
}

std::string Watcher::describe(const MemoryAccess& access, const std::string& place) const {
  const char* verb = access.reads() && access.writes() ? " updates "
                     : access.writes()                 ? " writes "
                                                       : " reads ";
  return name_of(thread()) + verb + bytes_of(access.size) + " of " + place + " at " +
         code_mark(access.code);
}

void Watcher::report(const Finding& finding, const MemoryAccess& access, const std::string& place) {
  if (finding.kind == Finding::Kind::kNone || violation_) return;
  if (recorder) recorder->report(finding, access);
  if (finding.kind == Finding::Kind::kPoison)
    return report({Mistake::kPoison,
                   describe(access, place) +
                       ", which no thread has written yet; "
                       "if another thread writes it, a barrier is missing before this read"});
  const simt::host::Access& before = finding.before;
  report({Mistake::kRace, describe(access, place) + ", which " + name_of(before.thread) +
                              (finding.before_writes ? " writes" : " reads") + " at " +
                              code_mark(before.code) + "; nothing orders the two: " +
                              remedy(before.thread, finding.before_writes && access.writes())});
}

std::string Watcher::remedy(uint32_t before, bool both_write) const {
  if (order.block_of(before) != order.block_of(thread()))
    return both_write
               ? "blocks run in any order; each needs a place of its own, or an atomic"
               : "no barrier orders blocks; a fence (__threadfence()) is missing between the "
                 "store and an atomic that tells of it, or between the atomic that the "
                 "reader has read and the load; or use two launches";
  const std::string barrier =
      order.warp_of(before) == order.warp_of(thread())
          ? "__syncwarp() or __syncthreads(), as the threads of a warp do not run in step"
          : "__syncthreads()";
  return both_write
             ? "each thread needs a place of its own, or a barrier is missing (" + barrier + ")"
             : "a barrier is missing between them (" + barrier + ")";
}

void Watcher::report_out_of_range(const MemoryAccess& access, const std::string& place) {
  if (violation_) return;
  const std::string text = describe(access, place);
  if (recorder)
    recorder->fail_at(access, access.writes() ? "stores out of range" : "loads out of range", text);
  report({Mistake::kOutOfRange, text});
}

// ---- functions of launcher.h

void Launcher::run(simt::host::Executor::Launch launch) {
  constexpr size_t kGuard = 1024;  // bytes after shared memory in which a wrong index is detected
  const size_t shared_bytes = launch.shared_size;
  launch.shared_size += kGuard;
  Watcher::instance().run(launch, shared_bytes);
}

void* device_bytes(size_t bytes) {
  Watcher& watcher = Watcher::instance();
  void* array = watcher.memory.allocate(bytes, "");
  const DeviceMemory::Opened opened(watcher.memory);
  if (watcher.recorder)
    watcher.recorder->watch(watcher.memory.find(array)->name, array, bytes,
                            simt::host::Cells::kU32);
  return array;
}

void device_memset(void* to, int value, size_t bytes) {
  const DeviceMemory::Opened opened(Watcher::instance().memory);
  std::memset(to, value, bytes);
  Watcher::instance().memory.set_written(to, bytes);
}

void device_write(void* to, const void* from, size_t bytes) {
  const DeviceMemory::Opened opened(Watcher::instance().memory);
  std::memcpy(to, from, bytes);
  Watcher::instance().memory.set_written(to, bytes);
}

void note_missing_const() {
  Watcher::instance().input_lacks_const = true;
}

}  // namespace compaction::judge
