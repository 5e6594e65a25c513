// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "processes/processes.h"
#include "tests/support/this_build.h"

namespace winnow {
namespace {

std::optional<Launch> launch_in(const std::map<std::string, std::string>& variables) {
  return find_launch([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

void expect_launch(const std::map<std::string, std::string>& variables, const std::string& launcher,
                   uint32_t process, uint32_t count, bool connects) {
  const std::optional<Launch> launch = launch_in(variables);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->launcher, launcher);
  EXPECT_EQ(launch->index, process);
  EXPECT_EQ(launch->count, count);
  EXPECT_EQ(launch->connects, connects);
}

TEST(Launcher, IsWhatTheEnvironmentSays) {
  expect_launch({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "8"}, {"PMIX_RANK", "2"}},
                "mpirun", 2, 8, true);
  expect_launch({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}, {"SLURM_PROCID", "0"}}, "the launcher", 0, 4,
                true);
  expect_launch({{"MV2_COMM_WORLD_RANK", "1"}, {"MV2_COMM_WORLD_SIZE", "2"}}, "mpirun_rsh", 1, 2,
                true);
  expect_launch({{"JSM_NAMESPACE_RANK", "1"}, {"JSM_NAMESPACE_SIZE", "2"}, {"PMIX_RANK", "1"}},
                "jsrun", 1, 2, true);
  expect_launch({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"PMIX_RANK", "3"}}, "srun",
                3, 4, true);
  expect_launch({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "4"}}, "srun", 3, 4, false);
  expect_launch({{"PMIX_RANK", "1"}, {"PMIX_NAMESPACE", "prterun-host-9@1"}}, "a PMIx launcher", 1,
                0, true);
}

TEST(Launcher, IsNoneForAProcessThatIsAlone) {
  EXPECT_FALSE(launch_in({}));
  EXPECT_FALSE(launch_in({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
  // The script of a job that has many tasks, none of which is this process.
  EXPECT_FALSE(launch_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}));
  EXPECT_FALSE(launch_in({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}));
  EXPECT_FALSE(
      launch_in({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"PMIX_RANK", "0"}}));
  EXPECT_FALSE(launch_in({{"PMI_RANK", "x"}, {"PMI_SIZE", "4"}}));
  EXPECT_FALSE(launch_in({{"PMI_RANK", "5"}, {"PMI_SIZE", "4"}}));
}

TEST(Launcher, IsAloneIfThePmixServerCountsOneProcess) {
  const std::filesystem::path build = std::filesystem::path(kThisBuild.winnow).parent_path();
  const std::string library = build / "tests" / "libfake_pmix.so";
  for (const char* size : {"1", "2", "4096", "none"}) {
    ::setenv("FAKE_PMIX_SIZE", size, 1);
    EXPECT_EQ(is_alone_by_pmix(library), std::string(size) == "1") << size;
  }
  ::unsetenv("FAKE_PMIX_SIZE");  // no server
  EXPECT_FALSE(is_alone_by_pmix(library));
  EXPECT_FALSE(is_alone_by_pmix("libmissing.so"));
  EXPECT_FALSE(is_alone_by_pmix("libc.so.6"));  // has none of its functions
}

}  // namespace
}  // namespace winnow
