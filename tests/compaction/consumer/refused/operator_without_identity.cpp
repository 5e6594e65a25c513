// SPDX-License-Identifier: MIT
// Must not compile: the identity of a lambda is unknown.

#include "compaction/op/known_operators.h"

int main() {
  return compaction::as_operator<int>([](int a, int b) { return a < b ? b : a; })(1, 2);
}
