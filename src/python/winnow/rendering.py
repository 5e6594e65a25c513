# SPDX-License-Identifier: MIT
"""Renders and measurements."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _winnow
from .scenes import Scene, load


_CPU = 1  # DLPack's kDLCPU


class Render:
    """A picture, and what is known of how it came about. Has DLPack's protocol: that of `image`."""

    def __init__(self, film: _winnow.Film) -> None:
        self._film = film
        self.stats: dict[str, Any] = json.loads(film.stats)

    @property
    def image(self) -> np.ndarray:
        """(height, width, 3) float32, W sr^-1 m^-2, scene-linear Rec.709, top row first."""
        return self._film.image

    @property
    def aovs(self) -> dict[str, np.ndarray]:
        """The arrays that `aovs` asked for, (height, width) or (height, width, 3), by name."""
        return self._film.aovs

    @property
    def interrupted(self) -> bool:
        """Whether the render ended before all samples were done."""
        return self.stats["interrupted"]

    @property
    def sums(self) -> Any:
        """(height, width, 3) float64: the film itself, the sum of each pixel's samples, without a copy.

        Where the CPU has rendered, an array of NumPy; else an object with DLPack's protocol, which
        torch.from_dlpack() and cupy.from_dlpack() take. Needs keep_sums=True.
        """
        return self._array(0)

    @property
    def samples(self) -> Any:
        """(height, width) uint32, the number of each pixel's samples, as `sums`."""
        return self._array(1)

    def _array(self, index: int) -> Any:
        array = self._film.arrays[index]
        return array if array.__dlpack_device__()[0] != _CPU else np.from_dlpack(array)

    def save(self, file: str | os.PathLike[str], *, exposure: float | str = 0,
             tone_map: str = "srgb") -> None:
        """Writes a .png, .jpg, .hdr, .pfm or .exr image, the last one with the AOVs as layers.

        exposure  of 8-bit images, in stops, or "auto"
        tone_map  of 8-bit images: "srgb", "aces" or "agx"
        """
        self._film.save(os.fspath(file), str(exposure), tone_map)

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
    """Ctrl-C ended a render. `render` has the picture so far, or is None if there is none."""

    def __init__(self, render: Render | None) -> None:
        super().__init__("the render was interrupted")
        self.render = render

def devices() -> list[dict[str, Any]]:
    """The GPUs that can render: index, name, memory in bytes, compute capability."""
    return _winnow.cuda_devices()


def _option(key: str, value: Any) -> str:
    """An option of the command line, of which the commands check name and value."""
    if isinstance(value, bool):
        value = "on" if value else "off"
    elif isinstance(value, (list, tuple, np.ndarray)):
        if key == "size":
            value = "x".join(str(side) for side in value)
        else:
            value = ",".join(_text(item) for item in value)
    return f"--{key.replace('_', '-')}={_text(value)}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def _options(values: dict[str, Any]) -> list[str]:
    """Options for all values that are given. A flag is given by True alone."""
    flags = {"regenerate"}
    options = [_option(key, value) for key, value in values.items()
               if value is not None and key not in flags]
    return options + [f"--{key}" for key in sorted(flags) if values.get(key)]


def render(scene: Scene | str | os.PathLike[str], *,
           spp: int | None = None, size: tuple[int, int] | None = None, backend: str = "auto",
           devices: str | Sequence[int] | None = None, cull: str | None = None,
           group: str | None = None, loop: str | None = None, driver: str | None = None,
           seed: int | None = None, sampler: str | None = None, max_bounces: int | None = None,
           filter: str | None = None, camera: Sequence[float] | None = None,
           sky: str | None = None, lights: str | None = None, roulette: bool | None = None,
           clamp_indirect: float | None = None, noise: float | None = None,
           time_limit: float | None = None, threads: int | None = None,
           wave_size: int | None = None, regenerate: bool = False, bvh: str | None = None,
           bvh_cache: str | os.PathLike[str] | None = None, aovs: Sequence[str] = (),
           measure_stages: bool = False, keep_sums: bool = False,
           progress: bool = False) -> Render:
    """Renders a scene, or a scene file. Other threads of Python run meanwhile.

    The keywords are options of `winnow render` (src/app/README.md); what is not given is taken from
    the scene.

    spp             samples per pixel; none with time_limit or noise
    size            (width, height), pixels
    backend         auto, cpu, cuda or cuda:K
    devices         GPUs that render together: "all", or their indices
    cull, group, loop, driver, wave_size, regenerate, threads
                    how the work is done; the image is the same
    camera          (x, y, z, dx, dy, dz, fov): eye, direction, horizontal field of view in degrees
    filter          as in "gaussian:1.5"
    sky             none, soft, sun, or an environment map
    noise           relative error at which a part of the image needs no more samples
    time_limit      s
    aovs            of albedo, normal, depth, position, ids, variance, samples, bounces, deaths
    measure_stages  fills the milliseconds of Render.stats on a GPU, too; costs a little
    keep_sums       keeps the film, and with it the memory of the render, for Render.sums
    progress        prints progress on stderr

    Ctrl-C ends the render between two waves and raises winnow.Interrupted, a KeyboardInterrupt,
    which has the picture so far. Raises ValueError for an argument, winnow.Error for a device that
    fails, each in one line.
    """
    if not isinstance(scene, Scene):
        scene = load(scene)
    options = _options({
        "spp": spp, "size": size, "device": backend, "devices": devices, "cull": cull,
        "group": group, "loop": loop, "driver": driver, "seed": seed, "sampler": sampler,
        "max_bounces": max_bounces, "filter": filter, "camera": camera, "sky": sky,
        "lights": lights, "roulette": roulette, "clamp_indirect": clamp_indirect, "noise": noise,
        "time_limit": time_limit, "threads": threads, "wave_size": wave_size, "bvh": bvh,
        "bvh_cache": bvh_cache, "aov": list(aovs) or None, "regenerate": regenerate})
    if not progress:
        options.append("--quiet")
    film, raised = _winnow.render(scene._scene, options, measure_stages, keep_sums)
    result = Render(film) if film is not None else None
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(result) from raised
    if raised is not None:
        raise raised
    return result


def bench(scene: Scene | str | os.PathLike[str], *, spp: int | None = None,
          size: tuple[int, int] | None = None, backend: str = "auto", repeat: int | None = None,
          cull: Sequence[str] | None = None, group: Sequence[str] | None = None,
          loop: Sequence[str] | None = None, roulette: Sequence[bool] | None = None,
          regenerate: Sequence[bool] | None = None, driver: Sequence[str] | None = None,
          max_bounces: int | None = None, sky: str | None = None, seed: int | None = None,
          sampler: str | None = None, threads: int | None = None, wave_size: int | None = None,
          bvh: str | None = None) -> dict[str, Any]:
    """Measures frames of a scene with each combination of settings, as `winnow bench` does.

    Returns what its --json writes. spp is of a frame (4), repeat the number of rounds (9); cull,
    group, loop, roulette, regenerate and driver are lists of what is to be measured.

    Ctrl-C raises KeyboardInterrupt after the current frame.
    """
    options = _options({
        "spp": spp, "size": size, "device": backend, "repeat": repeat, "cull": cull,
        "group": group, "loop": loop, "roulette": roulette, "driver": driver,
        "max_bounces": max_bounces, "sky": sky, "seed": seed, "sampler": sampler,
        "threads": threads, "wave_size": wave_size, "bvh": bvh})
    if regenerate is not None:
        options.append(_option("regenerate", regenerate))
    if not isinstance(scene, Scene):
        return _measured(os.fspath(scene), options)
    with tempfile.TemporaryDirectory() as folder:  # where the scene is as it is rendered
        file = Path(folder) / "scene.json"
        scene.save(file)
        return _measured(str(file), options)


def _measured(file: str, options: list[str]) -> dict[str, Any]:
    text, raised = _winnow.bench(file, options)
    if raised is not None:
        raise raised
    return json.loads(text)
