// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace winnow {

/// What a reader does with a key of its format: a parameter, an attribute, an extension, a header
/// line, a channel or a chunk.
enum class KeyUse {
  kUsed,      ///< it is read
  kHarmless,  ///< it does not change a picture
  kIgnored,   ///< it can change a picture and is not read: the reader warns
};

/// A row of a reader's table of all keys that its format defines. The reader takes a key without a
/// row as ignored, so that nothing in a file is dropped without a warning.
struct KnownKey {
  std::string_view owner;  ///< what the key belongs to, such as a plugin; empty: anything
  std::string_view name;
  KeyUse use = KeyUse::kUsed;
  std::string_view why = {};  ///< why it is harmless, or what is lost because it is ignored
};

/// Returns the row of a key; null if there is none. A row of the owner goes before a row of
/// anything.
constexpr const KnownKey* find_known_key(std::span<const KnownKey> keys, std::string_view owner,
                                         std::string_view name) {
  const KnownKey* found = nullptr;
  for (const KnownKey& key : keys)
    if (key.name == name && (key.owner == owner || (key.owner.empty() && !found))) found = &key;
  return found;
}

}  // namespace winnow
