// SPDX-License-Identifier: MIT
// Kills the program while it writes checkpoints and replaces images.

#include <cstdlib>
#include <iostream>
#include <random>

#include "film/film_file.h"
#include "tests/app/support/run_winnow.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Returns how often programs are killed. WINNOW_TEST_KILLS sets another number.
int kill_count() {
  constexpr int kFew = 6;
  const char* asked = std::getenv("WINNOW_TEST_KILLS");
  return asked ? std::atoi(asked) : kFew;
}

/// Earliest moment at which the program is killed.
enum class Moment {
  kAny,
  kWhileWriting,   ///< it writes a checkpoint or an output
  kAfterAnOutput,  ///< it has replaced the first output, but not all
};

class Kills : public WinnowTest {
 protected:
  using Words = std::vector<std::string>;

  Kills() {
    for (const char* when : {"old", "new"}) {
      fs::create_directory(file(when));
      const Clock::time_point start = Clock::now();
      succeed(command({"--seed", when == std::string("old") ? "1" : "2"}));
      duration_ = Clock::now() - start;
      for (const std::string& name : kOutputs) fs::rename(file(name), file(when) / name);
    }
    old_film_ = read_film(file("old") / "a.film").film;
    new_film_ = read_film(file("new") / "a.film").film;
  }

  /// A render that writes all outputs.
  static Words command(const Words& more) {
    Words words = {"render", kCornellBox, "--device", "cpu",    "--size", "96x80", "--quiet",
                   "--spp",  "100",       "--aov",    "albedo", "-o",     "a.pfm", "-o",
                   "a.png",  "-o",        "a.exr",    "-o",     "a.film"};
    return joined(words, more);
  }

  /// Puts the images of another render where the outputs will be.
  void put_old_outputs() const {
    for (const std::string& name : kOutputs)
      fs::copy_file(file("old") / name, file(name), fs::copy_options::overwrite_existing);
  }

  /// Whether an output is the old one or the new one. It is read once, since the program may
  /// replace it meanwhile.
  const char* version_of(const std::string& name) const {
    bool is_new = false, is_old = false;
    if (name == "a.film") {  // its description contains the duration of the render
      const HostFilm film = read_film(file(name)).film;
      is_new = have_same_bits(film, new_film_);
      is_old = have_same_bits(film, old_film_);
    } else {
      const std::string bytes = read_text(file(name));
      is_new = bytes == read_text(file("new") / name);
      is_old = bytes == read_text(file("old") / name);
    }
    return is_new ? "new" : is_old ? "old" : "neither";
  }

  /// Expects that each output is the old or the new one; returns the number of new ones.
  size_t expect_whole_outputs() const {
    size_t replaced = 0;
    for (const std::string& name : kOutputs) {
      const std::string version = version_of(name);
      EXPECT_NE(version, "neither") << name;
      replaced += version == "new";
    }
    return replaced;
  }

  /// Whether the program is writing what will replace a file.
  bool is_writing() const {
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".tmp") return true;
    return false;
  }

  /// Removes what killed programs left, and counts it.
  size_t remove_temporary_files() const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".tmp") count += fs::remove(entry.path());
    return count;
  }

  static inline const Words kOutputs = {"a.pfm", "a.png", "a.exr", "a.film"};
  Clock::duration duration_{};  ///< time of a render that is not interrupted
  HostFilm old_film_, new_film_;
  std::mt19937 random_{22};
};

TEST_F(Kills, LeaveEachImageOldOrNewAndACheckpointThatGoesOn) {
  const Words again =
      command({"--seed", "2", "--checkpoint", "c.film", "--resume", "c.film", "--every", "0.02"});
  const int asked = kill_count();
  int kills = 0, renders = 0, while_writing = 0, between_outputs = 0;
  size_t replaced = 0;
  put_old_outputs();
  while ((kills < asked || renders == 0) && !HasFailure()) {
    WinnowProcess process(folder_, again);
    const Moment moment = Moment(kills % 3);
    const int percent = moment == Moment::kAfterAnOutput ? 400 : int(random_() % 100);
    const auto latest = Clock::now() + duration_ * percent / 100;
    const auto later = std::chrono::microseconds(random_() % 3000);
    while (Clock::now() < latest) {
      const bool has_more = expect_whole_outputs() > replaced;
      if (moment == Moment::kAfterAnOutput && has_more) break;
      if (moment == Moment::kWhileWriting && is_writing()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (kills < asked) {
      std::this_thread::sleep_for(later);
      process.send(SIGKILL);
    }
    const Outcome outcome = process.wait();
    EXPECT_EQ(outcome.err, "");
    replaced = expect_whole_outputs();
    while_writing += remove_temporary_files() > 0;
    if (outcome.signal == SIGKILL) {
      ++kills;
      between_outputs += replaced > 0 && replaced < kOutputs.size();
      if (fs::exists(file("c.film"))) {
        EXPECT_GT(read_film(file("c.film")).film.samples.front(), 0u);
      }
      continue;
    }
    ASSERT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(replaced, kOutputs.size());
    ++renders;
    replaced = 0;
    fs::remove(file("c.film"));
    put_old_outputs();
  }
  std::cout << kills << " kills, " << while_writing << " while a file was written, "
            << between_outputs << " between two outputs; " << renders << " renders ended\n";
}

}  // namespace
}  // namespace winnow
