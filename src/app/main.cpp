#include <exception>
#include <new>
#include <string>

#include "app/cli/exit_codes.h"
#include "app/cli/message.h"
#include "app/command_line.h"
#include "base/error.h"

namespace {

int fail(int exit_code, const std::string& reason) {
  winnow::print_message("winnow: " + reason);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return winnow::run_command_line(argc, argv);
  } catch (const winnow::UsageError& error) {
    return fail(winnow::kExitUsage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(winnow::kExitFailure, "not enough memory; a smaller scene or --size needs less");
  } catch (const std::exception& error) {
    return fail(winnow::kExitFailure, error.what());
  }
}
