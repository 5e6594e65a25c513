// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "app/bench_rays/bench_rays.h"
#include "compaction/tools/statistics.h"

namespace winnow {
namespace {

std::string coordinates_text(glm::vec3 v) {
  return fmt::format("({:g}, {:g}, {:g})", v.x, v.y, v.z);
}

/// Returns "-" for an unknown value.
std::string cell(const char* format, const std::optional<double>& value) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string header_text(const BenchRaysReport& report) {
  const RaySetSettings& s = report.settings;
  std::string text = fmt::format("{}: {} triangles, {} spheres; on {}\n", report.scene,
                                 report.triangles, report.spheres, report.device);
  text += fmt::format(
      "{}x{}, {} primary ray{} per pixel, seed {}; median of {} repetitions +- spread\n", s.width,
      s.height, s.spp, s.spp == 1 ? "" : "s", s.seed, report.repeat);
  text += fmt::format("camera ({}): at {} towards {}, vertical field of view {:g} degrees\n",
                      report.camera_origin, coordinates_text(s.camera.position),
                      coordinates_text(s.camera.look_at), s.camera.vertical_fov);
  text += fmt::format("light ({}): center {}, half sides {} and {}\n", s.light.origin,
                      coordinates_text(s.light.center), coordinates_text(s.light.u),
                      coordinates_text(s.light.v));
  for (const BuiltTree& tree : report.trees) {
    text += fmt::format("{}: built in {:.3f} s", tree.name, tree.build_seconds);
    const uint64_t primitives = std::max<uint64_t>(report.triangles + report.spheres, 1);
    if (tree.bytes > 0)
      text += fmt::format(", {:.1f} MB, {:.1f} bytes per primitive", double(tree.bytes) * 1e-6,
                          double(tree.bytes) / double(primitives));
    text += "\n";
  }
  return text;
}

std::string run_line(const BenchRaysReport& report, const RaySetRun& set, const TracerRun& run) {
  const compaction::MedianInterval time = compaction::median_interval(run.milliseconds);
  const double rate = rays_per_second(set, run.milliseconds);
  const double unit = report.cuda ? 1e-9 : 1e-6;
  std::optional<double> per_thread, efficiency = parallel_efficiency(run, report.threads);
  if (!report.cuda) per_thread = rate * unit / report.threads;
  if (efficiency) *efficiency *= 1e2;
  const bool is_ours = run.name == kWideBvhTracer && set.visits;
  return fmt::format(
      "{:<12} {:<8} {:>9} {:>8.3f} {:>4.1f} {:>7} {:>5} {:>7} {:>7} {:>6} {:>5} {:>4}\n", set.name,
      run.name, set.rays, rate * unit, time.median > 0.0 ? 1e2 * time.spread() / time.median : 0.0,
      cell("{:.3f}", per_thread), cell("{:.0f}", efficiency),
      is_ours ? fmt::format("{:.2f}", set.visits->nodes) : "-",
      is_ours ? fmt::format("{:.2f}", set.visits->primitives) : "-", run.check.differ,
      run.check.wrong, run.check.on_edge);
}

/// Returns how often Embree is wrong where a tracer differs from it; empty if never.
std::string reference_line(const RaySetRun& set) {
  uint64_t wrong = 0;
  for (const TracerRun& run : set.runs) wrong = std::max(wrong, run.check.reference_wrong);
  if (wrong == 0) return {};
  return fmt::format("{}: Embree, the reference, is wrong for {} ray{}.\n", set.name, wrong,
                     wrong == 1 ? "" : "s");
}

/// Returns how often two tracers of a GPU found different primitives; empty with one tracer.
std::string others_line(const RaySetRun& set) {
  if (!set.found_others) return {};
  return fmt::format("{}: {} and {} found different primitives for {} of {} rays.\n", set.name,
                     set.runs[0].name, set.runs[1].name, *set.found_others, set.rays);
}

/// Returns a row of a Markdown table with the rates of all tracers: tracer by tracer in each set.
std::string table_row(const BenchRaysReport& report) {
  std::string row = fmt::format("| {} | {} |", report.device, report.scene);
  for (const RaySetRun& set : report.sets) {
    std::string rates;
    for (const TracerRun& run : set.runs)
      rates += fmt::format("{}{} {:.2f}", rates.empty() ? "" : ", ", run.name,
                           rays_per_second(set, run.milliseconds) * 1e-9);
    row += fmt::format(" {}: {} |", set.name, rates);
  }
  return row + "\n";
}

/// Returns a sentence about whether sorting the rays of a set pays.
std::string sorting_line(const RaySetRun& set, const RaySetRun& sorted) {
  const double before = compaction::median_interval(set.runs.front().milliseconds).median;
  const double after = compaction::median_interval(sorted.runs.front().milliseconds).median;
  const double sorting = compaction::median_interval(sorted.sort_milliseconds).median;
  return fmt::format("{:<12} {:.3f} ms instead of {:.3f}, plus {:.3f} ms for sorting: {}\n",
                     sorted.name, after, before, sorting,
                     after + sorting < before ? "pays off" : "does not pay off");
}

}  // namespace

double rays_per_second(const RaySetRun& set, const std::vector<double>& milliseconds) {
  const double median = compaction::median_interval(milliseconds).median;
  return median > 0.0 ? double(set.rays) / median * 1e3 : 0.0;
}

std::optional<double> parallel_efficiency(const TracerRun& run, uint32_t threads) {
  for (const ThreadTimes& times : run.scaling)
    if (times.threads == 1 && threads > 1) {
      const double one = compaction::median_interval(times.milliseconds).median;
      const double all = compaction::median_interval(run.milliseconds).median;
      return all > 0.0 ? one / all / threads : 0.0;
    }
  return std::nullopt;
}

bool is_wrong(const BenchRaysReport& report) {
  for (const RaySetRun& set : report.sets)
    for (const TracerRun& run : set.runs)
      if (run.must_be_right && double(run.check.wrong) > kMaxWrong * double(set.rays)) return true;
  return false;
}

std::string bench_rays_text(const BenchRaysReport& report) {
  std::string text = header_text(report) + "\n";
  text += fmt::format("{:<12} {:<8} {:>9} {:>8} {:>4} {:>7} {:>5} {:>7} {:>7} {:>6} {:>5} {:>4}\n",
                      "set", "tracer", "rays", report.cuda ? "Grays/s" : "Mrays/s", "+-%",
                      "/thread", "par.%", "nodes", "prims", "differ", "wrong", "edge");
  for (const RaySetRun& set : report.sets) {
    for (const TracerRun& run : set.runs) text += run_line(report, set, run);
    if (set.runs.size() > 1) text += "\n";
  }
  text +=
      "nodes, prims: visited by a ray on average. differ: rays whose distance differs from "
      "Embree's by\n"
      "more than 1e-4 of it, or whose occlusion differs; wrong: those of them that a test of all\n"
      "primitives in double precision refutes, and hits of spheres at a wrong distance; edge: "
      "those\n"
      "through an edge, where both a hit and a miss are right. (s): sorted by origin and "
      "direction.\n";
  for (const RaySetRun& set : report.sets) text += reference_line(set);
  for (const RaySetRun& set : report.sets) text += others_line(set);
  if (!report.sets.empty() && report.sets.front().found_others)
    text += "To report, in Grays/s:\n" + table_row(report);
  for (size_t i = 1; i < report.sets.size(); ++i)
    if (!report.sets[i].sort_milliseconds.empty())
      text += sorting_line(report.sets[i - 1], report.sets[i]);
  if (!report.cuda)
    text +=
        "Embree: a plain loop. stages: Embree as in the renderer. packets: 16 rays at a time.\n"
        "fast: a plain loop over Embree's default scene, which is not watertight. /thread: rate\n"
        "per thread; par.%: parallel efficiency, rate per thread relative to that of one thread.\n";
  if (is_wrong(report)) text += "FAILED: more than one ray of 100,000 is wrong.\n";
  return text;
}

}  // namespace winnow
