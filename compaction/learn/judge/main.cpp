// SPDX-License-Identifier: MIT
// compaction-judge: builds a student's source with g++ and judges it.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "compaction/learn/judge/build.h"
#include "compaction/learn/judge/report.h"
#include "compaction/learn/judge/rungs.h"

namespace {

using namespace compaction::judge;
namespace fs = std::filesystem;

/// A temporary folder, removed with its contents on destruction.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "compaction-judge-XXXXXX").string();
    if (!mkdtemp(name.data())) throw BuildError("cannot create the folder " + name);
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

/// Runs `program` with `arguments` and returns its exit status.
int run(const fs::path& program, std::vector<std::string> arguments) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> words = {const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    execv(program.c_str(), words.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  std::printf("FAIL  the program was killed by signal %d\n", WTERMSIG(status));
  return 1;
}

int judge_rung(Options options) {
  const Rung& rung = *find_rung(options.rung);
  options.settings.task = rung.task;
  options.settings.any_order = rung.any_order;
  return judge_and_report(options, rung.name, rung.function);
}

int judge_file(const Options& options, const std::vector<std::string>& arguments) {
  TemporaryFolder folder;
  return run(build_program(find_toolchain(), options, folder.path), arguments);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    const Options options = parse_options(arguments);
    return options.judges_rung ? judge_rung(options) : judge_file(options, arguments);
  } catch (const OptionsError& error) {
    std::fprintf(error.status == 0 ? stdout : stderr, "%s\n", error.what());
    return error.status;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compaction-judge: %s\n", error.what());
    return 2;
  }
}
