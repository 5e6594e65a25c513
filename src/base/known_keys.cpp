// SPDX-License-Identifier: MIT
#include "base/known_keys.h"

#include <algorithm>
#include <string>

namespace winnow {

KeyTable::KeyTable(std::span<const KnownKey> rows) {
  for (const KnownKey& row : rows) {
    size_t at = 0;
    do {
      const size_t end = std::min(row.name.find(' ', at), row.name.size());
      keys_.push_back({row.owner, row.name.substr(at, end - at), row.use, row.why});
      at = end + 1;
    } while (at < row.name.size());
  }
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
