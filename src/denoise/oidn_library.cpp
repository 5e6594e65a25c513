// SPDX-License-Identifier: MIT
#include "denoise/oidn_library.h"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

#include "base/error.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOidnFile = "libOpenImageDenoise.so.2";
constexpr const char* kInstallOidn =
    "run \"pip install pyoidn\"; or set WINNOW_OIDN=PATH to its library, or to a folder that holds "
    "it, such as a virtual environment";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Returns the library below `folder`, at most as deep as Python packages in an environment.
std::optional<fs::path> find_below(const fs::path& folder) {
  constexpr int kMaxDepth = 7;
  std::error_code failure;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         failure);
  for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
    if (entry->path().filename() == kOidnFile) return entry->path();
    if (entry.depth() >= kMaxDepth) entry.disable_recursion_pending();
  }
  return std::nullopt;
}

/// Returns the folders "python3*" in `folder`, the newest version first.
std::vector<fs::path> python_folders(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
    if (entry->path().filename().string().starts_with("python3")) folders.push_back(entry->path());
  std::sort(folders.rbegin(), folders.rend());
  return folders;
}

/// Folders that set_python_path() sets.
std::vector<fs::path>& python_path() {
  static std::vector<fs::path> folders;
  return folders;
}

/// Returns the folder of the shared library that holds this code; none in a program.
std::optional<fs::path> own_folder() {
  Dl_info info;
  if (::dladdr(reinterpret_cast<const void*>(&load_oidn), &info) == 0) return std::nullopt;
  const fs::path file = fs::path(info.dli_fname).lexically_normal();
  if (!file.is_absolute() || file.extension() != ".so") return std::nullopt;
  return file.parent_path();
}

/// Returns folders that hold the "bin" and "lib" of a Python, the preferred one first.
std::vector<fs::path> python_prefixes() {
  std::vector<fs::path> prefixes;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::string prefix = variable(name); !prefix.empty()) prefixes.push_back(prefix);
  std::istringstream folders(variable("PATH"));
  for (std::string name; std::getline(folders, name, ':');) {
    const fs::path folder = name;
    std::error_code failure;
    if (folder.is_absolute() && fs::exists(folder / "python3", failure))
      prefixes.push_back(folder.parent_path());
  }
  if (const std::string home = variable("HOME"); !home.empty())
    prefixes.push_back(fs::path(home) / ".local");
  prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  return prefixes;
}

/// Returns folders of Python packages, the preferred one first.
std::vector<fs::path> package_folders() {
  std::vector<fs::path> folders = python_path();
  // A wheel of Winnow has its library in the folder of its package.
  if (const auto package = own_folder()) folders.insert(folders.begin(), package->parent_path());
  for (const fs::path& prefix : python_prefixes())
    for (const fs::path& python : python_folders(prefix / "lib"))
      for (const char* packages : {"site-packages", "dist-packages"})
        folders.push_back(python / packages);
  return folders;
}

/// Loads a library. Returns null, with the reason, if that fails.
void* open_library(const fs::path& file, std::string& reason) {
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) reason = one_line(::dlerror(), kMaxPathLength);
  return library;
}

/// Loads the library that WINNOW_OIDN names.
OidnLibrary load_named(const fs::path& named) {
  std::error_code failure;
  std::optional<fs::path> file = named;
  if (fs::is_directory(named, failure)) file = find_below(named);
  if (!file) throw Error(fmt::format("WINNOW_OIDN: {}: holds no {}", named.string(), kOidnFile));
  std::string reason;
  void* library = open_library(*file, reason);
  if (!library) throw Error(fmt::format("WINNOW_OIDN: cannot be loaded: {}", reason));
  return {library, *file};
}

}  // namespace

OidnLibrary::Symbol OidnLibrary::find(const char* name) const {
  if (void* address = ::dlsym(library_, name)) return {address};
  throw Error(fmt::format("{}: is not Open Image Denoise 2: it lacks {}; {}", file.string(), name,
                          kInstallOidn));
}

void set_python_path(std::vector<fs::path> folders) {
  python_path() = std::move(folders);
}

std::vector<fs::path> find_oidn_wheels() {
  std::vector<fs::path> found;
  for (const fs::path& packages : package_folders()) {
    const std::optional<fs::path> file = find_below(packages / "pyoidn");
    if (file && std::find(found.begin(), found.end(), *file) == found.end()) found.push_back(*file);
  }
  return found;
}

OidnLibrary load_oidn() {
  if (const std::string named = variable("WINNOW_OIDN"); !named.empty()) return load_named(named);
  std::vector<fs::path> files = find_oidn_wheels();
  files.insert(files.begin(), kOidnFile);
  std::string reason, why_not_wheel;
  for (const fs::path& file : files) {
    if (void* library = open_library(file, reason)) return {library, file};
    if (file != kOidnFile) why_not_wheel = reason;
  }
  if (!why_not_wheel.empty())
    throw Error(fmt::format("Open Image Denoise cannot be loaded: {}", why_not_wheel));
  throw Error(fmt::format("Open Image Denoise is not installed: {}", kInstallOidn));
}

}  // namespace winnow
