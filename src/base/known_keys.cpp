// SPDX-License-Identifier: MIT
#include "base/known_keys.h"

#include <algorithm>
#include <string>

namespace winnow {
namespace {

/// Divides a text at each separator. An empty text is one part.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

KeyTable::KeyTable(std::span<const KnownKey> rows) {
  for (const KnownKey& row : rows)
    for (const std::string_view owner : parts_of(row.owner, '|'))
      for (const std::string_view name : parts_of(row.name, ' '))
        keys_.push_back({owner, name, row.use, row.why});
  for (const KnownKey& key : keys_) index_.try_emplace({key.owner, key.name}, &key);
}

const KnownKey* KeyTable::find(std::string_view owner, std::string_view name) const {
  for (const std::string_view one : {owner, std::string_view()})
    if (const auto known = index_.find({one, name}); known != index_.end()) return known->second;
  return nullptr;
}

const KnownKey* KeyTable::find(std::string_view kind, std::string_view type,
                               std::string_view name) const {
  const KnownKey* of_type = find((std::string(kind) + ' ').append(type), name);
  return of_type ? of_type : find(kind, name);
}

}  // namespace winnow
