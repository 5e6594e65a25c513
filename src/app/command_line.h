#pragma once

namespace winnow {

/// Parses the command and runs it. Returns the exit code: 0, or 130 if Ctrl-C came before there was
/// anything to write. Throws UsageError for a mistake in the command, and what the command throws.
int run_command_line(int argc, char** argv);

}  // namespace winnow
