# SPDX-License-Identifier: MIT
"""Views of many models, rendered ahead of their use."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _winnow
from .keywords import DATASET_OPTIONS, DatasetKeywords
from .rendering import _options
from .scenes import SceneWarning, path_text

if TYPE_CHECKING:
    from typing import Unpack  # of Python 3.11


_MAX_PREFETCH = 1_000_000


class _Stream:
    """Ends its threads when it is no longer used, and when the interpreter ends."""

    def __init__(self, *arguments: Any) -> None:
        self.views = _winnow.DatasetStream(*arguments)
        self.close = weakref.finalize(self, self.views.close)
        self._process = os.getpid()

    def next(self) -> dict[str, Any] | None:
        if os.getpid() != self._process:
            raise _winnow.Error("a forked process has no threads that render these views; begin the "
                                "iteration in the process that uses it")
        return self.views.next()


class Dataset:
    """Views of models. Each iteration renders all of them again, in the same order.

    failed  the models that the last iteration could not render so far: dicts of model, name, error
    """

    def __init__(self, models: list[str], options: list[str], prefetch: int) -> None:
        self._arguments = (models, options, prefetch)
        self.failed: list[dict[str, str]] = []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        stream = _Stream(*self._arguments)
        count = 0
        try:
            while (view := stream.next()) is not None:
                self.failed = stream.views.failed
                count += 1
                yield view
            self.failed = stream.views.failed
        finally:
            stream.close()
        if count == 0 and self.failed:
            warnings.warn(f"no model can be rendered: {self.failed[0]['error']}", SceneWarning,
                          stacklevel=2)


def dataset(models: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *,
            sky: str | Sequence[str] = (), prefetch: int = 4,
            **keywords: Unpack[DatasetKeywords]) -> Dataset:
    """Returns an iterable of views of models, which are rendered while earlier ones are used.

    models    scene files, or folders with .glb, .gltf, .obj and .ply files in them
    sky       replaces the light of the models, as --sky does; of several, one is drawn by model
    prefetch  number of views that may wait for their use
    keywords  options of `winnow dataset`, listed below

    A view is a dict: model (its file), name, view (its number), camera_to_world ((4, 4) float64; the
    camera looks along its -z, and +y is up), intrinsics ((3, 3) float64, pixels, with the centre of
    the first pixel at 0.5, 0.5), and an array for each of `outputs`, top row first:

    rgba, albedo              (height, width, 4) float32, scene-linear Rec.709, multiplied by alpha
    depth                     (height, width) float32; 0 where there is nothing
    normal                    (height, width, 3) float32, unit length; 0 where there is nothing
    object_ids, material_ids  (height, width) uint32, from 1; 0 where there is nothing

    The arrays belong to the caller. A model that cannot be rendered has no views; `failed` of the
    iterable says why, and if no model can be rendered, so does a SceneWarning. Raises ValueError for
    a wrong argument, and winnow.Error for a device that fails, each when an iteration starts. An
    iteration belongs to its process: one that goes on in a forked process raises winnow.Error.
    """
    paths = [path_text("models", model) for model in _items("models", models)]
    if not paths:
        raise ValueError("models: expected at least one scene file or folder")
    if not isinstance(prefetch, (int, np.integer)) or not 1 <= prefetch <= _MAX_PREFETCH:
        raise ValueError(f"prefetch: expected a whole number from 1 to {_MAX_PREFETCH}, "
                         f"found {prefetch!r}")
    options = _options("dataset", DATASET_OPTIONS, keywords)
    options += [f"--sky={text}" for text in _items("sky", () if sky is None else sky)]
    return Dataset(paths, options, int(prefetch))


def _items(title: str, value: Any) -> list[Any]:
    """Returns the items of a sequence; a text or a path is one item."""
    if isinstance(value, (str, bytes, os.PathLike)):
        return [value]
    if not isinstance(value, Iterable):
        raise ValueError(f"{title}: expected a text or a sequence, found {type(value).__name__}")
    return list(value)


if dataset.__doc__:  # python -OO keeps none
    dataset.__doc__ += "\n    " + (DatasetKeywords.__doc__ or "")
