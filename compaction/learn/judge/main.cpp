// SPDX-License-Identifier: MIT
// compaction-judge: builds a student's source with g++ and judges it.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
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
  if (text.view().find('\0') != std::string_view::npos)
    throw std::runtime_error(file.string() + " is not a text file");
  return text.str();
}

constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP};

/// Runs a command of the shell in a process group of its own and returns its status as waitpid()
/// does. Calls tick() every second, which may kill the group. A signal that ends this program ends
/// the command first, and becomes a std::runtime_error, so that temporary files are removed.
int run_command(const std::string& command, const std::function<void(pid_t)>& tick = {}) {
  sigset_t awaited, before;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  for (const int signal : kEndingSignals) sigaddset(&awaited, signal);
  sigprocmask(SIG_BLOCK, &awaited, &before);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  if (child < 0) throw std::runtime_error("cannot start a process");
  setpgid(child, child);
  int status = 0, ending = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const timespec second = {.tv_sec = 1, .tv_nsec = 0};
    const int signal = sigtimedwait(&awaited, nullptr, &second);
    if (signal < 0 && tick) tick(child);
    if (signal <= 0 || signal == SIGCHLD) continue;
    ending = signal;
    kill(-child, SIGKILL);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (ending) throw std::runtime_error("ended by signal " + std::to_string(ending));
  return status;
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

/// Prints the first errors of a compiler with the lines that it quotes, without its notes on
/// templates.
void print_errors(const fs::path& log) {
  constexpr int kMostErrors = 5, kQuotedLines = 2;
  std::ifstream stream(log);
  int errors = 0, quoted = 0;
  for (std::string line; std::getline(stream, line);) {
    const bool is_error =
        line.find("error: ") != line.npos || line.find("undefined reference") != line.npos;
    if (is_error && ++errors > kMostErrors) break;
    if (is_error)
      quoted = kQuotedLines;
    else if (quoted-- <= 0 || !line.starts_with(' '))
      continue;
    std::fprintf(stderr, "%s\n", line.c_str());
  }
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
  // sanitizer's library. Accesses to volatile variables call hooks of their own. In DWARF 5,
  // addr2line 2.40 takes the first file of a #line directive for the source itself.
  const std::string command =
      compiler + " -std=c++20 -O1 -g1 -gdwarf-4 -fsanitize=thread -w -fmax-errors=5" +
      " --param tsan-distinguish-volatile=1 --param tsan-instrument-func-entry-exit=0" +
      " -iquote" + word(fs::absolute(file).parent_path()) + includes + " -c" + word(source) +
      " -o" + word(object) + " && " + compiler + word(object) + libraries + " -o" + word(program);
  const fs::path log = folder / "errors";
  if (run_command("{ " + command + "; } 2>" + word(log)) != 0) {
    print_errors(log);
    throw std::runtime_error(file.filename().string() + " does not compile; see the errors above");
  }
  return program;
}

/// The Progress in a file that another program maps.
class SharedProgress {
 public:
  explicit SharedProgress(const fs::path& file) {
    std::ofstream(file, std::ios::binary)
        .write(std::string(sizeof(Progress), '\0').data(), sizeof(Progress));
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    void* mapped = mmap(nullptr, sizeof(Progress), PROT_READ, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    if (mapped == MAP_FAILED) throw std::runtime_error(file.string() + " cannot be mapped");
    progress_ = static_cast<const Progress*>(mapped);
  }
  ~SharedProgress() { munmap(const_cast<Progress*>(progress_), sizeof(Progress)); }
  SharedProgress(const SharedProgress&) = delete;

  const Progress* operator->() const { return progress_; }

 private:
  const Progress* progress_;
};

int judge_file(const Options& options, int argc, char** argv) {
  constexpr uint64_t kGrace = 5;  // s, after the limit of a call
  const TemporaryFolder folder;
  const std::string program = build_program(options, folder.path);
  const SharedProgress progress(folder.path / "progress");
  std::string command = std::string(kProgressVariable) + "=" +
                        word((folder.path / "progress").string()).substr(1) + " exec" +
                        word(program);
  for (int i = 1; i < argc; ++i) command += word(argv[i]);
  uint64_t known_trials = 0, seconds = 0;
  const int status = run_command(command, [&](pid_t child) {
    seconds = progress->trials == known_trials && progress->trials > 0 ? seconds + 1 : 0;
    known_trials = progress->trials;
    const unsigned limit = options.settings.seconds;
    if (limit > 0 && !progress->has_ended && seconds > limit + kGrace) kill(-child, SIGKILL);
  });
  if (WIFEXITED(status) && progress->has_ended) return WEXITSTATUS(status);
  const std::string name = fs::path(options.file).filename().string();
  const std::string how =
      WIFEXITED(status) ? "the function ended the program (exit status " +
                              std::to_string(WEXITSTATUS(status)) + ")"
                        : "the program was killed by signal " + std::to_string(WTERMSIG(status));
  const std::string trial = progress->trial;
  std::printf("FAIL  %s: error\n  %s\n  %s\n", name.c_str(),
              trial.empty() ? "before the first call" : trial.c_str(), how.c_str());
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
