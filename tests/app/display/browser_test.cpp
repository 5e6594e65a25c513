// SPDX-License-Identifier: MIT
// The page of --display web in a real browser, whose controls browser.py clicks.

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

/// Returns the first of these programs that is installed; empty if none is.
std::string find_chromium() {
  for (const char* name :
       {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (std::filesystem::exists(name)) return name;
  return "";
}

using Page = WinnowTest;

TEST_F(Page, DoesWhatItsControlsSayInARealBrowser) {
  // Chromium can be too slow for it when all cores are busy.
  if (!std::getenv("WINNOW_TEST_BROWSER")) GTEST_SKIP() << "needs WINNOW_TEST_BROWSER=1";
  const std::string chromium = find_chromium();
  if (chromium.empty()) GTEST_SKIP() << "needs Chromium: apt-get install chromium";
  const std::string command =
      "python3 " WINNOW_SOURCE_DIR "/tests/app/display/browser.py " + chromium + " " +
      kThisBuild.winnow + " " + kCornellBox + " " + folder_.string() +
      " --size 96x96 --spp 1000000 --aov normal=n.png > " + file("browser.txt").string() + " 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_text(file("browser.txt"));
}

}  // namespace
}  // namespace winnow
