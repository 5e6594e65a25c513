// SPDX-License-Identifier: MIT
// The programs of compaction/examples/steps on the host executor: culling does not change their
// results, and their records hold what they did.

#include "compaction/record/record_steps.h"

#include <gmock/gmock.h>

#include <fstream>

#include "compaction/advise/replay.h"
#include "compaction/examples/steps/held_out_programs.h"
#include "compaction/examples/steps/programs.h"
#include "compaction/examples/steps/variants.h"
#include "compaction/simt/host/executor.h"
#include "tests/support/folder_test.h"

namespace record_steps_test {

using namespace steps;
using compaction::StepCost;
using compaction::StepFile;
using compaction::StepItems;

constexpr uint32_t kItems = 500;

/// Memory of the programs.
struct Slab {
  using Program = NeutronSlab;
  std::vector<float> x = std::vector<float>(kItems), mu = x, energy = x;
  std::vector<uint64_t> random = std::vector<uint64_t>(kItems);
  std::vector<uint8_t> material = std::vector<uint8_t>(kItems);

  Program program() { return {x.data(), mu.data(), energy.data(), random.data(), material.data()}; }
  std::vector<float> result() const { return energy; }
};
struct Sampler {
  using Program = RejectionSampler;
  std::vector<uint8_t> kind = std::vector<uint8_t>(kItems);
  std::vector<float> value = std::vector<float>(kItems);
  std::vector<uint64_t> random = std::vector<uint64_t>(kItems);

  Program program() { return {kind.data(), value.data(), random.data()}; }
  std::vector<float> result() const { return value; }
};
struct Search {
  using Program = BreadthFirstSearch;
  static constexpr uint32_t kWorkOfFirst = 40;
  std::vector<uint32_t> offsets, neighbours, distances = std::vector<uint32_t>(kItems);

  Search() {  // a ring; every 50th vertex has a long row
    for (uint32_t v = 0; v < kItems; ++v) {
      offsets.push_back(uint32_t(neighbours.size()));
      for (uint32_t i = 1; i <= (v % 50 == 0 ? 40u : 3u); ++i)
        neighbours.push_back((v + i * i) % kItems);
    }
    offsets.push_back(uint32_t(neighbours.size()));
  }
  Program program() { return {offsets.data(), neighbours.data(), distances.data()}; }
  std::vector<uint32_t> result() const { return distances; }
};

struct Probes {
  using Program = HashProbes;
  std::vector<uint32_t> table = Program::make_table(kItems, 0.85),
                        place = std::vector<uint32_t>(kItems), found = place;

  Program program() {
    return {table.data(), uint32_t(table.size()) - 1, place.data(), found.data()};
  }
  std::vector<uint32_t> result() const { return found; }
};
struct Events {
  using Program = RandomEvents;
  std::vector<uint8_t> model = std::vector<uint8_t>(kItems);
  std::vector<uint32_t> first = std::vector<uint32_t>(kItems), second = first;
  std::vector<float> time = std::vector<float>(kItems);
  std::vector<uint64_t> random = std::vector<uint64_t>(kItems);

  Program program() {
    return {model.data(), first.data(), second.data(), time.data(), random.data()};
  }
  std::vector<uint32_t> result() const { return first; }
};
struct Particles {
  using Program = FlowParticles;
  std::vector<Program::Vector> flow = Program::make_flow();
  std::vector<float> x = std::vector<float>(kItems), y = x, z = x, age = x;

  Program program() { return {flow.data(), x.data(), y.data(), z.data(), age.data()}; }
  std::vector<float> result() const { return x; }
};

struct Points {
  using Program = EscapeTime;
  std::vector<float> re = std::vector<float>(kItems), im = re;
  std::vector<uint32_t> iterations = std::vector<uint32_t>(kItems);

  Program program() { return {22, re.data(), im.data(), iterations.data()}; }
  std::vector<uint32_t> result() const { return iterations; }
};
struct Oscillators {
  using Program = AdaptiveOscillators;
  std::vector<uint8_t> kind = std::vector<uint8_t>(kItems);
  std::vector<float> x = std::vector<float>(kItems), v = x, time = x, h = x;

  Program program() { return {kind.data(), x.data(), v.data(), time.data(), h.data()}; }
  std::vector<float> result() const { return x; }
};
struct Equations {
  using Program = TriangularSolve;
  static constexpr uint32_t kWorkOfFirst = 1;  // a row without entries
  Program::Matrix matrix = Program::make_matrix(kItems);
  std::vector<float> unknowns = std::vector<float>(kItems);

  Program program() {
    return {matrix.offsets.data(), matrix.columns.data(), matrix.levels.data(), unknowns.data()};
  }
  std::vector<float> result() const { return unknowns; }
};
struct Rays {
  using Program = HillRays;
  std::vector<float> heights = Program::make_hills(), distance = std::vector<float>(kItems);

  Program program() { return {heights.data(), distance.data()}; }
  std::vector<float> result() const { return distance; }
};

template <class Memory>
class Programs : public testing::Test {
 protected:
  using Program = typename Memory::Program;

  Programs() {
    buffers_ = {.all = lists_[0].data(),
                .list = {lists_[1].data(), lists_[2].data()},
                .counts = counts_.data(),
                .workspace = {workspace_.data(), workspace_.size()}};
  }

  template <class Record>
  void run_variant(const Variant& variant, uint32_t step_count, Record record) {
    std::fill(counts_.begin(), counts_.end(), 0u);
    start(executor_, memory_.program(), kItems, buffers_, variant, 2);
    run_steps(
        executor_, memory_.program(), kItems, buffers_, variant, step_count, 2, [](uint32_t) {},
        record);
  }
  uint32_t active_count(uint32_t step) {
    const Program now = memory_.program().at(step);
    uint32_t count = 0;
    for (uint32_t item = 0; item < kItems; ++item) count += now.is_active(item);
    return count;
  }

  Memory memory_;
  std::vector<uint32_t> lists_[3] = {std::vector<uint32_t>(kItems), std::vector<uint32_t>(kItems),
                                     std::vector<uint32_t>(kItems)};
  std::vector<uint32_t> counts_ = std::vector<uint32_t>(kCountWords);
  std::vector<std::byte> workspace_ = std::vector<std::byte>(workspace_bytes<Program>(kItems));
  Buffers buffers_;
  simt::host::Executor executor_{
      {.order = simt::host::Order::kShuffled, .seed = 1, .resident_blocks = 2}};
};

using All = testing::Types<Slab, Sampler, Search, Probes, Events, Particles, Points, Oscillators,
                           Equations, Rays>;
TYPED_TEST_SUITE(Programs, All);

TYPED_TEST(Programs, HaveTheSameResultWithAndWithoutCullingAndRecordTheirSteps) {
  using Program = typename TypeParam::Program;
  const auto nothing = [](uint32_t) { return StepItems{}; };
  const winnow::TemporaryFolder folder("record_steps");
  const std::string path = (folder.path / "a.steps").string();

  std::ofstream stream(path, std::ios::binary);
  StepFile file(stream, {.state_bytes = Program::kStateBytes, .cost = Program::kCost});
  std::vector<uint8_t> classes(kItems);
  std::vector<uint32_t> costs(kItems), active;
  uint32_t step_count = 0;
  for (;; ++step_count) {  // a step more each time: what it recorded is then complete
    std::fill(classes.begin(), classes.end(), StepItems::kInactive);
    this->run_variant({}, step_count + 1, [&](uint32_t step) {
      if (step == step_count) active.push_back(this->active_count(step));
      return step == step_count ? StepItems{classes.data(), costs.data()} : StepItems{};
    });
    if (active.back() == 0) break;
    file.add(classes.data(), costs.data(), kItems);
  }
  file.finish();
  const auto expected = this->memory_.result();
  ASSERT_GT(step_count, 4u);

  const auto recording = compaction::advise::read_recording(path, false);
  ASSERT_EQ(recording.steps.size(), step_count);
  for (uint32_t step = 0; step < step_count; ++step)
    EXPECT_EQ(recording.steps[step].active_count(), active[step]);
  EXPECT_EQ(recording.class_count, Program::kClasses);
  if constexpr (Program::kCost == StepCost::kWork) {
    EXPECT_EQ(recording.steps[0].cost_of(0), TypeParam::kWorkOfFirst);
  }

  this->run_variant({.cull = Cull::kEvery}, step_count, nothing);
  EXPECT_EQ(this->memory_.result(), expected);
  this->run_variant({.cull = Cull::kClass}, step_count, nothing);
  EXPECT_EQ(this->memory_.result(), expected);
  if (!Program::kOnlyEnds) return;
  this->run_variant({.cull = Cull::kEvery, .every = 3}, step_count, nothing);
  EXPECT_EQ(this->memory_.result(), expected);
  const compaction::advise::Strategy slots{
      .kind = compaction::advise::Strategy::kRegenerate, .every = 1, .slots = 100};
  const auto loads = compaction::advise::replay(recording, slots);
  this->run_variant({.cull = Cull::kRegenerate, .slots = 100}, uint32_t(loads.size()) + 2, nothing);
  EXPECT_EQ(this->memory_.result(), expected);
}

TEST(HashProbes, FindEverySecondKeyOfTheTable) {
  Probes memory;
  const HashProbes program = memory.program();
  uint32_t found = 0;
  for (uint32_t i = 0; i < kItems; ++i) {
    program.start(i);
    while (program.is_active(i)) program.step(i);
    const uint32_t at = memory.found[i];
    if (at == HashProbes::kEnded) continue;
    EXPECT_EQ(memory.table[at], HashProbes::key_of(i));
    ++found;
  }
  EXPECT_EQ(found, kItems / 2);
}

TEST(StepItems, RecordNothingWithoutAnArray) {
  StepItems{}.record(7, true, 1, 2);
  uint8_t item_class = 0;
  uint32_t cost = 0;
  StepItems{&item_class, &cost}.record(0, true, 2, uint64_t(1) << 40);
  EXPECT_EQ(item_class, 2);
  EXPECT_EQ(cost, ~0u);
  StepItems{&item_class}.record(0, false);
  EXPECT_EQ(item_class, StepItems::kInactive);
}

}  // namespace record_steps_test
