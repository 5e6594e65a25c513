// SPDX-License-Identifier: MIT
// compaction-judge: builds a student's source with g++ and judges it.

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/learn/judge/options.h"
#include "compaction/learn/judge/rewrite.h"
#include "compaction/learn/judge/rungs.h"

namespace {

using namespace compaction::judge;
namespace fs = std::filesystem;

/// A temporary folder, removed with its contents on destruction.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "compaction-judge-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot create the folder " + name);
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream || fs::is_directory(file))
    throw std::runtime_error(file.string() + " cannot be read");
  return text.str();
}

std::string word(const std::string& text) {
  std::string quoted = " '";
  for (char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string call_of(const Options& options) {
  const std::string type = options.settings.item == Item::kFloat ? "float" : "int";
  if (options.call.empty())
    return std::string("::compaction::judge::call_") + kTaskNames[size_t(options.settings.task)] +
           "<" + type + ">(a);";
  return "::compaction::judge::call_code<" + type +
         ">(a, []([[maybe_unused]] auto& launcher, [[maybe_unused]] auto in, "
         "[[maybe_unused]] auto out, [[maybe_unused]] auto count, [[maybe_unused]] auto n) {\n"
         "#line 1 \"--call\"\n    return " +
         options.call + ";\n  });";
}

/// Returns the C++ that is compiled: the student's source, rewritten if it is CUDA, and a main
/// function. Compilers report the student's file and line numbers.
std::string program_source(const Options& options, const std::string& source) {
  const bool cuda = is_cuda(source);
  std::string text = "#include \"compaction/learn/judge/launcher.h\"\n";
  if (cuda) text += "#include \"compaction/learn/judge/cuda_syntax.h\"\n";
  text +=
      "#define main main_of_the_student\n#line 1 \"" + fs::absolute(options.file).string() + "\"\n";
  text += cuda ? rewrite(source) : source;
  text += "\n#undef main\n#line 1 \"the judge's main function\"\n";
  text += "#include \"compaction/learn/judge/call.h\"\n";
  text +=
      "int main(int argc, char** argv) {\n"
      "  return ::compaction::judge::judge_student(argc, argv,\n"
      "      []([[maybe_unused]] const ::compaction::judge::Arguments& a) {\n  " +
      call_of(options) + "\n  });\n}\n";
  return text;
}

/// Returns the options of the compiler for the folder that contains compaction/, and those of the
/// linker for the libraries: beside an installed program, otherwise in the build that made it.
std::pair<std::string, std::string> paths_of_library() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path prefix = program.parent_path().parent_path();
  const bool is_installed = fs::exists(prefix / "include/compaction/learn/judge/launcher.h", error);
  std::string libraries;
  for (const fs::path library :
       {COMPACTION_JUDGE_LIBRARY, COMPACTION_JUDGE_PAGE_LIBRARY, COMPACTION_JUDGE_HOST_LIBRARY})
    libraries +=
        word(is_installed ? prefix / COMPACTION_JUDGE_LIBDIR / library.filename() : library);
  return {" -I" + word(is_installed ? prefix / "include" : COMPACTION_JUDGE_INCLUDES),
          libraries + word(COMPACTION_JUDGE_BOOST)};
}

fs::path build_program(const Options& options, const fs::path& folder) {
  const fs::path file = options.file;
  std::string text;
  try {
    text = program_source(options, read(file));
  } catch (const RewriteError& error) {
    throw std::runtime_error(file.filename().string() + ", " + error.what());
  }
  const fs::path source = folder / "student.cpp", object = folder / "student.o",
                 program = folder / "student";
  std::ofstream(source) << text;
  const char* set_compiler = std::getenv("CXX");
  const std::string compiler = set_compiler && *set_compiler ? set_compiler : "g++";
  const auto [includes, libraries] = paths_of_library();
  // The code calls ThreadSanitizer's hooks, which compaction_host defines in place of the
  // sanitizer's library. Accesses to volatile variables call hooks of their own.
  const std::string command =
      compiler + " -std=c++20 -O1 -g1 -fsanitize=thread -w" +
      " --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0" +
      " -iquote" + word(fs::absolute(file).parent_path()) + includes + " -c" + word(source) +
      " -o" + word(object) + " && " + compiler + word(object) + libraries + " -o" + word(program);
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error(file.filename().string() + " does not compile; see the errors above");
  return program;
}

int judge_file(const Options& options, int argc, char** argv) {
  TemporaryFolder folder;
  std::string command = "exec" + word(build_program(options, folder.path));
  for (int i = 1; i < argc; ++i) command += word(argv[i]);
  const int status = std::system(command.c_str());
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

}  // namespace

int main(int argc, char** argv) {
  return with_options(argc, argv, [&](const Options& options) {
    return options.file.empty() ? judge_rung(options) : judge_file(options, argc, argv);
  });
}
