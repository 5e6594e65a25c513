// SPDX-License-Identifier: MIT
#include "load/pbrt/context.h"

#include <fmt/format.h>

#include "base/one_line.h"

namespace winnow {

std::string PbrtContext::limited(const std::string& what) {
  constexpr size_t kMaxKinds = 500;
  if (kinds_.size() < kMaxKinds) kinds_.insert(what);
  return kinds_.contains(what) ? what : "there are further warnings";
}

void PbrtContext::warn_about_unused(const PbrtObject& object, const std::string& what) {
  for (const std::string& name : object.parameters.unused())
    warn(object.place, fmt::format("the parameter {} of {} {} is not used", in_quotes(name), what,
                                   in_quotes(object.type)));
}

std::optional<std::filesystem::path> PbrtContext::find_file(const PbrtPlace& place,
                                                            const std::string& name,
                                                            const std::string& consequence) {
  std::optional<std::filesystem::path> file = folders.find(name, *place.file);
  if (!file)
    warn(place, fmt::format("the file {} does not exist; {}", one_line(name, kMaxPathLength),
                            consequence));
  return file;
}

}  // namespace winnow
