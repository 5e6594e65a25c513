// SPDX-License-Identifier: MIT
#include "ranks/ranks.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace winnow {
namespace {

class SingleRank : public Ranks {
 public:
  uint32_t rank() const override { return 0; }
  uint32_t count() const override { return 1; }
  uint32_t host() const override { return 0; }
  void start_sum(std::vector<uint64_t>&) override {}
  bool sum_is_complete() override { return true; }
  void broadcast(std::span<std::byte>) override {}
  std::unique_ptr<Transfer> start_send(std::span<const std::byte>, uint32_t) override {
    return nullptr;  // there is no other rank
  }
  std::unique_ptr<Transfer> start_receive(std::span<std::byte>, uint32_t) override {
    return nullptr;
  }
  void send(std::span<const std::byte>, uint32_t) override {}
  void receive(std::span<std::byte>, uint32_t) override {}
  void abort(int exit_code) override { std::exit(exit_code); }
};

}  // namespace

std::unique_ptr<Ranks> make_single_rank() {
  return std::make_unique<SingleRank>();
}

void sum(Ranks& ranks, std::vector<uint64_t>& values) {
  ranks.start_sum(values);
  nap_until([&] { return ranks.sum_is_complete(); });
}

bool any(Ranks& ranks, bool one) {
  std::vector<uint64_t> yes = {one};
  sum(ranks, yes);
  return yes[0] > 0;
}

std::string text_of_first(Ranks& ranks, std::string text) {
  text.resize(value_of_first(ranks, uint64_t(text.size())));
  ranks.broadcast(std::as_writable_bytes(std::span(text)));
  return text;
}

std::vector<std::string> texts_of_all(Ranks& ranks, const std::string& text) {
  std::vector<uint64_t> sizes(ranks.count());
  sizes[ranks.rank()] = text.size();
  sum(ranks, sizes);
  std::vector<std::string> texts(ranks.count());
  for (uint32_t rank = 0; rank < ranks.count(); ++rank) texts[rank].resize(sizes[rank]);
  texts[ranks.rank()] = text;
  if (!ranks.is_first()) ranks.send(std::as_bytes(std::span(text)), 0);
  for (uint32_t rank = 1; rank < ranks.count() && ranks.is_first(); ++rank)
    ranks.receive(std::as_writable_bytes(std::span(texts[rank])), rank);
  for (std::string& one : texts) ranks.broadcast(std::as_writable_bytes(std::span(one)));
  return texts;
}

}  // namespace winnow
