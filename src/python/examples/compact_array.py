# SPDX-License-Identifier: MIT
"""Compacts the state of particles: keeps those that are alive, sorts them into cells, numbers them.

Usage: python compact_array.py [numpy|torch|cupy]     (default: numpy, on the host)
"""

# %% Particles: positions, and whether each is alive
import sys

import numpy as np

from winnow import compaction

library = sys.argv[1] if len(sys.argv) > 1 else "numpy"
n = 20_000 if library == "numpy" else 20_000_000
random = np.random.default_rng(1)
positions = random.random((n, 3), np.float32)
alive = random.random(n) < 0.3


def on_device(array):
    """The array in the memory of the library."""
    if library == "torch":
        return sys.modules["torch"].from_numpy(array).cuda()
    if library == "cupy":
        return sys.modules["cupy"].asarray(array)
    return array


if library != "numpy":
    __import__(library)

# %% Keep those that are alive, in order. The number stays on the device until somebody reads it
kept, count = compaction.select(on_device(positions), on_device(alive))
kept = kept[:int(count[0])]
print(f"{len(kept)} of {n} particles are alive")

# %% Sort them into 8 cells along x. Cells are 32-bit integers
cells = kept[:, 0] * 8
cells = cells.int() if library == "torch" else cells.astype(np.int32)
by_cell, offsets = compaction.split(kept, cells, 8)
print("first particle of each cell:", [int(offset) for offset in offsets[:8]])

# %% Number the particles of the left half: an exclusive scan of ones and zeros
left = cells < 4
left = left.int() if library == "torch" else left.astype(np.int32)
numbers = compaction.scan(left, exclusive=True)
print(f"{int(numbers[-1]) + int(left[-1])} particles are in the left half")
