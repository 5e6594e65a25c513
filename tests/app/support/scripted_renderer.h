// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/bench/run.h"
#include "backend/renderer.h"

namespace winnow {

/// A renderer with times and stats given by a test, and the clock that it advances.
class ScriptedRenderer : public Renderer {
 public:
  /// ms of a frame; called once for each.
  std::function<double(const RenderSettings&)> milliseconds = [](const RenderSettings&) {
    return 1.0;
  };
  std::function<RenderStats(const RenderSettings&)> counts = [](const RenderSettings&) {
    return RenderStats{};
  };
  std::function<float(const RenderSettings&)> pixel = [](const RenderSettings& settings) {
    return settings.roulette ? 1.0f : 2.0f;
  };

  double now = 0.0;                    ///< s
  std::vector<RenderSettings> frames;  ///< rendered so far, without their lead-ins
  RenderStats lead_in;                 ///< what was counted before a frame

  void restart(const RenderSettings& settings) override {
    settings_ = settings;
    rendered_ = false;
  }
  void render_samples(uint32_t first, uint32_t, RenderControl&) override {
    constexpr double kLeadInSeconds = 1000.0;
    if (first == 0) {
      now += kLeadInSeconds;
      return;
    }
    now += milliseconds(settings_) * 1e-3;
    frames.push_back(settings_);
    rendered_ = true;
  }
  Image film() override {
    return {.width = 1, .height = 1, .pixels = {glm::vec3(rendered_ ? pixel(settings_) : 0.0f)}};
  }
  RenderStats stats() override { return rendered_ ? counts(settings_) : lead_in; }
  void choose_pixels(const std::vector<uint32_t>&) override {}
  HostFilm host_film() override { return {}; }
  std::vector<AliveMask> alive_masks() override { return {}; }
  std::string device_name() const override { return "scripted"; }

 private:
  RenderSettings settings_;
  bool rendered_ = false;
};

/// A plan that uses the clock of the renderer and is never stopped.
inline BenchPlan scripted_plan(ScriptedRenderer& renderer, uint32_t rounds) {
  return {.settings = {},
          .spp = 1,
          .rounds = rounds,
          .worker_threads = 1,
          .seconds = [&renderer] { return renderer.now; },
          .stop = [] { return false; },
          .report_phase = [](const std::string&) {}};
}

}  // namespace winnow
