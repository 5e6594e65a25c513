# SPDX-License-Identifier: MIT
"""Winnow, a wavefront path tracer that culls terminated paths by stream compaction.

>>> import winnow
>>> render = winnow.render(winnow.load("scenes/cornell-box.json"), spp=16)
>>> render.image.shape
(512, 512, 3)

`load` and `Scene` make scenes, `render` renders one, `bench` measures one, and `compaction` has the
library's functions for arrays of NumPy on the CPU, and of CuPy or PyTorch on a GPU. `program()` is
the path of the program `winnow`.
"""

from ._winnow import Error
from . import compaction
from .keywords import BenchKeywords, RenderKeywords
from .program import program
from .rendering import Interrupted, Render, bench, devices, render
from .scenes import Mesh, Scene, SceneWarning, load

__all__ = ["BenchKeywords", "Error", "Interrupted", "Mesh", "Render", "RenderKeywords", "Scene",
           "SceneWarning", "bench", "compaction", "devices", "load", "program", "render"]
