// SPDX-License-Identifier: MIT
// scripts/measure/devices, with a program in place of winnow that pretends to have four GPUs.

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using testing::HasSubstr;

class DevicesScript : public WinnowTest {
 protected:
  /// Runs the script in the folder of the test, with its output in stdout.txt. Returns the status
  /// of the shell.
  int measure(const std::string& arguments) const {
    return std::system(("cd '" + folder_.string() + "' && '" + WINNOW_SOURCE_DIR +
                        "/scripts/measure/devices' a.json --launcher none --winnow ./pretended " +
                        arguments + " > stdout.txt 2> stderr.txt")
                           .c_str());
  }

  /// @param hash  Python expression of the number of GPUs, `n`
  void pretend(const std::string& hash) const {
    put("pretended", R"(#!/usr/bin/env python3
import json, sys
if sys.argv[1] == "devices":
    print("cpu     2 hardware threads")
    for gpu in range(4): print(f"cuda:{gpu}  Pretended GPU, 1.0 GiB")
    sys.exit()
value = lambda option: sys.argv[sys.argv.index(option) + 1]
n, spp = len(value("--devices").split(",")), int(value("--spp"))
stats = {"seconds": {"render": spp * (0.01 if n == 1 else 0.0101 / n)}, "film_hash": )" +
                         hash +
                         R"(,
         "devices": [{"paths": 101}] + [{"paths": 99}] * (n - 1) if n > 1 else None}
json.dump(stats, open(value("--stats"), "w"))
)");
    std::filesystem::permissions(file("pretended"), std::filesystem::perms::owner_all);
  }
};

TEST_F(DevicesScript, PrintsARowForEachNumberOfGpus) {
  pretend("'12ab'");
  ASSERT_EQ(measure("--seconds 6 --runs 1 --json runs.json"), 0) << read_text(file("stderr.txt"));
  const std::string table = read_text(file("stdout.txt"));
  EXPECT_THAT(table, HasSubstr("4 devices: Pretended GPU\n"));
  EXPECT_THAT(table, HasSubstr("left out: 8 GPUs, which are not here\n"));
  EXPECT_THAT(table, HasSubstr("left out: processes: --launcher none\n"));
  EXPECT_THAT(table, HasSubstr("| a | 600 | 1 | one process | 6.000 | "));
  EXPECT_THAT(table, HasSubstr("| a | 600 | 2 | one process | 3.030 | "));
  EXPECT_THAT(table, HasSubstr("| a | 600 | 4 | one process | 1.515 | "));
  EXPECT_THAT(table, HasSubstr(" | 99.0% | "));
  EXPECT_THAT(table, HasSubstr(" | 1.51% | 12ab |\n"));  // 101 of 101 + 3 * 99 paths
  EXPECT_EQ(json("runs.json")["runs"].size(), 3u);
}

TEST_F(DevicesScript, FailsIfTheFilmsDiffer) {
  pretend("str(n)");
  EXPECT_NE(measure("--spp 4 --runs 1"), 0);
  EXPECT_EQ(read_text(file("stderr.txt")), "scripts/measure/devices: the films of a differ\n");
}

}  // namespace
}  // namespace winnow
