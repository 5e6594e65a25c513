// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/console.h"
#include "app/commands.h"
#include "base/error.h"

namespace winnow {
namespace {

int fail(int exit_code, const std::string& reason) {
  print_message("winnow: " + reason);
  return exit_code;
}

/// Fails for lack of memory. Allocates none.
int fail_without_memory() {
  constexpr std::string_view kText =
      "winnow: not enough memory; a smaller scene or --size needs less\n";
  const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
  static_cast<void>(written);  // a failure cannot be reported
  return kExitFailure;
}

/// Returns the reason of a system error that concerns no file: mostly a thread that cannot start.
std::string reason_of(const std::system_error& error) {
  if (error.code() != std::errc::resource_unavailable_try_again) return error.what();
  return "a thread cannot be started: the limit of processes, or of memory, is reached";
}

/// Prints one line and ends the program if no handler can catch an exception, such as one that
/// leaves a thread of a library. Writes no files: the last checkpoint stays as it is.
[[noreturn]] void end_at_once() {
  std::string reason = "internal error";
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    ::_exit(fail_without_memory());
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
  }
  ::_exit(fail(kExitFailure, reason));
}

/// Opens closed standard streams, so that no file of the program gets the descriptor of one and the
/// text printed to it. They are opened for reading: printing fails, as on a closed stream.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
}

}  // namespace
}  // namespace winnow

int main(int argc, char** argv) {
  using namespace winnow;
  open_standard_streams();
  std::set_terminate(end_at_once);
  // Writing beyond the user's file size limit, or to a pipe that nobody reads, is an error and does
  // not end the program.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const std::vector<std::string> words = with_command({argv + std::min(argc, 1), argv + argc});
    if (words.empty()) return print_first_commands();
    return run_command_line(all_commands({words.begin() + 1, words.end()}), version_text(), words);
  } catch (const UsageError& error) {
    return fail(kExitUsage, error.what());
  } catch (const std::bad_alloc&) {
    return fail_without_memory();
  } catch (const std::system_error& error) {
    return fail(kExitFailure, reason_of(error));
  } catch (const std::exception& error) {
    return fail(kExitFailure, error.what());
  }
}
