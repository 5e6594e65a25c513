#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds float32 numbers as an inclusive scan by Sum<float> does, with the same bits: a file of numbers
in, a file of results out. The order is that of README.md, "Order of combination"."""
import sys

import numpy as np


def inclusive_scan(x, init=0):
    items = np.zeros((-(-len(x) // 2**18) * 512, 4, 32, 4), np.float32)  # segment, row, lane
    items.reshape(-1)[:len(x)] = x
    lanes = np.add.accumulate(items, axis=3)[..., 3]
    for d in 1, 2, 4, 8, 16:
        lanes[..., d:] = lanes[..., :-d] + lanes[..., d:]
    rows = np.add.accumulate(np.pad(lanes[..., 31], ((0, 0), (1, 0))), axis=1)
    items[..., 0] += rows[:, :4, None] + np.pad(lanes[..., :31], ((0, 0), (0, 0), (1, 0)))
    totals = [rows[:, 4].reshape(-1, 512)]
    while totals[-1].shape[1] > 1:
        totals.append(totals[-1][:, ::2] + totals[-1][:, 1::2])
    prefixes = np.add.accumulate(np.append(np.float32(init), totals.pop()[:-1, 0]))[:, None]
    for level in reversed(totals):
        prefixes = np.stack([prefixes, prefixes + level[:, ::2]], 2).reshape(len(level), -1)
    local = np.add.accumulate(items, axis=3).reshape(-1, 512)
    return (prefixes.reshape(-1, 1) + local).ravel()[:len(x)]


if __name__ == "__main__":
    inclusive_scan(np.fromfile(sys.argv[1], np.float32)).tofile(sys.argv[2])
