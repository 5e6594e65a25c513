#include "backend/scene_trees.h"

#include <chrono>

#include "base/error.h"

namespace winnow {

SceneTrees::SceneTrees(const RenderSettings& settings, const BvhChoice& choice,
                       BuildFast build_fast)
    : asked_(settings.bvh), build_fast_(std::move(build_fast)) {
  report_.build = choose_bvh(settings, choice);
  if (!settings.bvh_cache.empty()) cache_.emplace(settings.bvh_cache);
}

WideBvhArrays SceneTrees::build(const HostScene& scene) {
  const auto start = std::chrono::steady_clock::now();
  const std::filesystem::path file = cache_ ? cache_->file_of(scene) : std::filesystem::path();
  std::optional<WideBvhArrays> bvh = read(file);
  report_.cached = bvh && (report_.cached || first_);
  first_ = false;
  if (bvh)
    report_.build = BvhBuild::kQuality;
  else
    bvh = build_new(scene, file);
  report_.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::move(*bvh);
}

std::optional<WideBvhArrays> SceneTrees::read(const std::filesystem::path& file) const {
  if (!cache_ || asked_ == BvhBuild::kFast) return std::nullopt;
  return cache_->read(file);
}

WideBvhArrays SceneTrees::build_new(const HostScene& scene, const std::filesystem::path& file) {
  if (report_.build == BvhBuild::kFast)
    if (std::optional<WideBvhArrays> bvh = build_fast_(scene)) return std::move(*bvh);
  report_.build = BvhBuild::kQuality;
  WideBvhArrays bvh = build_wide_bvh(scene);
  if (!cache_) return bvh;
  try {
    cache_->write(file, bvh);
  } catch (const Error& error) {  // the render goes on without
    report_.warning = error.what();
  }
  return bvh;
}

}  // namespace winnow
