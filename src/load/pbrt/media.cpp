// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/one_line.h"
#include "load/pbrt/color.h"
#include "load/pbrt/materials.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

/// Returns the medium without parameters: milk in version 3; coefficients of 1 in version 4.
Medium default_medium(bool is_old) {
  return is_old ? *find_medium("wholemilk") : Medium{glm::vec3(1.0f), glm::vec3(1.0f)};
}

Medium read_homogeneous(const PbrtObject& medium, PbrtContext& context) {
  constexpr float kMaxAsymmetry = 0.999f;
  const PbrtParameters& parameters = medium.parameters;
  const std::string preset = parameters.text("preset");
  const std::optional<Medium> measured = find_medium(preset);
  if (!preset.empty() && !measured)
    context.warn(medium.place,
                 fmt::format("the preset {} of a medium is unknown; its coefficients are used",
                             in_quotes(preset)));
  if (parameters.has("Le")) context.warn(medium.place, "the emission of a medium is left out");
  for (const char* name : {"type", "Le", "Lescale"}) parameters.ignore(name);
  const float scale = std::max(parameters.number("scale", 1.0f), 0.0f);
  const auto surface = PbrtSpectrumUse::kSurface;
  Medium read = measured ? *measured : default_medium(context.is_old);
  read.absorption = scale * read_pbrt_color(medium, "sigma_a", read.absorption, surface, context);
  read.scattering = scale * read_pbrt_color(medium, "sigma_s", read.scattering, surface, context);
  read.asymmetry = std::clamp(parameters.number("g", 0.0f), -kMaxAsymmetry, kMaxAsymmetry);
  if (!is_near(read.absorption) || !is_near(read.scattering))
    fail_at(medium.place, "expected coefficients of a medium of at most 1e9 per metre");
  return read;
}

}  // namespace

void PbrtMedia::define(const PbrtObject& medium) {
  const std::string type = medium.parameters.text("type", "homogeneous");
  uint32_t& index = known_[medium.name];
  index = kNoMedium;
  if (type != "homogeneous")
    return context_.warn(medium.place,
                         fmt::format("a medium of the type {} is left out", in_quotes(type)));
  index = uint32_t(context_.scene.media.size());
  context_.scene.media.push_back(read_homogeneous(medium, context_));
  context_.warn_about_unused(medium, "a medium of the type");
}

uint32_t PbrtMedia::find(const std::string& name, const PbrtPlace& place) {
  if (name.empty()) return kNoMedium;
  if (auto known = known_.find(name); known != known_.end()) return known->second;
  context_.warn(place, fmt::format("the medium {} is unknown; it is left out", in_quotes(name)));
  return kNoMedium;
}

}  // namespace winnow
