# SPDX-License-Identifier: MIT
"""Renders and measurements."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _winnow
from .keywords import BENCH_OPTIONS, RENDER_OPTIONS, BenchKeywords, RenderKeywords
from .scenes import Scene, SceneWarning, load, path_text

if TYPE_CHECKING:
    from typing import Unpack  # of Python 3.11

_CPU = 1  # DLPack's kDLCPU
_BETWEEN = {"--size=": "x", "--elevation=": ":", "--orbit=": ":"}  # separators of lists; else a comma


class Render:
    """A rendered image with its statistics. Supports DLPack's protocol for `image`."""

    def __init__(self, film: _winnow.Film) -> None:
        self._film = film
        self.stats: dict[str, Any] = json.loads(film.stats)

    @property
    def image(self) -> np.ndarray:
        """(height, width, 3) float32, W sr^-1 m^-2, scene-linear Rec.709, top row first."""
        return self._film.image

    @property
    def clean(self) -> np.ndarray:
        """The image without noise, an array like `image`. Needs denoise=True."""
        return self._film.clean

    @property
    def aovs(self) -> dict[str, np.ndarray]:
        """The arrays that `aovs` asked for, (height, width) or (height, width, channels), by name."""
        return self._film.aovs

    @property
    def interrupted(self) -> bool:
        """Whether the render ended before all samples were done."""
        return self.stats["interrupted"]

    @property
    def sums(self) -> Any:
        """(height, width, 3) float64: the sums of each pixel's samples on the film, without a copy.

        Where the CPU has rendered, an array of NumPy; else an object with DLPack's protocol, which
        torch.from_dlpack() and cupy.from_dlpack() take. Needs keep_sums=True.
        """
        return self._array(0)

    @property
    def samples(self) -> Any:
        """(height, width) uint32: samples per pixel, in an array like `sums`."""
        return self._array(1)

    def _array(self, index: int) -> Any:
        array = self._film.arrays[index]
        return array if array.__dlpack_device__()[0] != _CPU else np.from_dlpack(array)

    def save(self, file: str | os.PathLike[str], *, exposure: float | str = 0,
             tone_map: str = "srgb") -> None:
        """Writes a .png, .jpg, .hdr, .pfm or .exr image, the last one with the AOVs as layers.

        After a render with denoise=True, also writes the image without noise: a.clean.png beside
        a.png.

        exposure  of 8-bit images, in stops, or "auto"
        tone_map  of 8-bit images: "srgb", "aces" or "agx"
        """
        self._film.save(path_text("file", file), str(exposure), str(tone_map))

    def __dlpack__(self, **options: Any) -> Any:
        return self.image.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.image.__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if dtype is None and not copy:
            return self.image
        return np.array(self.image, dtype=dtype)

    def __repr__(self) -> str:
        width, height = self.stats["size"]
        return f"<winnow.Render {width}x{height}, {self.stats['spp']} spp, {self.stats['device']}>"


class Interrupted(KeyboardInterrupt):
    """Raised when Ctrl-C ends a render. `render` is the image so far, or None if there is none."""

    def __init__(self, render: Render | None) -> None:
        super().__init__("the render was interrupted")
        self.render = render


def devices() -> list[dict[str, Any]]:
    """Returns the GPUs that can render: index, name, memory in bytes, compute capability."""
    return _winnow.cuda_devices()


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def _is_on(keyword: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{keyword}: expected True or False, found {value!r}")
    return bool(value)


def _aov_names(aovs: Any) -> list[str]:
    """Returns the names in a string, separated by commas, or in a sequence."""
    names = aovs.split(",") if isinstance(aovs, str) else aovs
    if not isinstance(names, Iterable):
        raise ValueError(f"aovs: expected names, found {aovs!r}")
    names = [str(name).strip() for name in names]
    for name in names:
        if "=" in name:  # of a file, for the program
            raise ValueError(f"aovs: {name!r} is not the name of an AOV")
    return names if names != [""] else []


def _option(option: str, value: Any) -> str:
    """Returns an option of the command line. The commands check its value. A flag has no "="."""
    if not option.endswith("="):
        return option
    if isinstance(value, (list, tuple, np.ndarray)):
        return option + _BETWEEN.get(option, ",").join(_text(item) for item in value)
    return option + _text(value)


def _options(function: str, known: Mapping[str, str], values: Mapping[str, Any]) -> list[str]:
    """Returns options for all values except None, and for flags that are True.

    Raises TypeError for keywords that are not in `known`, and ValueError for flags that are no bool.
    """
    values = dict(values)
    if "backend" in values:  # the former name of `device`
        if "device" in values:
            raise ValueError("backend: is the former name of device; give device alone")
        values["device"] = values.pop("backend")
    for keyword in values:
        if keyword not in known:
            raise TypeError(f"{function}() got an unexpected keyword argument {keyword!r}")
    return [_option(known[keyword], value) for keyword, value in values.items()
            if value is not None and (known[keyword].endswith("=") or _is_on(keyword, value))]


def render(scene: Scene | str | os.PathLike[str], *, aovs: str | Iterable[str] = (),
           measure_stages: bool = False, keep_sums: bool = False, progress: bool = False,
           **keywords: Unpack[RenderKeywords]) -> Render:
    """Renders a scene or a scene file. Releases the GIL meanwhile.

    keywords        options of `winnow render`, listed below
    aovs            any of albedo, normal, depth, position, ids, variance, samples, bounces, deaths,
                    cost: a sequence, or a string as in "depth,normal"
    measure_stages  also measures the milliseconds of Render.stats on a GPU; costs a little time
    keep_sums       keeps the film, and with it the memory of the render, for Render.sums
    progress        prints progress on stderr

    Ctrl-C ends the render between two waves and raises winnow.Interrupted, a KeyboardInterrupt,
    which has the image so far. Raises ValueError for a wrong argument, and winnow.Error for a device
    that fails, each in one line. A camera that sees nothing is a SceneWarning.
    """
    if not isinstance(scene, Scene):
        scene = load(scene)
    options = _options("render", RENDER_OPTIONS, keywords)
    if names := _aov_names(aovs):
        options.append(_option("--aov=", names))
    if not _is_on("progress", progress):
        options.append("--quiet")
    film, raised = _winnow.render(scene._scene, options, _is_on("measure_stages", measure_stages),
                                  _is_on("keep_sums", keep_sums))
    result = Render(film) if film is not None else None
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(result) from raised
    if raised is not None:
        raise raised
    if film is not None and film.sees_nothing:
        warnings.warn("the camera sees nothing: no ray of it hits a surface; look_at turns it to a "
                      "point", SceneWarning, stacklevel=2)
    return result


def bench(scene: Scene | str | os.PathLike[str],
          **keywords: Unpack[BenchKeywords]) -> dict[str, Any]:
    """Measures frames of a scene with each combination of settings, as `winnow bench` does.

    Returns what its --json writes.

    keywords  options of `winnow bench`, listed below. cull, group, loop, roulette, regenerate and
              driver are lists of values to measure

    Ctrl-C raises KeyboardInterrupt after the current frame.
    """
    options = _options("bench", BENCH_OPTIONS, keywords)
    if not isinstance(scene, Scene):
        return _measured(path_text("scene", scene), options)
    with tempfile.TemporaryDirectory() as folder:  # for the scene as it is rendered
        file = Path(folder) / "scene.json"
        scene.save(file)
        return _measured(str(file), options)


for _function, _keywords in ((render, RenderKeywords), (bench, BenchKeywords)):
    if _function.__doc__:  # python -OO keeps none
        _function.__doc__ += "\n    " + (_keywords.__doc__ or "")


def _measured(file: str, options: list[str]) -> dict[str, Any]:
    text, raised = _winnow.bench(file, options)
    if raised is not None:
        raise raised
    return json.loads(text)
