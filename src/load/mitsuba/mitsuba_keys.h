// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/known_keys.h"
#include "load/mitsuba/document.h"

namespace winnow {

/// Returns all plugins of Mitsuba 0.5 to 3.9 and their parameters. The owner of a parameter is the
/// tag and the type of its plugin, such as "bsdf diffuse", or the tag alone for those of all types.
/// A row without a name is the plugin itself. A used row with a reason is read approximately.
/// scenes/README.md is generated from the table.
std::span<const KnownKey> mitsuba_keys();

/// Returns the row of a parameter by its name in snake case; null for an unknown one.
const KnownKey* find_mitsuba_key(std::string_view tag, std::string_view type,
                                 std::string_view name);

/// Warns about the parameters of all objects of a document that are not read.
void warn_about_ignored_keys(MitsubaDocument& document);

}  // namespace winnow
