// SPDX-License-Identifier: MIT
// Must not compile: kernels hold arrays of items.

#include "compaction/single_pass/select.h"

struct Item {
  explicit Item(int value) : value(value) {}
  int value;
};
struct IsPositive {
  bool operator()(const Item& item) const { return item.value > 0; }
};

int main() {
  return int(
      compaction::select_bytes<compaction::ItemsIf<Item, IsPositive>, compaction::WriteItems<Item>>(
          1));
}
