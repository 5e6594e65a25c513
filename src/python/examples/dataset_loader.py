# SPDX-License-Identifier: MIT
"""Feeds views of models to PyTorch while they are rendered, without files.

Usage: python dataset_loader.py MODEL...     (scene files, or folders with models)

Needs PyTorch. Winnow renders on threads of its own, so the loader has no workers.
"""

# %% Views as an iterable data set
import sys

import torch
from torch.utils.data import DataLoader, IterableDataset

import winnow


class Views(IterableDataset):
    """Colours, depth and camera of each view of each model."""

    def __init__(self, models, **keywords):
        self.views = winnow.dataset(models, outputs=["rgba", "depth"], **keywords)

    def __iter__(self):
        for view in self.views:
            yield {"rgba": torch.from_numpy(view["rgba"]).permute(2, 0, 1),
                   "depth": torch.from_numpy(view["depth"]),
                   "camera_to_world": torch.from_numpy(view["camera_to_world"])}


# %% Batches of four views
views = Views(sys.argv[1:], views=8, size=(128, 128), spp=16)
for batch in DataLoader(views, batch_size=4):
    coverage = batch["rgba"][:, 3].mean().item()
    print(tuple(batch["rgba"].shape), f"{coverage:.0%} of the pixels are covered")

# %% Models without views
for failure in views.views.failed:
    print("failed:", failure["error"])
