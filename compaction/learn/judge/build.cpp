// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/build.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "compaction/learn/judge/rewrite.h"

namespace compaction::judge {

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream || fs::is_directory(file)) throw BuildError(file.string() + " cannot be read");
  return text.str();
}

/// Returns `text` quoted as one word of a shell command.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

const char* type_of(Item item) {
  return item == Item::kFloat ? "float" : "int";
}

std::string call_of(const Options& options) {
  const std::string type = type_of(options.settings.item);
  if (!options.call.empty())
    return "::compaction::judge::call_code<" + type +
           ">(a, []([[maybe_unused]] auto& launcher, [[maybe_unused]] auto in, "
           "[[maybe_unused]] auto out, [[maybe_unused]] auto count, [[maybe_unused]] auto n) {\n"
           "#line 1 \"--call\"\n    return " +
           options.call + ";\n  });";
  const char* task = options.settings.task == Task::kReduce ? "reduce"
                     : options.settings.task == Task::kScan ? "scan"
                                                            : "select";
  return std::string("::compaction::judge::call_") + task + "<" + type + ">(a);";
}

/// Returns the prefix that the running program is installed in; empty if it runs from its build.
fs::path install_prefix() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path prefix = program.parent_path().parent_path();
  return fs::exists(prefix / "include/compaction/learn/judge/launcher.h", error) ? prefix
                                                                                 : fs::path();
}

}  // namespace

Toolchain find_toolchain() {
  Toolchain toolchain;
  const char* compiler = std::getenv("CXX");
  toolchain.compiler = compiler && *compiler ? compiler : "g++";
  toolchain.boost_library = COMPACTION_JUDGE_BOOST;
  if (const fs::path prefix = install_prefix(); !prefix.empty()) {
    toolchain.includes = prefix / "include";
    toolchain.judge_library = prefix / COMPACTION_JUDGE_LIBDIR / "libcompaction_judge.a";
    toolchain.page_library = prefix / COMPACTION_JUDGE_LIBDIR / "libcompaction_page.a";
    toolchain.host_library = prefix / COMPACTION_JUDGE_LIBDIR / "libcompaction_host.a";
  } else {
    toolchain.includes = COMPACTION_JUDGE_INCLUDES;
    toolchain.judge_library = COMPACTION_JUDGE_LIBRARY;
    toolchain.page_library = COMPACTION_JUDGE_PAGE_LIBRARY;
    toolchain.host_library = COMPACTION_JUDGE_HOST_LIBRARY;
  }
  return toolchain;
}

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

std::filesystem::path build_program(const Toolchain& toolchain, const Options& options,
                                    const fs::path& folder) {
  std::string text;
  try {
    text = program_source(options, read(options.file));
  } catch (const RewriteError& error) {
    throw BuildError(fs::path(options.file).filename().string() + ", " + error.what());
  }
  const fs::path source = folder / "student.cpp", program = folder / "student";
  std::ofstream(source) << text;
  // The code calls ThreadSanitizer's hooks, which compaction_host defines in place of the
  // sanitizer's library. Accesses to volatile variables call hooks of their own.
  const fs::path own_folder = fs::absolute(options.file).parent_path();
  const std::string command =
      toolchain.compiler + " -std=c++20 -O1 -g1 -fsanitize=thread -w" +
      " --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0" +
      " -iquote " + quoted(own_folder.string()) + " -I " + quoted(toolchain.includes.string()) +
      " -c " + quoted(source.string()) + " -o " + quoted((folder / "student.o").string()) + " && " +
      toolchain.compiler + " " + quoted((folder / "student.o").string()) + " " +
      quoted(toolchain.judge_library.string()) + " " + quoted(toolchain.page_library.string()) +
      " " + quoted(toolchain.host_library.string()) + " " +
      quoted(toolchain.boost_library.string()) + " -o " + quoted(program.string());
  if (std::system(command.c_str()) != 0)
    throw BuildError(fs::path(options.file).filename().string() +
                     " does not compile; see the errors above");
  return program;
}

}  // namespace compaction::judge
