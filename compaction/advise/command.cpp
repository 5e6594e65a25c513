// SPDX-License-Identifier: MIT
#include "compaction/advise/command.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/advise/report.h"

namespace compaction::advise {
namespace {

constexpr const char* kHelp =
    R"(compaction-advise FILE [OPTION...]
compaction-advise --measure-device

Says what culling would gain a program. FILE is a file of steps, which the program has written
(compaction/record/record_steps.h), or a file of masks of `winnow render --record-masks`. For each
way to cull, the program is replayed: lane occupancy, passes, and the expected time of a frame.

  --every LIST         also cull at intervals of so many steps (2,4,8,16)
  --slots N            slots of regeneration (an eighth of the items)
  --slot-state         with regeneration, the state of an item is in its slot, not its own
  --state-bytes N      bytes of the state of an item, instead of those of the file
  --device-model FILE  constants of a GPU, as --measure-device prints them. Passes are not measured
  --no-gpu             use the constants of an NVIDIA H200, also if there is a GPU
  --cut                use the whole steps of a file that is cut off
  --json FILE          also write all numbers; - prints them, and nothing else
  -o PAGE.html         also write a page with a plot
  --measure-device     print the constants of this GPU

Exit status: 0, or 2 if the file or the options cannot be used.
)";

[[noreturn]] void refuse(const std::string& text) {
  throw std::runtime_error(text);
}

uint32_t number_of(const std::string& option, const std::string& text, uint32_t min, uint32_t max) {
  uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < min || number > max)
    refuse(option + " " + text + " is not a whole number from " + std::to_string(min) + " to " +
           std::to_string(max));
  return number;
}

struct Options {
  std::string file, device_model, json, page;
  std::vector<uint32_t> every = {2, 4, 8, 16};
  std::optional<uint32_t> slots, state_bytes;
  bool slot_state = false, no_gpu = false, accept_cut = false, measure_device = false, help = false;
};

std::vector<uint32_t> parse_list(const std::string& option, const std::string& text) {
  std::vector<uint32_t> list;
  for (size_t start = 0, end; start <= text.size(); start = end + 1) {
    end = std::min(text.find(',', start), text.size());
    list.push_back(number_of(option, text.substr(start, end - start), 1, kMaxSteps));
  }
  return list;
}

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  const std::map<std::string, bool*> flags = {
      {"--no-gpu", &options.no_gpu},  {"--slot-state", &options.slot_state},
      {"--cut", &options.accept_cut}, {"--measure-device", &options.measure_device},
      {"--help", &options.help},      {"-h", &options.help}};
  const std::map<std::string, std::string*> texts = {
      {"--device-model", &options.device_model}, {"--json", &options.json}, {"-o", &options.page}};
  for (size_t i = 0; i < arguments.size() && !options.help; ++i) {
    const std::string& option = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == arguments.size()) refuse(option + " needs a value");
      return arguments[++i];
    };
    if (flags.contains(option))
      *flags.at(option) = true;
    else if (texts.contains(option))
      *texts.at(option) = value();
    else if (option == "--every")
      options.every = parse_list(option, value());
    else if (option == "--slots")
      options.slots = number_of(option, value(), 1, kMaxItems);
    else if (option == "--state-bytes")
      options.state_bytes = number_of(option, value(), 0, 1 << 20);
    else if (option.starts_with("-"))
      refuse("unknown option " + option + "; see --help");
    else if (options.file.empty())
      options.file = option;
    else
      refuse(option + " is a second file; give only one");
  }
  if (options.page == "-") refuse("-o - is not a file; only --json can be printed");
  if (!options.page.empty() && options.page == options.json)
    refuse("-o and --json name the same file");
  if (options.file.empty() && !options.help && !options.measure_device)
    refuse("no file is given; see --help");
  return options;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) refuse("cannot write '" + path + "'");
}

std::vector<Strategy> strategies_for(const Options& options, const Recording& recording) {
  std::vector<Strategy> all = {{.kind = Strategy::kNone}, {.kind = Strategy::kCull}};
  for (const uint32_t every : options.every)
    if (every > 1 && every < recording.steps.size())
      all.push_back({.kind = Strategy::kCull, .every = every});
  if (recording.format.state_bytes > 0) all.push_back({.kind = Strategy::kMove});
  if (recording.class_count > 1) all.push_back({.kind = Strategy::kClass});
  constexpr uint32_t kItemsPerSlot = 8;
  const uint32_t slots = options.slots.value_or(std::max(1u, recording.item_count / kItemsPerSlot));
  all.push_back({.kind = Strategy::kRegenerate,
                 .every = 1,
                 .slots = slots,
                 .state_in_slots = options.slot_state});
  return all;
}

}  // namespace

std::string run(const std::vector<std::string>& arguments, const Gpu& gpu) {
  const Options options = parse_options(arguments);
  if (options.help) return kHelp;
  const bool uses_gpu =
      gpu.exists && !options.no_gpu && options.device_model.empty() && gpu.exists();
  if (options.measure_device && !uses_gpu)
    refuse("there is no GPU, or this program was built without CUDA");
  if (options.measure_device) return device_model_text(gpu.measure());
  Recording recording = read_recording(options.file, options.accept_cut);
  if (options.state_bytes) recording.format.state_bytes = *options.state_bytes;
  const DeviceModel device = uses_gpu ? gpu.measure()
                             : options.device_model.empty()
                                 ? built_in_device()
                                 : read_device_model(options.device_model);
  const PassTimes pass_times = [&](const Strategy& strategy, const std::vector<StepLoad>& loads) {
    if (uses_gpu && strategy.kind != Strategy::kNone && strategy.kind != Strategy::kRegenerate)
      return gpu.time_passes(recording, strategy);
    std::vector<double> times;
    for (const StepLoad& load : loads)
      times.push_back(pass_nanoseconds(device, load, strategy.kind, recording.format.state_bytes));
    return times;
  };
  const Advice advice =
      compaction::advise::advise(recording, strategies_for(options, recording), device, pass_times);
  const Subject subject{options.file, recording, advice, device, uses_gpu, options.slot_state};
  if (!options.page.empty()) write_file(options.page, report_page(subject));
  if (options.json == "-") return report_json(subject);
  if (!options.json.empty()) write_file(options.json, report_json(subject));
  return report_text(subject);
}

}  // namespace compaction::advise
