// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/folder_test.h"
#include "tests/support/this_build.h"

namespace winnow {

inline std::string read_text(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Returns samples per pixel for a render that a test interrupts. Renders are 10 to 30 times as
/// slow under sanitizers, and need fewer samples to last as long.
inline std::string spp_of_long_render(int spp) {
  if (kThisBuild.is_sanitized) spp /= 8;
  return std::to_string(spp);
}

/// Exit code or signal, and output, of a run of the program.
struct Outcome {
  int exit_code = -1;  ///< -1 if a signal ended it
  int signal = 0;
  std::string out, err;
};

/// The real program, or another one, running in a folder of its own.
class WinnowProcess {
 public:
  enum class Stderr { kFile, kTerminal };

  WinnowProcess(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                Stderr style = Stderr::kFile, const std::string& program = kThisBuild.winnow)
      : out_file_(folder / "stdout.txt"), err_file_(folder / "stderr.txt") {
    std::vector<std::string> words = {program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    int out = ::open(out_file_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    int err = -1;
    if (style == Stderr::kTerminal) {
      terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
      ::grantpt(terminal_);
      ::unlockpt(terminal_);
      err = ::open(::ptsname(terminal_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    } else {
      err = ::open(err_file_.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    }
    process_ = ::fork();
    if (process_ == 0) {
      bool ready = ::chdir(folder.c_str()) == 0 && ::dup2(out, STDOUT_FILENO) >= 0 &&
                   ::dup2(err, STDERR_FILENO) >= 0;
      if (ready) ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(out);
    ::close(err);
  }
  WinnowProcess(const WinnowProcess&) = delete;
  ~WinnowProcess() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      wait();
    }
  }

  void send(int signal) const { ::kill(process_, signal); }

  /// Waits, at most 20 s, until stderr holds `text`.
  bool stderr_shows(const std::string& text) const {
    for (int trial = 0; trial < 2000; ++trial) {
      if (read_text(err_file_).find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  /// Waits, at most 20 s, until the terminal shows text that matches `pattern`.
  bool terminal_shows(const std::regex& pattern) {
    constexpr int kTimeout = 20'000;  // ms, for each piece of text
    pollfd ready{.fd = terminal_, .events = POLLIN, .revents = 0};
    while (!std::regex_search(terminal_text_, pattern))
      if (::poll(&ready, 1, kTimeout) != 1 || !read_terminal()) return false;
    return true;
  }

  Outcome wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    Outcome outcome;
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    outcome.out = read_text(out_file_);
    outcome.err = terminal_ >= 0 ? close_terminal() : read_text(err_file_);
    return outcome;
  }

 private:
  /// Appends what the terminal has shown since the last call; false at its end.
  bool read_terminal() {
    char bytes[4096];
    const ssize_t count = ::read(terminal_, bytes, sizeof(bytes));
    if (count > 0) terminal_text_.append(bytes, size_t(count));
    return count > 0;
  }

  /// All that the terminal has shown. Since the last read it must be less than the terminal
  /// buffers.
  std::string close_terminal() {
    while (read_terminal()) {
    }
    ::close(terminal_);
    terminal_ = -1;
    return terminal_text_;
  }

  std::filesystem::path out_file_, err_file_;
  int terminal_ = -1;
  std::string terminal_text_;
  pid_t process_ = 0;
};

/// Runs the program in a folder of its own.
class WinnowTest : public FolderTest {
 protected:
  Outcome run(const std::vector<std::string>& arguments) const {
    return WinnowProcess(folder_, arguments, WinnowProcess::Stderr::kFile, program_).wait();
  }

  /// Runs the program and expects it to succeed.
  Outcome succeed(const std::vector<std::string>& arguments) const {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err << outcome.out;
    return outcome;
  }

  /// Expects the program to refuse `arguments` in one line on stderr that contains `part`.
  void expect_failure(int exit_code, const std::vector<std::string>& arguments,
                      const std::string& part = "") const {
    const std::string name = std::filesystem::path(program_).filename();
    std::string command = name;
    for (const std::string& argument : arguments) command += " " + argument;
    SCOPED_TRACE(command);
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.rfind(name + ": ", 0), 0u) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::filesystem::path file(const std::string& name) const { return folder_ / name; }

  nlohmann::json json(const std::string& name) const {
    return nlohmann::json::parse(read_text(file(name)));
  }

  /// Files in the folder besides stdout.txt and stderr.txt.
  size_t file_count() const {
    const auto files = std::filesystem::directory_iterator(folder_);
    return size_t(std::distance(files, std::filesystem::directory_iterator())) - 2;
  }

  static std::vector<std::string> joined(std::vector<std::string> first,
                                         const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  std::string program_ = kThisBuild.winnow;
};

inline const std::string kCornellBox = std::string(WINNOW_SCENES_DIR) + "/cornell-box.json";

}  // namespace winnow
