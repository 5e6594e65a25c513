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
  std::filesystem::path file;    ///< of the scene, for messages
  std::filesystem::path folder;  ///< for files that a check writes
  HostScene scene;
  RenderSettings settings;
  uint32_t spp = 1;
  bool is_on_gpu = false;
  MakeRenderer make;

  /// All samples, in one call.
  HostFilm film(const RenderSettings& way) const;
};

/// Random settings that change the image, for the size of the scene.
RenderSettings draw_settings(const HostScene& scene, uint32_t spp, Draw& draw);

/// The same image in a random way: loop, culling mode, driver, wave size, regeneration, threads.
RenderSettings draw_way(const SoakRender& render, Draw& draw);

/// The command that renders in this way and prints the hash of the film into stats.json.
std::string command_of(const SoakRender& render, const RenderSettings& way);

/// A film that was made in another way.
struct OtherFilm {
  RenderSettings way;
  HostFilm film;
  std::string how = {};             ///< it was made otherwise: " in 3 shares"
  std::filesystem::path file = {};  ///< of the scene, if it is another one
};

/// Throws Error that shows both commands unless the arrays that the other film has are those of
/// the expected one, bit for bit.
void expect_same_film(const SoakRender& render, const HostFilm& expected, const OtherFilm& other);

}  // namespace winnow
