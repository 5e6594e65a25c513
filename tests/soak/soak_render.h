// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "backend/renderer.h"
#include "tests/support/draw.h"

namespace winnow {

using MakeRenderer =
    std::function<std::unique_ptr<Renderer>(const HostScene&, const RenderSettings&)>;

/// A render that the checks of a soak test repeat in other ways.
struct SoakRender {
  std::filesystem::path file;    ///< scene file, for messages
  std::filesystem::path folder;  ///< for files that a check writes
  HostScene scene;
  RenderSettings settings;
  uint32_t spp = 1;
  bool is_on_gpu = false;
  MakeRenderer make;

  /// Renders all samples in one call.
  HostFilm film(const RenderSettings& way) const;
};

/// Draws settings that change the image, for the size of the scene.
RenderSettings draw_settings(const HostScene& scene, uint32_t spp, Draw& draw);

/// Draws settings that keep the image, but not the tracer: loop, culling mode, driver, wave size,
/// regeneration, threads.
RenderSettings draw_way(const SoakRender& render, Draw& draw);

/// Returns the command that renders in this way and writes the hash of the film into stats.json.
std::string command_of(const SoakRender& render, const RenderSettings& way);

/// Film of the same image, rendered in another way.
struct OtherFilm {
  RenderSettings way;
  HostFilm film;
  std::string how = {};             ///< end of a sentence, such as " in 3 shares"
  std::filesystem::path file = {};  ///< scene file, if it is another one
};

/// Throws Error that shows both commands unless each array of the other film has the bits of the
/// expected one.
void expect_same_film(const SoakRender& render, const HostFilm& expected, const OtherFilm& other);

}  // namespace winnow
