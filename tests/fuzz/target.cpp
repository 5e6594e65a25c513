// SPDX-License-Identifier: MIT
#include "tests/fuzz/target.h"

namespace winnow {

std::vector<FuzzTarget> fuzz_targets() {
  std::vector<FuzzTarget> all;
  for (const std::vector<FuzzTarget>& some : {scene_fuzz_targets(), image_fuzz_targets(),
                                              film_fuzz_targets(), command_line_fuzz_targets()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

FuzzTarget fuzz_target(std::string_view name) {
  std::string known;
  for (const FuzzTarget& target : fuzz_targets()) {
    if (target.name == name) return target;
    known += std::string(" ") + target.name;
  }
  throw std::invalid_argument("the targets are" + known);
}

}  // namespace winnow
