// SPDX-License-Identifier: MIT
#include "app/render/render_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/cli/json.h"
#include "app/cli/option_values.h"
#include "app/render/render_passes.h"
#include "backend/moving_renderer.h"
#include "base/error.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Returns the counts of a bounce as numbers without names, and its times.
Json counts_json(const BounceStats& stats) {
  Json counts = Json::array();
  for (const auto& [name, count] : kBounceCounts) counts.push_back(stats.*count);
  for (const uint64_t terminations : stats.terminations) counts.push_back(terminations);
  return {{"counts", counts}, {"milliseconds", stats.milliseconds}};
}

BounceStats bounce_of(const Json& json) {
  std::vector<uint64_t> counts;
  for (const Json& count : json.at("counts")) counts.push_back(whole_number<uint64_t>(count));
  if (counts.size() != kBounceCounts.size() + kTerminationCount)
    throw Error("is damaged: its counts");
  BounceStats stats;
  auto next = counts.begin();
  for (const auto& [name, count] : kBounceCounts) stats.*count = *next++;
  for (uint64_t& terminations : stats.terminations) terminations = *next++;
  stats.milliseconds = json.at("milliseconds").get<std::array<double, kStageCount>>();
  return stats;
}

Json stats_of_record(const RenderStats& stats) {
  Json bounces = Json::array();
  for (const BounceStats& bounce : stats.bounces) bounces.push_back(counts_json(bounce));
  return {{"paths", stats.paths},
          {"waves", stats.waves},
          {"host_seconds", stats.host_seconds},
          {"bounces", bounces}};
}

RenderStats stats_from(const Json& json) {
  RenderStats stats;
  stats.paths = whole_number<uint64_t>(json.at("paths"));
  stats.waves = whole_number<uint64_t>(json.at("waves"));
  stats.host_seconds = json.at("host_seconds");
  for (const Json& bounce : json.at("bounces")) stats.bounces.push_back(bounce_of(bounce));
  if (stats.bounces.size() > kMaxBounces + 1) throw Error("is damaged: its bounces");
  return stats;
}

Json settings_json(const RenderSettings& settings) {
  return {{"size", {settings.width, settings.height}},
          {"max_bounces", settings.max_bounces},
          {"seed", settings.seed},
          {"sampler", enum_name(settings.sampler)},
          {"sobol_spp", settings.sobol_spp},
          {"lights", enum_name(settings.lights)},
          {"roulette", settings.roulette},
          {"clamp_indirect", settings.clamps() ? Json(settings.clamp_indirect) : Json(nullptr)},
          {"squares", settings.keep_squares},
          {"first_hits", settings.keep_first_hits},
          {"deaths", settings.map_terminations},
          {"layers", settings.keep_layers},
          {"background", settings.keep_background},
          {"cost", settings.keep_cost}};
}

template <class Enum>
Enum enum_from(const Json& json) {
  return parse_enum<Enum>("its description", json.get<std::string>());
}

RenderSettings settings_from(const Json& json) {
  RenderSettings settings;
  settings.width = whole_number<uint32_t>(json.at("size").at(0));
  settings.height = whole_number<uint32_t>(json.at("size").at(1));
  settings.max_bounces = whole_number<uint32_t>(json.at("max_bounces"));
  settings.seed = whole_number<uint64_t>(json.at("seed"));
  settings.sampler = enum_from<SamplerType>(json.at("sampler"));
  settings.sobol_spp = whole_number<uint32_t>(json.at("sobol_spp"));
  settings.lights = enum_from<LightChoice>(json.at("lights"));
  settings.roulette = json.at("roulette");
  if (!json.at("clamp_indirect").is_null()) settings.clamp_indirect = json.at("clamp_indirect");
  settings.keep_squares = json.at("squares");
  settings.keep_first_hits = json.at("first_hits");
  settings.map_terminations = json.at("deaths");
  settings.keep_layers = json.value("layers", false);  // older films have none
  settings.keep_background = json.value("background", false);
  settings.keep_cost = json.value("cost", false);
  return settings;
}

/// Returns one character for each tile: "0110".
std::string flags_text(const std::vector<uint8_t>& flags) {
  std::string text;
  for (const uint8_t flag : flags) text += flag ? '1' : '0';
  return text;
}

std::vector<uint8_t> flags_from(const std::string& text) {
  std::vector<uint8_t> flags;
  for (const char letter : text) flags.push_back(letter == '1');
  return flags;
}

Json noise_json(const RenderRecord& record) {
  if (!record.noise) return nullptr;
  return {{"limit", *record.noise},
          {"judged", record.noise_state.judged},
          {"active", flags_text(record.noise_state.active)}};
}

RenderRecord record_from(const Json& json) {
  RenderRecord record;
  record.program = json.at("program");
  record.scene = json.at("scene");
  record.is_model = json.at("is_model");
  for (size_t part = 0; part < kScenePartCount; ++part)
    record.scene_hash[part] = whole_number<uint64_t>(json.at("scene_hash").at(part));
  record.architecture = enum_from<Architecture>(json.at("architecture"));
  record.device = json.at("device");
  if (json.contains("roundings")) record.roundings = json.at("roundings");  // older films have none
  record.settings = settings_from(json.at("settings"));
  record.filter.type = enum_from<FilterType>(json.at("filter").at("type"));
  record.filter.radius = json.at("filter").at("radius_pixels");
  if (json.contains("shutter"))
    record.shutter = {json.at("shutter").at(0).get<double>(),
                      json.at("shutter").at(1).get<double>()};
  if (json.contains("motion_hash"))
    record.motion_hash = whole_number<uint32_t>(json.at("motion_hash"));
  record.spp = json.at("spp").is_null() ? kUnlimitedSpp : whole_number<uint32_t>(json.at("spp"));
  if (const Json& noise = json.at("noise"); !noise.is_null()) {
    record.noise = noise.at("limit").get<double>();
    record.noise_state = {whole_number<uint32_t>(noise.at("judged")),
                          flags_from(noise.at("active"))};
  }
  record.share = {whole_number<uint32_t>(json.at("share").at(0)),
                  whole_number<uint32_t>(json.at("share").at(1))};
  record.arguments = json.at("arguments").get<std::vector<std::string>>();
  record.outputs = json.value("outputs", std::vector<std::string>());  // older films have none
  record.seconds = json.at("seconds");
  record.stats = stats_from(json.at("stats"));
  return record;
}

/// Returns whether the record matches the arrays and tiles of a film file.
bool fits(const RenderRecord& record, const FilmFileHeader& header) {
  const size_t tiles = header.tiles.present.size();
  return record.settings.width == header.tiles.width &&
         record.settings.height == header.tiles.height &&
         record.settings.film_features() == header.features &&
         (record.noise_state.active.empty() || record.noise_state.active.size() == tiles) &&
         record.share.index < record.share.count && record.share.count <= tiles &&
         record.spp <= kUnlimitedSpp;
}

/// Parses the record in the header of a film file. Throws Error that names the file.
RenderRecord record_of(const fs::path& file, const FilmFileHeader& header) try {
  RenderRecord record = parse_record(header.description);
  if (!fits(record, header)) throw Error("is damaged: its description is of another film");
  return record;
} catch (const Error& error) {
  throw Error(fmt::format("{}: {}", file.string(), error.what()));
}

std::string clamp_text(const RenderSettings& settings) {
  return settings.clamps() ? fmt::format("{:g}", settings.clamp_indirect) : "off";
}

std::string noise_text(const std::optional<double>& noise) {
  return noise ? fmt::format("{}", *noise) : "off";
}

}  // namespace

std::string shutter_text(const std::optional<Shutter>& shutter) {
  return shutter ? fmt::format("{:g} to {:g} s", shutter->open, shutter->close) : "0";
}

std::string program_version() {
  return WINNOW_VERSION;
}

std::string record_text(const RenderRecord& record) {
  Json json;
  json["program"] = record.program;
  json["scene"] = record.scene;
  json["is_model"] = record.is_model;
  json["scene_hash"] = record.scene_hash;
  json["architecture"] = enum_name(record.architecture);
  json["device"] = record.device;
  json["roundings"] = record.roundings;
  json["settings"] = settings_json(record.settings);
  json["filter"] = {{"type", enum_name(record.filter.type)},
                    {"radius_pixels", record.filter.radius}};
  if (record.shutter) json["shutter"] = {record.shutter->open, record.shutter->close};
  if (record.motion_hash != 0) json["motion_hash"] = record.motion_hash;
  json["spp"] = record.spp == kUnlimitedSpp ? Json(nullptr) : Json(record.spp);
  json["noise"] = noise_json(record);
  json["share"] = {record.share.index, record.share.count};
  json["arguments"] = record.arguments;
  json["outputs"] = record.outputs;
  json["seconds"] = record.seconds;
  json["stats"] = stats_of_record(record.stats);
  constexpr int kNoIndent = -1;
  return json_text(json, kNoIndent);
}

RenderRecord parse_record(const std::string& text) try {
  return record_from(Json::parse(text));
} catch (const nlohmann::json::exception&) {
  throw Error("is damaged: its description cannot be read");
} catch (const UsageError&) {
  throw Error("is damaged: its description has a value that is not known");
}

std::vector<std::string> arguments_of_samples(const std::vector<std::string>& arguments) {
  static const std::vector<std::string> kLeftOut = {
      "-o",      "--output", "--share",   "--checkpoint", "--resume",       "--every",
      "--stats", "--device", "--devices", "--threads",    "--record-masks", "--mpi"};
  auto is_left_out = [](const std::string& name) {
    return std::find(kLeftOut.begin(), kLeftOut.end(), name) != kLeftOut.end();
  };
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (is_left_out(argument))
      ++i;  // skips its value, too
    else if (!is_left_out(argument.substr(0, argument.find('='))) && !argument.starts_with("-o"))
      kept.push_back(argument);
  }
  return kept;
}

std::string differences(const RenderRecord& record, const RenderRecord& expected) {
  std::string text;
  auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  auto compare = [&](const char* name, const auto& a, const auto& b) {
    if (a != b) add(fmt::format("{} is {}, not {}", name, a, b));
  };
  const RenderSettings &a = record.settings, &b = expected.settings;
  compare("the version of Winnow", record.program, expected.program);
  compare("--size", fmt::format("{}x{}", a.width, a.height),
          fmt::format("{}x{}", b.width, b.height));
  for (size_t part = 0; part < kScenePartCount; ++part)
    if (record.scene_hash[part] != expected.scene_hash[part])
      add(fmt::format("the {} of the scene {} differ{}", enum_names<ScenePart>()[part],
                      record.scene,
                      part == size_t(ScenePart::kCamera) || part == size_t(ScenePart::kGeometry) ||
                              part == size_t(ScenePart::kFilter)
                          ? "s"
                          : ""));
  compare("--max-bounces", a.max_bounces, b.max_bounces);
  compare("--seed", a.seed, b.seed);
  compare("--sampler", std::string(enum_name(a.sampler)), std::string(enum_name(b.sampler)));
  if (a.sampler == SamplerType::kSobol && b.sampler == SamplerType::kSobol &&
      log2_samples_for(a.sobol_spp) != log2_samples_for(b.sobol_spp))
    compare("--spp of its sequence", a.sobol_spp, b.sobol_spp);
  compare("--lights", std::string(enum_name(a.lights)), std::string(enum_name(b.lights)));
  compare("--roulette", a.roulette ? "on" : "off", b.roulette ? "on" : "off");
  compare("--clamp-indirect", clamp_text(a), clamp_text(b));
  compare("the time of the shutter", shutter_text(record.shutter), shutter_text(expected.shutter));
  if (record.motion_hash != expected.motion_hash && record.motion_hash != 0 &&
      expected.motion_hash != 0)
    add(fmt::format("the motion of the scene {} differs", record.scene));
  if (record.shutter && expected.shutter &&
      TimeSlices::for_samples(a.sobol_spp) != TimeSlices::for_samples(b.sobol_spp))
    compare("--spp of the motion", a.sobol_spp, b.sobol_spp);
  compare("--noise", noise_text(record.noise), noise_text(expected.noise));
  return text;
}

void join_devices(RenderRecord& record, const RenderRecord& other) {
  if (record.architecture != other.architecture) record.architecture = Architecture::kMixed;
  record.roundings.insert(other.roundings.begin(), other.roundings.end());
}

std::string mixed_rounding(const RenderRecord& record) {
  if (record.architecture == Architecture::kMixed) return "on a CPU and on a GPU";
  if (record.roundings.size() < 2) return "";
  return fmt::format("with {}", fmt::join(record.roundings, " and with "));
}

RenderRecord read_record(const fs::path& file) {
  return record_of(file, FilmFileReader(file).header());
}

RecordedFilm read_recorded_film(const fs::path& file) {
  RecordedFilm recorded{FilmFileReader(file), {}};
  recorded.film.check();
  recorded.record = record_of(file, recorded.header());
  return recorded;
}

}  // namespace winnow
