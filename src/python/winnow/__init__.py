# SPDX-License-Identifier: MIT
"""Winnow, a wavefront path tracer that culls terminated paths by stream compaction.

>>> import winnow
>>> render = winnow.render(winnow.load("scenes/cornell-box.json"), spp=16)
>>> render.image.shape
(512, 512, 3)

`load` and `Scene` make scenes, `render` renders one, `bench` measures one, `dataset` renders views
of many models, and `compaction` has the library's functions for arrays of NumPy on the CPU, and of
CuPy or PyTorch on a GPU. `program()` is the path of the program `winnow`.
"""

from ._winnow import Error
from . import compaction
from .datasets import Dataset, dataset
from .keywords import BenchKeywords, DatasetKeywords, RenderKeywords
from .program import program
from .rendering import Interrupted, Render, bench, devices, render
from .scenes import Mesh, Scene, SceneWarning, load

__all__ = ["BenchKeywords", "Dataset", "DatasetKeywords", "Error", "Interrupted", "Mesh", "Render",
           "RenderKeywords", "Scene", "SceneWarning", "bench", "compaction", "dataset", "devices",
           "load", "program", "render"]
