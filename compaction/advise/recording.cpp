// SPDX-License-Identifier: MIT
#include "compaction/advise/recording.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "compaction/tools/mask_file.h"

namespace compaction::advise {
namespace {

constexpr std::string_view kStepMagic = "CMPSTEPS";

/// Thrown where the file ends too soon.
struct CutOff {};

class RecordingReader {
 public:
  RecordingReader(const std::string& path, uint64_t bytes)
      : path_(path), file_(path, std::ios::binary), bytes_left_(bytes) {
    if (!file_) fail("cannot be read");
    get_array(kStepMagic.size(), magic_);
  }

  Recording read(bool accept_cut) {
    Recording recording;
    try {
      const uint32_t version = get<uint32_t>();
      if (version != 1 && version != 2)
        fail("has version " + std::to_string(version) +
             " of the format; this program reads 1 and 2");
      StepFormat& format = recording.format;
      format.state_bytes = get<uint32_t>();
      format.culled_every = get<uint32_t>();
      format.cost = StepCost(get<uint32_t>());
      if (format.cost > StepCost::kWork) fail("has costs of an unknown kind");
      if (version == 2) format.resident_warps = get<uint32_t>();
      constexpr uint32_t kMaxStateBytes = 1 << 20;
      if (format.state_bytes > kMaxStateBytes)
        fail("has items of " + std::to_string(format.state_bytes) + " bytes; at most " +
             std::to_string(kMaxStateBytes) + " are supported");
      while (read_part(recording)) {
      }
    } catch (const CutOff&) {
      const std::string steps = std::to_string(recording.steps.size());
      if (!accept_cut || recording.steps.empty())
        fail("is cut off after " + steps + " whole steps" +
             (recording.steps.empty() ? "" : "; --cut uses these"));
      recording.is_cut = true;
    }
    return recording;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw std::runtime_error("'" + path_ + "' " + reason);
  }

 private:
  template <class T>
  void get_array(uint64_t count, std::vector<T>& to) {
    // Checked before the allocation: the count may come from a corrupt file.
    if (count * sizeof(T) > bytes_left_) throw CutOff{};
    to.resize(count);
    if (!file_.read(reinterpret_cast<char*>(to.data()), std::streamsize(count * sizeof(T))))
      fail("cannot be read to its end");
    bytes_left_ -= count * sizeof(T);
    hash_ = StepFile::hash(hash_, to.data(), count * sizeof(T));
  }
  template <class T>
  T get() {
    std::vector<T> one;
    get_array(1, one);
    return one[0];
  }
  double get_time(const std::string& place) {
    const double time = get<double>();
    if (!std::isfinite(time) || time < 0)
      fail(place + " has a time that is not a number from 0 on");
    return time;
  }

  /// Returns false after the end.
  bool read_part(Recording& recording) {
    hash_ = StepFile::kHashBasis;
    const std::string place = "step " + std::to_string(recording.steps.size());
    const uint32_t kind = get<uint32_t>();
    if (kind == StepFile::kEnd) {
      if (get<uint32_t>() != recording.steps.size()) fail("lacks steps before its end");
      recording.frame_nanoseconds = get_time("the end");
      check_hash("its end");
      if (bytes_left_ > 0) fail("has " + std::to_string(bytes_left_) + " bytes after its end");
      return false;
    }
    if (kind != StepFile::kStep) fail("is damaged before " + place);
    if (recording.steps.size() == kMaxSteps)
      fail("has more than " + std::to_string(kMaxSteps) + " steps");
    const uint32_t n = get<uint32_t>(), active = get<uint32_t>();
    if (n == 0) fail(place + " has no items");
    if (n > kMaxItems)
      fail(place + " has " + std::to_string(n) + " items; at most " + std::to_string(kMaxItems) +
           " are supported");
    if (!recording.steps.empty() && n != recording.item_count)
      fail(place + " has " + std::to_string(n) + " items, and those before have " +
           std::to_string(recording.item_count));
    recording.item_count = n;
    Step step;
    step.nanoseconds = get_time(place);
    step.fixed_nanoseconds = get_time(place);
    if (step.fixed_nanoseconds > step.nanoseconds)
      fail(place + ": its fixed time is not part of it");
    get_array((uint64_t(n) + 31) / 32, step.words);
    get_array(active, step.classes);
    if (recording.format.cost != StepCost::kNone) get_array(active, step.costs);
    check_hash(place);
    for (uint8_t item_class : step.classes)
      if (item_class >= StepItems::kMaxClasses)
        fail(place + " has the class " + std::to_string(item_class) + "; at most " +
             std::to_string(StepItems::kMaxClasses) + " classes are supported");
    if (n % 32 && step.words.back() >> n % 32) fail(place + " has active items beyond its last");
    recording.steps.push_back(std::move(step));
    return true;
  }

  void check_hash(const std::string& place) {
    const uint32_t expected = hash_;
    if (get<uint32_t>() != expected) fail("is damaged in " + place);
  }

  std::string path_;
  std::ifstream file_;
  uint64_t bytes_left_;
  uint32_t hash_ = 0;
  std::vector<char> magic_;
};

/// Turns masks, of which each says what stays active after a step, into steps.
Recording from_masks(const std::string& path) {
  const std::vector<Mask> masks = read_masks(path);
  const auto fail = [&](const std::string& reason) {
    throw std::runtime_error("'" + path + "' " + reason);
  };
  if (masks.empty()) fail("has no steps");
  Recording recording;
  const uint32_t n = recording.item_count = masks[0].entries;
  if (n == 0 || n > kMaxItems) fail("has a first mask of " + std::to_string(n) + " entries");
  std::vector<uint32_t> items(n);  // entries of the recorded queue
  for (uint32_t i = 0; i < n; ++i) items[i] = i;
  std::vector<uint8_t> active(n, 1);
  for (size_t m = 0; m < masks.size(); ++m) {
    Step step;
    step.words.resize((uint64_t(n) + 31) / 32);
    for (uint32_t item = 0; item < n; ++item)
      if (active[item]) step.words[item / 32] |= uint32_t(1) << item % 32;
    step.classes.resize(size_t(std::count(active.begin(), active.end(), 1)));
    if (step.classes.empty()) break;
    recording.steps.push_back(std::move(step));
    std::vector<uint32_t> kept;
    for (uint32_t entry = 0; entry < masks[m].entries; ++entry)
      if (active[items[entry]]) {
        if (masks[m].selected(entry))
          kept.push_back(items[entry]);
        else
          active[items[entry]] = 0;
      }
    if (m + 1 == masks.size() || masks[m + 1].entries == items.size()) continue;
    if (masks[m + 1].entries != kept.size())
      fail("has a mask of " + std::to_string(masks[m + 1].entries) +
           " entries after one that keeps " + std::to_string(kept.size()));
    items = std::move(kept);
    recording.format.culled_every = 1;
  }
  return recording;
}

}  // namespace

bool Recording::has_times() const {
  return std::all_of(steps.begin(), steps.end(), [](const Step& s) { return s.nanoseconds > 0; });
}

bool Recording::only_ends() const {
  for (size_t s = 1; s < steps.size(); ++s)
    for (size_t w = 0; w < steps[s].words.size(); ++w)
      if (steps[s].words[w] & ~steps[s - 1].words[w]) return false;
  return true;
}

Recording read_recording(const std::string& path, bool accept_cut) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(path, error);
  if (error) throw std::runtime_error("'" + path + "' cannot be read: " + error.message());
  std::string magic(kStepMagic.size(), '\0');
  std::ifstream(path, std::ios::binary).read(magic.data(), std::streamsize(magic.size()));
  if (magic != kStepMagic && magic != "CMPMASKS")
    throw std::runtime_error("'" + path + "' is not a file of steps or masks");
  Recording recording =
      magic == kStepMagic ? RecordingReader(path, bytes).read(accept_cut) : from_masks(path);
  if (recording.steps.empty()) throw std::runtime_error("'" + path + "' has no steps");
  for (size_t s = 0; s < recording.steps.size(); ++s) {
    Step& step = recording.steps[s];
    uint32_t before = 0;
    for (uint32_t word : step.words) {
      step.before.push_back(before);
      before += uint32_t(std::popcount(word));
    }
    if (before != step.active_count())
      throw std::runtime_error("'" + path + "' step " + std::to_string(s) + " has " +
                               std::to_string(before) + " bits set for " +
                               std::to_string(step.active_count()) + " active items");
    for (uint8_t item_class : step.classes)
      recording.class_count = std::max(recording.class_count, item_class + 1u);
  }
  return recording;
}

}  // namespace compaction::advise
