#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace compaction::bench {

inline constexpr const char* kUsage =
    R"(usage: compaction_bench [OPTION...]

Times the algorithms of compaction/ beside CUB's, Thrust's and a copy of as many bytes, in one
process, and checks the buffers that it timed.

  --suite LIST    of select,partition,scan,reduce,soa,append,ladder (all)
  --n LIST        items: 1000, 2^20, 2^10..2^30 for all powers of two, 2^10..2^30:4 for every second
                  (2^10..2^30:4; the ladder 2^16,2^20,2^28)
  --keep LIST     percent of the items that are kept (1,10,50,90,99)
  --type LIST     bytes of an item, of 1,4,8,16 (all)
  --masks FILE    replays what `winnow render --record-masks FILE` recorded: the selection after each
                  bounce of a real render; alone, or besides the suites of --suite where it is given
  --repeat N      samples of each time (21)
  --flush KIND    empties L2 before each cold call by: write, read of a large buffer (write)
  --quick         less of everything, in under two minutes on an H200: 2^12..2^28:16, 10,50,90 %,
                  4 and 16 bytes, 9 samples
  --json FILE     writes the results there, too
  --help
)";

/// A mistake in the arguments; what() says which and is one line.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How L2 is emptied: by writing, which leaves lines that the next kernel has to write back, or by
/// reading.
enum class Flush { kWrite, kRead };

inline const std::vector<std::string>& all_suites() {
  static const std::vector<std::string> all = {"select", "partition", "scan",  "reduce",
                                               "soa",    "append",    "ladder"};
  return all;
}

/// What to measure.
struct Options {
  std::vector<std::string> suites = all_suites();
  std::vector<uint64_t> sizes;         ///< items
  std::vector<uint64_t> ladder_sizes;  ///< items, for the suite "ladder"
  std::vector<double> keep;            ///< %
  std::vector<unsigned> item_bytes;
  int repeats = 0;
  Flush flush = Flush::kWrite;
  bool quick = false;
  bool help = false;
  std::string masks_path;  ///< empty: none
  std::string json_path;   ///< empty: none
};

inline constexpr uint64_t kMaxItems = uint64_t(1) << 30;  // CUB is given the number as an int

/// A whole number in [1, max], also as a power such as 2^20.
inline uint64_t parse_number(std::string_view text, uint64_t max, const std::string& what) {
  auto fail = [&]() -> uint64_t {
    throw UsageError(what + ": '" + std::string(text) + "' is not a number from 1 to " +
                     std::to_string(max));
  };
  auto digits = [&](std::string_view part) {
    constexpr uint64_t kBase = 10;
    uint64_t value = 0;
    if (part.empty()) fail();
    for (char c : part) {
      if (c < '0' || c > '9' || value > max) fail();
      value = kBase * value + uint64_t(c - '0');
    }
    return value;
  };
  uint64_t value = 0;
  if (text.starts_with("2^")) {
    constexpr uint64_t kMaxShift = 63;
    uint64_t exponent = digits(text.substr(2));
    value = exponent <= kMaxShift ? uint64_t(1) << exponent : fail();
  } else {
    value = digits(text);
  }
  return value >= 1 && value <= max ? value : fail();
}

inline std::vector<std::string_view> split(std::string_view list, char separator) {
  std::vector<std::string_view> parts;
  for (size_t start = 0;;) {
    size_t end = list.find(separator, start);
    parts.push_back(list.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

/// "1000,2^10..2^14,2^16..2^20:4": numbers, and ranges that grow by a factor, 2 unless given.
inline std::vector<uint64_t> parse_sizes(std::string_view list) {
  std::vector<uint64_t> sizes;
  for (std::string_view part : split(list, ',')) {
    size_t dots = part.find(".."), colon = part.find(':');
    if (dots == std::string_view::npos) {
      sizes.push_back(parse_number(part, kMaxItems, "--n"));
      continue;
    }
    uint64_t factor = 2;
    if (colon != std::string_view::npos) {
      factor = parse_number(part.substr(colon + 1), kMaxItems, "--n");
      part = part.substr(0, colon);
    }
    uint64_t first = parse_number(part.substr(0, dots), kMaxItems, "--n");
    uint64_t last = parse_number(part.substr(dots + 2), kMaxItems, "--n");
    if (first > last || factor < 2)
      throw UsageError("--n: '" + std::string(part) + "' is an empty or endless range");
    for (uint64_t n = first; n <= last; n *= factor) sizes.push_back(n);
  }
  return sizes;
}

inline std::vector<double> parse_keep(std::string_view list) {
  std::vector<double> keep;
  for (std::string_view part : split(list, ',')) {
    size_t used = 0;
    double percent = -1;
    try {
      percent = std::stod(std::string(part), &used);
    } catch (const std::exception&) {
    }
    constexpr double kAll = 100;
    if (part.empty() || used != part.size() || !(percent >= 0 && percent <= kAll))
      throw UsageError("--keep: '" + std::string(part) + "' is not a percentage from 0 to 100");
    keep.push_back(percent);
  }
  return keep;
}

inline std::vector<std::string> parse_suites(std::string_view list) {
  std::vector<std::string> suites;
  for (std::string_view part : split(list, ',')) {
    bool known = false;
    for (const std::string& suite : all_suites()) known = known || suite == part;
    if (!known) throw UsageError("--suite: there is no '" + std::string(part) + "'; see --help");
    suites.emplace_back(part);
  }
  return suites;
}

inline std::vector<unsigned> parse_item_bytes(std::string_view list) {
  std::vector<unsigned> all;
  for (std::string_view part : split(list, ',')) {
    if (part != "1" && part != "4" && part != "8" && part != "16")
      throw UsageError("--type: '" + std::string(part) + "' is not one of 1, 4, 8, 16 bytes");
    all.push_back(unsigned(std::stoul(std::string(part))));
  }
  return all;
}

/// Throws UsageError.
///
/// @param arguments  without the program's name
inline Options parse_options(std::span<const char* const> arguments) {
  Options options;
  bool suites_given = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string name = arguments[i];
    auto value = [&]() -> std::string_view {
      if (i + 1 == arguments.size()) throw UsageError(name + " needs a value; see --help");
      return arguments[++i];
    };
    constexpr uint64_t kMaxRepeats = 10'000;
    if (name == "--suite") {
      options.suites = parse_suites(value());
      suites_given = true;
    } else if (name == "--n")
      options.sizes = options.ladder_sizes = parse_sizes(value());
    else if (name == "--keep")
      options.keep = parse_keep(value());
    else if (name == "--type")
      options.item_bytes = parse_item_bytes(value());
    else if (name == "--repeat")
      options.repeats = int(parse_number(value(), kMaxRepeats, name));
    else if (name == "--flush") {
      std::string_view kind = value();
      if (kind != "write" && kind != "read")
        throw UsageError("--flush: '" + std::string(kind) + "' is neither write nor read");
      options.flush = kind == "read" ? Flush::kRead : Flush::kWrite;
    } else if (name == "--masks") {
      options.masks_path = value();
      if (options.masks_path.empty()) throw UsageError("--masks: needs the name of a file");
    } else if (name == "--json")
      options.json_path = value();
    else if (name == "--quick")
      options.quick = true;
    else if (name == "--help")
      options.help = true;
    else
      throw UsageError("there is no option '" + name + "'; see --help");
  }

  if (!options.masks_path.empty() && options.masks_path == options.json_path)
    throw UsageError("--json: '" + options.json_path + "' is the file of --masks");
  if (!options.masks_path.empty() && !suites_given) options.suites.clear();
  bool quick = options.quick;
  if (options.sizes.empty()) {
    options.sizes = parse_sizes(quick ? "2^12..2^28:16" : "2^10..2^30:4");
    options.ladder_sizes = parse_sizes("2^16,2^20,2^28");
  }
  if (options.keep.empty()) options.keep = parse_keep(quick ? "10,50,90" : "1,10,50,90,99");
  if (options.item_bytes.empty())
    options.item_bytes = parse_item_bytes(quick ? "4,16" : "1,4,8,16");
  if (options.repeats == 0) options.repeats = quick ? 9 : 21;
  return options;
}

}  // namespace compaction::bench
