// SPDX-License-Identifier: MIT
#pragma once

#include "tests/wavefront/support/on_device.h"

namespace winnow {

/// Expects an array of the film to have the same bits in every way.
///
/// @param renderer  with `settings`, of the size of kFewPaths
template <class Array>
void expect_same_array_in_every_way(Renderer& renderer, Device device,
                                    const RenderSettings& settings, Array HostFilm::*array) {
  RenderControl control;
  renderer.restart(settings);
  renderer.render_samples(0, kSpp, control);
  const Array expected = renderer.host_film().*array;
  ASSERT_FALSE(expected.empty());
  for (RenderSettings way : representative_ways(device, settings)) {
    SCOPED_TRACE(name_of(way));
    way.wave_size = kFewPathsWave;
    renderer.restart(way);
    renderer.render_samples(0, kSpp, control);
    EXPECT_EQ(renderer.host_film().*array, expected);
  }
}

}  // namespace winnow
