// SPDX-License-Identifier: MIT
#include "backend/cpu/cull_passes.h"

namespace winnow {

void CullPasses::cull(Cull mode, const CullJob& job) {
  with_pass(mode, [&](auto pass) { pass.cull(executor(), job); });
}

void CullPasses::split_by_class(const GroupJob& job) {
  winnow::split_by_class(launcher(), job);
}

}  // namespace winnow
