#include "base/replace_file.h"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/error.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Fills `file`. Errors name `target`.
void write_whole(const fs::path& file, const fs::path& target,
                 const std::function<void(std::ostream&)>& write) {
  auto fail = [&] {
    std::string reason = errno ? std::generic_category().message(errno) : "the write failed";
    throw Error(fmt::format("{}: cannot be written: {}", target.string(), reason));
  };
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  if (!stream) fail();
  try {
    write(stream);
  } catch (const Error& error) {
    if (!stream) fail();
    throw Error(fmt::format("{}: {}", target.string(), error.what()));
  }
  stream.close();  // flushes: a full disk may show only here
  if (!stream) fail();
}

/// A name that no other file of the folder has. Its length does not grow with that of `target`.
fs::path name_beside(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  return target.parent_path() / fmt::format(".winnow-{}-{}.tmp", ::getpid(), ++count);
}

}  // namespace

void replace_file(const fs::path& target, const std::function<void(std::ostream&)>& write) {
  std::error_code ignored;
  if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
    return write_whole(target, target, write);

  fs::path resolved = fs::weakly_canonical(target, ignored);
  if (resolved.empty()) resolved = target;
  fs::path temporary = name_beside(resolved);
  try {
    write_whole(temporary, target, write);
    std::error_code failure;
    fs::rename(temporary, resolved, failure);
    if (failure)
      throw Error(fmt::format("{}: cannot be written: {}", target.string(), failure.message()));
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
}

}  // namespace winnow
