// SPDX-License-Identifier: MIT
#pragma once

#include "base/known_keys.h"

namespace winnow {

/// Returns all objects of pbrt, versions 3 and 4, and their parameters. The owner of a parameter is
/// the kind and the type of its object, such as "material diffuse", or the kind alone for those of
/// all types. A row without a name is the object itself. A used row with a reason is read
/// approximately. scenes/README.md is generated from the table.
const KeyTable& pbrt_keys();

}  // namespace winnow
