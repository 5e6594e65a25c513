// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "app/soak/draw_scene.h"
#include "app/soak/film_checks.h"
#include "app/soak/light_checks.h"
#include "app/soak/soak.h"
#include "load/load_scene.h"

namespace winnow {

void run_soak_case(uint64_t seed, const std::filesystem::path& folder, const SoakDevices& devices) {
  constexpr uint32_t kMaxSpp = 6, kEstimatorsOneIn = 4;
  Draw draw(seed);
  const DrawnScene drawn = draw_scene(folder, draw);
  SoakRender render{.file = drawn.file,
                    .folder = folder,
                    .scene = load_scene(drawn.file),
                    .settings = {},
                    .spp = draw.from(1, kMaxSpp),
                    .is_on_gpu = devices.is_on_gpu,
                    .make = devices.make};
  render.settings = draw_settings(render.scene, render.spp, draw);
  const HostFilm expected = render.film(render.settings);
  check_values(render, expected);
  if (drawn.kind == DrawnSceneKind::kFurnace) check_furnace(render);
  check_ways(render, expected, draw);
  check_resume(render, expected, draw);
  check_shares(render, expected, draw);
  check_devices(render, expected, draw);
  check_convert(render, expected);
  if (draw.one_in(kEstimatorsOneIn)) check_estimators(render, draw);
  if (devices.cpu) check_device_agrees(render, devices.cpu, "the CPU");
}

}  // namespace winnow
