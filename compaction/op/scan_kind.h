#pragma once

namespace compaction {

/// What place i of a scan receives.
enum class ScanKind {
  kInclusive,  ///< items 0 to i combined
  kExclusive,  ///< items 0 to i - 1 combined; the identity for i = 0
};

}  // namespace compaction
