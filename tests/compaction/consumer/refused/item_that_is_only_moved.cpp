// SPDX-License-Identifier: MIT
// Must not compile: items are copied.

#include "compaction/single_pass/select.h"

struct Item {
  Item() = default;
  Item(Item&&) = default;
  Item& operator=(Item&&) = default;
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
