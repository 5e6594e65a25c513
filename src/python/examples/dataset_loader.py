# SPDX-License-Identifier: MIT
"""Feeds views of models to PyTorch while they are rendered, without files.

Usage: python dataset_loader.py [--workers N] MODEL...     (scene files, or folders with models)

Needs PyTorch. Winnow renders on threads of its own, so the loader needs no worker processes. With N of
them, each renders its share of the models.
"""

# %% Views as an iterable data set
import argparse

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

import winnow


class Views(IterableDataset):
    """Colours, depth and camera of each view of each model."""

    def __init__(self, models, **keywords):
        self.models, self.keywords = models, keywords

    def __iter__(self):
        worker = get_worker_info()  # None: the process of the program iterates
        share = f"{worker.id}/{worker.num_workers}" if worker else None
        views = winnow.dataset(self.models, outputs=["rgba", "depth"], share=share, **self.keywords)
        for view in views:
            yield {"rgba": torch.from_numpy(view["rgba"]).permute(2, 0, 1),
                   "depth": torch.from_numpy(view["depth"]),
                   "camera_to_world": torch.from_numpy(view["camera_to_world"])}
        for failure in views.failed:
            print("failed:", failure["error"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--workers", type=int, default=0, metavar="N")
    arguments = parser.parse_args()

    # %% Batches of four views. Workers are spawned, because a forked process cannot use CUDA
    views = Views(arguments.models, views=8, size=(128, 128), spp=16)
    context = "spawn" if arguments.workers else None
    for batch in DataLoader(views, batch_size=4, num_workers=arguments.workers,
                            multiprocessing_context=context):
        coverage = batch["rgba"][:, 3].mean().item()
        print(tuple(batch["rgba"].shape), f"{coverage:.0%} of the pixels are covered")


if __name__ == "__main__":  # spawned workers import this file
    main()
