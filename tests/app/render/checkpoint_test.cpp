// SPDX-License-Identifier: MIT
#include "app/render/checkpoint.h"

#include <gtest/gtest.h>

#include <new>

#include "base/error.h"
#include "tests/support/folder_test.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

class CheckpointFile : public FolderTest {
 protected:
  /// Returns the reason with which a part of a render ends that throws `failure`.
  template <class Failure>
  std::string reason_of(const Failure& failure) const {
    try {
      checkpoints_.run([&]() -> double { throw failure; });
    } catch (const Error& error) {
      return error.what();
    } catch (const std::bad_alloc&) {
      return "bad_alloc";
    }
    return "";
  }

  RenderRecord record() const {
    RenderRecord record;
    record.settings = settings_;
    return record;
  }

  static constexpr uint32_t kSide = 16;
  const HostScene scene_ = mixed_scene();
  const RenderSettings settings_{.width = kSide, .height = kSide, .max_bounces = 2};
  const std::filesystem::path file_ = folder_ / "c.film";
  Checkpoints checkpoints_{file_, record(), make_film_tiles(kSide, kSide, true), std::nullopt};
};

TEST_F(CheckpointFile, IsNamedWhereARenderFails) {
  const Error lost("the device is lost");
  EXPECT_EQ(reason_of(lost), "the device is lost");
  EXPECT_EQ(reason_of(std::bad_alloc()), "bad_alloc");
  EXPECT_EQ(checkpoints_.run([] { return 2.5; }), 2.5);

  const std::unique_ptr<Renderer> renderer = make_cpu_renderer(scene_, settings_);
  RenderControl control;
  renderer->render_samples(0, 1, control);
  checkpoints_.save(*renderer, {}, 1.0);
  const std::string remedy = "; --resume " + file_.string() + " continues from the last checkpoint";
  EXPECT_EQ(reason_of(lost), "the device is lost" + remedy);
  EXPECT_EQ(reason_of(std::bad_alloc()), "not enough memory" + remedy);
}

}  // namespace
}  // namespace winnow
