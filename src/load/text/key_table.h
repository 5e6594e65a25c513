// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/known_keys.h"

namespace winnow {

// Why a key is harmless.
inline constexpr std::string_view kChangesNoise = "it changes the noise only";
inline constexpr std::string_view kChangesSpeed = "it changes time and memory only";
inline constexpr std::string_view kChangesOutput = "it chooses what a file holds";

/// A reader's table of keys by owner, where an owner is a kind and a type of objects, such as "bsdf
/// diffuse", or a kind alone.
class KeyTable {
 public:
  /// @param rows  may have several names in one row, separated by spaces; must outlive the table
  explicit KeyTable(std::span<const KnownKey> rows) {
    for (const KnownKey& row : rows) {
      size_t at = 0;
      do {
        const size_t end = std::min(row.name.find(' ', at), row.name.size());
        keys_.push_back({row.owner, row.name.substr(at, end - at), row.use, row.why});
        at = end + 1;
      } while (at < row.name.size());
    }
    for (const KnownKey& key : keys_) owners_[std::string(key.owner)][key.name] = &key;
  }
  KeyTable(const KeyTable&) = delete;

  /// Returns one row for each name.
  std::span<const KnownKey> keys() const { return keys_; }

  /// Returns the row of a key of this kind and type, or else of this kind; null if there is none.
  const KnownKey* find(std::string_view kind, std::string_view type, std::string_view name) const {
    for (const std::string& owner : {fmt::format("{} {}", kind, type), std::string(kind)})
      if (const auto known = owners_.find(owner); known != owners_.end())
        if (const auto key = known->second.find(name); key != known->second.end())
          return key->second;
    return nullptr;
  }

 private:
  std::vector<KnownKey> keys_;
  std::map<std::string, std::map<std::string_view, const KnownKey*>> owners_;
};

}  // namespace winnow
