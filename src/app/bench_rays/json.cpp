// SPDX-License-Identifier: MIT
#include "app/cli/json.h"

#include <algorithm>

#include "app/bench_rays/bench_rays.h"
#include "compaction/tools/statistics.h"

namespace winnow {
namespace {

Json vector_json(glm::vec3 v) {
  return {v.x, v.y, v.z};
}

Json run_json(const BenchRaysReport& report, const RaySetRun& set, const TracerRun& run) {
  const compaction::MedianInterval time = compaction::median_interval(run.milliseconds);
  const double rate = rays_per_second(set, run.milliseconds);
  Json scaling = Json::array();
  for (const ThreadTimes& times : run.scaling)
    scaling.push_back({{"threads", times.threads},
                       {"rays_per_second", rays_per_second(set, times.milliseconds)},
                       {"milliseconds", times.milliseconds}});
  return {
      {"tracer", run.name},
      {"rays_per_second", rate},
      {"rays_per_second_per_thread", report.cuda ? Json(nullptr) : Json(rate / report.threads)},
      {"milliseconds", run.milliseconds},
      {"milliseconds_interval", {{"median", time.median}, {"low", time.low}, {"high", time.high}}},
      {"parallel_efficiency", nullable(parallel_efficiency(run, report.threads))},
      {"fewer_threads", scaling},
      {"differ_from_embree", run.check.differ},
      {"differ_share", double(run.check.differ) / double(std::max<uint64_t>(set.rays, 1))},
      {"wrong_in_double_precision", run.check.wrong},
      {"embree_wrong_in_double_precision", run.check.reference_wrong},
      {"on_an_edge", run.check.on_edge}};
}

Json set_json(const BenchRaysReport& report, const RaySetRun& set) {
  Json runs = Json::array();
  for (const TracerRun& run : set.runs) runs.push_back(run_json(report, set, run));
  return {{"set", set.name},
          {"rays", set.rays},
          {"nodes_per_ray", set.visits ? Json(set.visits->nodes) : Json(nullptr)},
          {"primitives_per_ray", set.visits ? Json(set.visits->primitives) : Json(nullptr)},
          {"sort_milliseconds", set.sort_milliseconds},
          {"found_other_primitives", nullable(set.found_others)},
          {"runs", runs}};
}

}  // namespace

std::string bench_rays_json(const BenchRaysReport& report) {
  const RaySetSettings& s = report.settings;
  const double primitives = double(std::max<uint64_t>(report.triangles + report.spheres, 1));
  Json trees = Json::array(), sets = Json::array();
  for (const BuiltTree& tree : report.trees)
    trees.push_back({{"name", tree.name},
                     {"build_seconds", tree.build_seconds},
                     {"bytes", tree.bytes > 0 ? Json(tree.bytes) : Json(nullptr)},
                     {"bytes_per_primitive",
                      tree.bytes > 0 ? Json(double(tree.bytes) / primitives) : Json(nullptr)}});
  for (const RaySetRun& set : report.sets) sets.push_back(set_json(report, set));
  const Json json = {{"what", "winnow bench-rays"},
                     {"version", WINNOW_VERSION},
                     {"started", report.started},
                     {"device", report.device},
                     {"cuda", report.cuda},
                     {"threads", report.threads},
                     {"file", report.file},
                     {"scene", report.scene},
                     {"triangles", report.triangles},
                     {"spheres", report.spheres},
                     {"size_pixels", {s.width, s.height}},
                     {"samples_per_pixel", s.spp},
                     {"seed", s.seed},
                     {"camera",
                      {{"from", report.camera_origin},
                       {"position", vector_json(s.camera.position)},
                       {"look_at", vector_json(s.camera.look_at)},
                       {"up", vector_json(s.camera.up)},
                       {"vertical_fov_degrees", s.camera.vertical_fov}}},
                     {"light",
                      {{"from", s.light.origin},
                       {"center", vector_json(s.light.center)},
                       {"u", vector_json(s.light.u)},
                       {"v", vector_json(s.light.v)}}},
                     {"rounds", report.repeat},
                     {"load_seconds", report.load_seconds},
                     {"make_rays_seconds", report.rays_seconds},
                     {"trees", trees},
                     {"passed", !is_wrong(report)},
                     {"sets", sets}};
  constexpr int kIndent = 2;
  return json_text(json, kIndent);
}

}  // namespace winnow
