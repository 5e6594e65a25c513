// SPDX-License-Identifier: MIT
// Must not compile: nothing is known of a lambda's identity.

#include "compaction/op/known_operators.h"

int main() {
  return compaction::as_operator<int>([](int a, int b) { return a < b ? b : a; })(1, 2);
}
