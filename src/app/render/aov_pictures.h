#pragma once

#include <string>

#include "app/render/aov.h"

namespace winnow {

/// Writes a picture of an AOV: numbers where the format holds any, else colours. Returns what they
/// mean, in one line.
std::string write_aov(const AovOutput& output, const HostFilm& film);

}  // namespace winnow
