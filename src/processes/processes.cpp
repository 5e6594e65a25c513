// SPDX-License-Identifier: MIT
#include "processes/processes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

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

}  // namespace winnow
