// SPDX-License-Identifier: MIT
// Tests renders of scenes in memory, which Python starts.

#include <gtest/gtest.h>

#include "app/render/render.h"
#include "base/error.h"
#include "load/winnow/winnow_json.h"
#include "tests/support/message_of.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

struct StopAt : StopRequest {
  explicit StopAt(bool is_requested) : is_requested(is_requested) {}
  bool requested() const override { return is_requested; }
  const bool is_requested;
};

class RenderInMemory : public testing::Test {
 protected:
  RenderInMemory() {
    options_.scene = "sphere";
    options_.size = Size{20, 10};
    options_.spp = 3;
    options_.quiet = true;
    options_.device.kind = DeviceRequest::Kind::kCpu;
  }

  MemoryRender render(bool stop = false) const {
    return render_in_memory(scene_, options_, StopAt(stop));
  }

  HostScene scene_ = read_winnow_json(
      scene_of(R"({"type": "sphere", "material": "white", "radius": 1})"), "sphere", "");
  RenderOptions options_;
};

TEST_F(RenderInMemory, LeavesTheFilmAndSaysHowItCameAbout) {
  const MemoryRender render = this->render();
  EXPECT_EQ(render.report.stats.paths, 20u * 10 * 3);
  EXPECT_EQ(render.report.settings.width, 20u);
  EXPECT_EQ(render.report.scene, "sphere");
  EXPECT_FALSE(render.report.interrupted);
  EXPECT_TRUE(render.report.threads.has_value());
  EXPECT_EQ(scene_.width, 512u);  // the caller's scene stays as it is
}

TEST_F(RenderInMemory, SharesTheFilmItself) {
  const MemoryRender render = this->render();
  const std::optional<FilmOnDevice> film = render.renderer->film_on_device();
  ASSERT_TRUE(film.has_value());
  EXPECT_EQ(film->cuda_device, -1);
  const HostFilm copy = render.renderer->host_film();
  ASSERT_EQ(film->film.sum.size, copy.sum.size());
  for (size_t pixel = 0; pixel < copy.sum.size(); ++pixel)
    EXPECT_EQ(film->film.sum[pixel], copy.sum[pixel]);
  EXPECT_EQ(film->film.samples[7], 3u);
}

TEST_F(RenderInMemory, EndsEarlyWhereThatIsRequested) {
  options_.spp = kMaxSpp;
  const MemoryRender render = this->render(true);
  EXPECT_TRUE(render.report.interrupted);
  EXPECT_LT(render.report.stats.paths, 20u * 10 * 100);
}

TEST_F(RenderInMemory, RefusesWhatTheCommandRefuses) {
  options_.settings.loop = Loop::kPath;
  options_.settings.regenerate = true;
  EXPECT_EQ(message_of<UsageError>([&] { render(); }).rfind("--regenerate: only --loop wave", 0),
            0u);
}

}  // namespace
}  // namespace winnow
