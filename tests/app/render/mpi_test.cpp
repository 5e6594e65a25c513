// SPDX-License-Identifier: MIT
// Tests renders of several processes that mpirun starts. Skipped without MPI.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "film/film_file.h"
#include "processes/processes.h"
#include "tests/app/support/run_winnow.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

class Mpi : public WinnowTest {
 protected:
  using Words = std::vector<std::string>;

  void SetUp() override {
    WinnowTest::SetUp();
    if (!has_mpi()) GTEST_SKIP() << "this winnow was built without MPI";
    if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
    // More processes than processors, and as root in a container; MPI's own leaks are not our
    // errors.
    for (const char* name : {"OMPI_MCA_rmaps_base_oversubscribe", "OMPI_ALLOW_RUN_AS_ROOT",
                             "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "PRTE_ALLOW_RUN_AS_ROOT",
                             "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"})
      ::setenv(name, "1", 1);
    ::setenv("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe", 1);
    ::setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
  }

  /// A command that renders the Cornell box on the CPU, 6 by 5 tiles. Paths and options need no
  /// quotes.
  static std::string command(const std::string& options, const std::string& spp = "8") {
    return std::string(kThisBuild.winnow) + " render " + kCornellBox +
           " --device cpu --size 96x80 --max-bounces 3 --threads 1 --quiet --spp " + spp + " " +
           options;
  }
  static std::string on_processes(int count, const std::string& command) {
    return "mpirun -n " + std::to_string(count) + " " + command;
  }

  /// Runs a command of the shell. Returns its exit code; what it prints is in out.txt and err.txt.
  int shell(const std::string& script) const {
    const std::string here =
        "cd " + folder_.string() + " && { " + script + "\n} >out.txt 2>err.txt";
    const int status = std::system(here.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string err() const { return read_text(file("err.txt")); }

  /// The lines of stderr that are Winnow's, not those of mpirun.
  Words lines() const {
    std::istringstream text(err());
    Words lines;
    for (std::string line; std::getline(text, line);)
      if (line.starts_with("winnow: ") || line.starts_with("warning: ")) lines.push_back(line);
    return lines;
  }

  /// Returns the statistics of a command that succeeds without a message.
  Json stats_of(const std::string& command) const {
    EXPECT_EQ(shell(command + " -o s.png --stats s.json"), 0) << command << "\n" << err();
    EXPECT_EQ(err(), "") << command;
    return json("s.json");
  }

  /// Sends a signal, by `kill`, once a long render of 3 processes has written its first checkpoint.
  /// Returns its exit code.
  ///
  /// @param kill  a command, in which $job is the process id of mpirun and $process_2 that of one
  /// of its processes
  int interrupt(const std::string& kill) const {
    fs::remove(file("c.film"));
    fs::remove(file("i.pfm"));
    const std::string render =
        command("--sampler hash --checkpoint c.film --every 0.05 -o i.pfm", "1000000");
    return shell(
        on_processes(3, "sh -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec " + render + "'") +
        " & job=$!\n"
        "for trial in $(seq 1000); do [ -e c.film ] && break; sleep 0.02; done\n"
        "process_2=$(cat pid.2)\n" +
        kill + "\nwait $job");
  }

  /// Continues the interrupted render on 2 processes for a few samples, and expects the film that
  /// one process renders.
  void expect_rest_as_of_one_process() const {
    const std::vector<uint32_t> samples = read_film(file("c.film")).film.samples;
    const std::string spp = std::to_string(*std::max_element(samples.begin(), samples.end()) + 3);
    const Json one = stats_of(command("--sampler hash", spp));
    const Json stats = stats_of(on_processes(2, command("--sampler hash --resume c.film", spp)));
    EXPECT_EQ(stats["film_hash"], one["film_hash"]);
    EXPECT_EQ(stats["rays"], one["rays"]);
  }
};

TEST_F(Mpi, RendersTheImageOfOneProcess) {
  const Json one = stats_of(command(""));
  const std::vector<std::pair<int, std::string>> kWays = {
      {1, ""}, {2, "--loop path"}, {3, "--threads 2 --cull scan"}, {5, "--wave-size 100"}};
  for (const auto& [count, options] : kWays) {
    const Json stats = stats_of(on_processes(count, command(options)));
    EXPECT_EQ(stats["film_hash"], one["film_hash"]) << count;
    EXPECT_EQ(stats["rays"], one["rays"]);
    if (count == 1) continue;
    ASSERT_EQ(stats["devices"].size(), size_t(count));
    uint64_t paths = 0;
    for (const Json& device : stats["devices"]) paths += device["paths"].get<uint64_t>();
    EXPECT_EQ(paths, stats["rays"]["camera"]);
    EXPECT_THAT(stats["device"].get<std::string>(),
                testing::StartsWith(std::to_string(count) + " processes on 1 host, each CPU, "));
  }
}

TEST_F(Mpi, GathersTheArraysOfAovs) {
  const std::string aovs =
      "--aov albedo,normal,depth,ids,variance,deaths --clamp-indirect 2 --fireflies reweight ";
  ASSERT_EQ(shell(command(aovs + "-o a.film -o a.exr")), 0);
  ASSERT_EQ(shell(on_processes(3, command(aovs + "-o b.film -o b.exr"))), 0) << err();
  EXPECT_TRUE(have_same_bits(read_film(file("a.film")).film, read_film(file("b.film")).film));
  EXPECT_EQ(read_text(file("a.exr")), read_text(file("b.exr")));
}

TEST_F(Mpi, EndsTilesWhereOneProcessDoes) {
  const Json one = stats_of(command("--noise 0.2", "200"));
  EXPECT_LT(one["spp"], 200);
  const Json stats = stats_of(on_processes(3, command("--noise 0.2", "200")));
  EXPECT_EQ(stats["film_hash"], one["film_hash"]);
  EXPECT_EQ(stats["noise"], one["noise"]);
  EXPECT_EQ(stats["spp"], one["spp"]);
}

TEST_F(Mpi, ContinuesWithAnotherNumberOfProcesses) {
  // 17 to 32 samples have the same sequence.
  const Json one = stats_of(command("", "32"));
  ASSERT_EQ(shell(on_processes(3, command("--checkpoint c.film -o c.png", "17"))), 0) << err();
  Json stats = stats_of(on_processes(2, command("--resume c.film --checkpoint d.film", "25")));
  EXPECT_EQ(stats["spp"], 25);
  stats = stats_of(command("--resume d.film", "32"));
  EXPECT_EQ(stats["film_hash"], one["film_hash"]);
  EXPECT_EQ(stats["rays"], one["rays"]);
  stats = stats_of(on_processes(5, command("--resume d.film", "32")));
  EXPECT_EQ(stats["film_hash"], one["film_hash"]);
}

TEST_F(Mpi, WritesItsImageAfterASignalToAnyProcess) {
  for (const std::string kill : {"kill -USR1 $job", "kill -TERM $process_2"}) {
    SCOPED_TRACE(kill);
    EXPECT_EQ(interrupt(kill), 0) << err();
    EXPECT_TRUE(fs::exists(file("i.pfm"))) << err();
    expect_rest_as_of_one_process();
  }
}

TEST_F(Mpi, EndsWhenOneProcessIsKilledAndContinuesFromItsCheckpoint) {
  EXPECT_NE(interrupt("kill -KILL $process_2"), 0);
  EXPECT_FALSE(fs::exists(file("i.pfm")));
  expect_rest_as_of_one_process();
}

TEST_F(Mpi, WritesItsImageWhenMpirunIsTerminated) {
  // mpirun passes SIGTERM on after a while, and kills what is left after as long.
  ::setenv("OMPI_MCA_odls_base_sigkill_timeout", "2", 1);
  interrupt("kill -TERM $job");
  ASSERT_TRUE(fs::exists(file("i.pfm"))) << err();
  const FilmFile film = read_film(file("c.film"));
  EXPECT_TRUE(film.tiles.is_whole());
  EXPECT_GE(*std::min_element(film.film.samples.begin(), film.film.samples.end()), 1u);
}

TEST_F(Mpi, EndsAtATimeLimit) {
  const Json stats =
      stats_of(on_processes(2, std::string(kThisBuild.winnow) + " render " + kCornellBox +
                                   " --device cpu --size 64x64 --time-limit 0.3"
                                   " --quiet"));
  EXPECT_GE(stats["spp"], 1.0);
}

TEST_F(Mpi, SaysOnceAndWhereARenderFails) {
  auto expect = [&](int exit_code, const std::string& command, const std::string& part) {
    EXPECT_EQ(shell(on_processes(3, command)), exit_code) << err();
    ASSERT_EQ(lines().size(), 1u) << err();
    EXPECT_THAT(lines()[0], HasSubstr(part));
    EXPECT_FALSE(fs::exists(file("x.png")));
  };
  // With a line of the shell, processes have different arguments.
  auto on_process_1 = [&](const std::string& option) {
    return "sh -c '[ $OMPI_COMM_WORLD_RANK = 1 ] && more=\"" + option + "\"; exec " +
           command("-o x.png $more") + "'";
  };
  expect(1, std::string(kThisBuild.winnow) + " render none.json -o x.png", "winnow: process 0 on ");
  expect(2, command("--record-masks m.bin -o x.png"), ": --record-masks: ");
  expect(1, command("-o none/x.png"), "the folder none does not exist");
  expect(1, on_process_1("--bvh-cache /dev/null/none"), "winnow: process 1 on ");
  expect(1, on_process_1("--seed 3"),
         "its render differs from that of process 0: --seed is 3, not 0; --mpi off");
}

TEST_F(Mpi, LeavesProcessesAloneThatRenderImagesOrSharesOfTheirOwn) {
  const std::string own = "sh -c 'exec " +
                          command(
                              "--mpi off -o $OMPI_COMM_WORLD_RANK.pfm "
                              "--seed $OMPI_COMM_WORLD_RANK") +
                          "'";
  ASSERT_EQ(shell(on_processes(2, own)), 0) << err();
  EXPECT_NE(read_text(file("0.pfm")), read_text(file("1.pfm")));
  const std::string share =
      "sh -c 'exec " + command("--share auto -o s-$OMPI_COMM_WORLD_RANK.film") + "'";
  ASSERT_EQ(shell(on_processes(3, share)), 0) << err();
  succeed({"merge", "s-0.film", "s-1.film", "s-2.film", "-o", "m.pfm"});
  ASSERT_EQ(shell(command("-o a.pfm")), 0);
  EXPECT_EQ(read_text(file("m.pfm")), read_text(file("a.pfm")));
}

TEST_F(Mpi, RefusesProcessesThatItCannotConnect) {
  EXPECT_EQ(shell("SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 " + command("-o x.png")), 2);
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_THAT(lines()[0],
              HasSubstr("srun started 4 processes, and MPI connects them only with srun "
                        "--mpi=pmix: each would render the whole image"));
  EXPECT_EQ(shell("SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4 " + command("-o x.png")), 2);
  EXPECT_EQ(err(), "");  // the first process reports it
  EXPECT_EQ(shell("PMI_RANK=0 PMI_SIZE=4 " + command("-o x.png")), 2);
  EXPECT_THAT(err(), HasSubstr("the launcher started 4 processes, and MPI sees 1 of them"));
}

}  // namespace
}  // namespace winnow
