// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace winnow {

/// What a reader does with a key of its format: a parameter, an attribute, an extension, a header
/// line, a channel or a chunk.
enum class KeyUse {
  kUsed,      ///< it is read
  kHarmless,  ///< it does not change a picture
  kIgnored,   ///< it can change a picture and is not read: the reader warns
};

// Why a key is harmless, in several formats.
inline constexpr std::string_view kChangesNoise = "it changes the noise only";
inline constexpr std::string_view kChangesSpeed = "it changes time and memory only";
inline constexpr std::string_view kForOtherIntegrators = "a path tracer does not need it";
inline constexpr std::string_view kTextureIsGrey = "the texture becomes grey";
inline constexpr std::string_view kChangesOutput = "it chooses what a file holds";

struct KnownKey {
  std::string_view owner;  ///< plugin or object; empty: any; in a row: several, separated by |
  std::string_view name;   ///< in a row of a KeyTable: names separated by spaces
  KeyUse use = KeyUse::kUsed;
  std::string_view why = {};  ///< why it is harmless, or what is lost because it is ignored
};

/// A reader's table of all keys that its format defines. The reader takes a key without a row as
/// ignored, so that nothing in a file is dropped without a warning.
class KeyTable {
 public:
  /// @param rows  must outlive the table
  explicit KeyTable(std::span<const KnownKey> rows);
  KeyTable(const KeyTable&) = delete;

  /// Returns one key for each owner and name, in the order of the rows.
  std::span<const KnownKey> keys() const { return keys_; }

  /// Returns the key of an owner, or else that of anything; null if there is none.
  const KnownKey* find(std::string_view owner, std::string_view name) const;

  /// Returns the key of the owner "kind type", or else that of the owner `kind`; null if there is
  /// none.
  const KnownKey* find(std::string_view kind, std::string_view type, std::string_view name) const;

 private:
  std::vector<KnownKey> keys_;
  std::map<std::pair<std::string_view, std::string_view>, const KnownKey*> index_;
};

}  // namespace winnow
