# SPDX-License-Identifier: MIT
"""Scenes: read from files, or built from NumPy arrays."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _winnow

_ROUNDING = 1e-3  # of colours that were computed


class SceneWarning(UserWarning):
    """A defect of a scene that does not prevent rendering, such as a missing texture."""


@dataclass(frozen=True)
class Mesh:
    """Triangles from arrays, which are copied when a scene is built.

    vertices  (n, 3), m
    indices   (m, 3), vertices of each triangle, counter-clockwise seen from outside
    material  its name among the materials of the scene
    normals   (n, 3), of any length; without them the triangles are flat
    uvs       (n, 2); (0, 0) is the upper left corner of a texture
    colors    (n, 3) or (n, 4), linear, from 0 to 1, with the coverage last
    name      of a mesh that shapes of the type "instances" place; without one it is in the scene once
    """

    vertices: ArrayLike
    indices: ArrayLike
    material: str
    normals: ArrayLike | None = None
    uvs: ArrayLike | None = None
    colors: ArrayLike | None = None
    name: str = ""


def path_text(title: str, path: Any) -> str:
    """Returns a path as text. Raises ValueError for what is no path."""
    try:
        text = os.fsdecode(path)
    except TypeError:
        raise ValueError(f"{title}: expected a path, found {type(path).__name__}") from None
    if "\0" in text:
        raise ValueError(f"{title}: expected a path, found one with a zero character")
    return text


def _text(title: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{title}: expected a text, found {type(value).__name__}")
    return value


def _rows(title: str, array: ArrayLike, columns: tuple[int, ...], dtype: type) -> np.ndarray:
    """Returns the array with rows of one of these lengths. Raises ValueError for any other."""
    try:
        rows = np.asarray(array)
    except (TypeError, ValueError, RuntimeError) as error:  # uneven rows, tensors on a GPU
        raise ValueError(f"{title}: {str(error).splitlines()[0]}") from None
    if rows.ndim != 2 or rows.shape[1] not in columns:
        expected = " or ".join(f"(n, {count})" for count in columns)
        raise ValueError(f"{title}: expected the shape {expected}, found {rows.shape}")
    if rows.dtype.kind not in "iuf" or (dtype is np.uint32 and rows.dtype.kind == "f"):
        kind = "integers" if dtype is np.uint32 else "numbers"
        raise ValueError(f"{title}: expected {kind}, found {rows.dtype}")
    if dtype is np.uint32 and rows.size and (rows.min() < 0 or rows.max() > 0xFFFFFFFF):
        raise ValueError(f"{title}: expected indices from 0 to 2^32 - 1")
    return np.ascontiguousarray(rows, dtype)


def _native(mesh: Mesh, number: int) -> _winnow.Mesh:
    if not isinstance(mesh, Mesh):
        raise ValueError(f"mesh {number}: expected a winnow.Mesh, found {type(mesh).__name__}")
    title = f"mesh {_text(f'mesh {number}: name', mesh.name) or number}: "
    optional: dict[str, np.ndarray | None] = {"normals": None, "uvs": None, "colors": None}
    for key, columns in (("normals", (3,)), ("uvs", (2,)), ("colors", (3, 4))):
        if (array := getattr(mesh, key)) is not None:
            optional[key] = _rows(title + key, array, columns, np.float32)
    colors = optional["colors"]
    if colors is not None and colors.size:
        least, most = colors.min(), colors.max()
        if least < -_ROUNDING or most > 1 + _ROUNDING:
            raise ValueError(f"{title}colors: expected numbers from 0 to 1, found {least:g} to "
                             f"{most:g}")
    if colors is not None and colors.shape[1] == 3:
        optional["colors"] = np.hstack([colors, np.ones((len(colors), 1), np.float32)])
    return _winnow.Mesh(mesh.name, _text(title + "material", mesh.material),
                        _rows(title + "vertices", mesh.vertices, (3,), np.float32),
                        _rows(title + "indices", mesh.indices, (3,), np.uint32), **optional)


def _plain(value: Any) -> Any:
    """Converts a value of NumPy or a path for JSON."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a scene: {type(value).__name__} is no number, text, list or dict")


class Scene:
    """A scene in host memory. It never changes: `render` works on a copy.

    Built from meshes and from the members of a scene in Winnow's JSON format (scenes/README.md), as
    dicts and lists that may contain NumPy's arrays and numbers:

    >>> scene = winnow.Scene(
    ...     meshes=[winnow.Mesh(vertices, indices, "clay", normals=normals)],
    ...     materials={"clay": {"type": "diffuse", "reflectance": [0.6, 0.4, 0.3]}},
    ...     lights=[{"type": "point", "position": [0, 3, 0], "intensity": 20}],
    ...     camera={"position": [0, 1, 5], "look_at": [0, 0, 0], "vertical_fov": 40})

    Without a camera, the whole scene is in view. Names of files are relative to `folder`. Raises
    ValueError, in one line that names the place, for an invalid scene.
    """

    def __init__(self, *, meshes: Sequence[Mesh] = (),
                 materials: Mapping[str, Any] | None = None,
                 shapes: Sequence[Mapping[str, Any]] | None = None,
                 lights: Sequence[Mapping[str, Any]] | None = None,
                 sky: Mapping[str, Any] | None = None,
                 camera: Mapping[str, Any] | None = None,
                 film: Mapping[str, Any] | None = None,
                 render: Mapping[str, Any] | None = None,
                 textures: Mapping[str, Any] | None = None,
                 media: Mapping[str, Any] | None = None,
                 folder: str | os.PathLike[str] = ".", name: str = "scene") -> None:
        members = {"materials": materials, "shapes": shapes, "lights": lights, "sky": sky,
                   "camera": camera, "film": film, "render": render, "textures": textures,
                   "media": media}
        document = {key: member for key, member in members.items() if member is not None}
        if not isinstance(meshes, Iterable):
            raise ValueError(f"meshes: expected a sequence, found {type(meshes).__name__}")
        try:
            text = json.dumps(document, default=_plain, allow_nan=False)
            native = [_native(mesh, number) for number, mesh in enumerate(meshes)]
            self._scene = _winnow.build(text, _text("name", name), path_text("folder", folder),
                                        native)
        except (_winnow.Error, TypeError) as error:
            raise ValueError(str(error)) from None
        self._warn()

    @classmethod
    def _of(cls, native: _winnow.Scene) -> Scene:
        scene = cls.__new__(cls)
        scene._scene = native
        scene._warn()
        return scene

    def _warn(self) -> None:
        for line in self._scene.warnings:
            warnings.warn(line, SceneWarning, stacklevel=3)

    @property
    def name(self) -> str:
        """Name of the file without folder and extension, or the name given to Scene()."""
        return self._scene.name

    @property
    def description(self) -> str:
        """One line from the file; may be empty."""
        return self._scene.description

    @property
    def size(self) -> tuple[int, int]:
        """Default width and height of the image, in pixels."""
        return self._scene.size

    @property
    def spp(self) -> int:
        """Default number of samples per pixel."""
        return self._scene.spp

    @property
    def max_bounces(self) -> int:
        """Default maximum number of bounces of a path."""
        return self._scene.max_bounces

    @property
    def cameras(self) -> list[str]:
        """Names of the cameras of a glTF, the default first."""
        return self._scene.cameras

    @property
    def variants(self) -> list[str]:
        """Names of the variants of the materials of a glTF."""
        return self._scene.variants

    @property
    def counts(self) -> dict[str, int]:
        """Counts of triangles, spheres, materials, lights, ..., and their memory in bytes."""
        return self._scene.counts

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the scene in Winnow's JSON format, and its meshes and images next to `file`."""
        self._scene.save(path_text("file", file))

    def __repr__(self) -> str:
        counts = self.counts
        triangles = counts["triangles"] + counts["instanced_triangles"]
        return (f"<winnow.Scene {self.name!r}: {triangles} triangles, "
                f"{counts['spheres']} spheres, {counts['instances']} instances>")


def load(file: str | os.PathLike[str], *, parameters: Mapping[str, Any] | None = None,
         time: float | None = None, shutter: tuple[float, float] | None = None,
         confine: bool = False, variant: str = "", camera_name: str = "") -> Scene:
    """Reads a scene: Winnow JSON, glTF, Mitsuba XML, pbrt, OBJ or PLY, by its extension.

    parameters   values of the parameters of a Mitsuba scene
    time         s, moment of the animations of a glTF, on the clock of the file; a moment of a pbrt
                 or JSON scene, which else is blurred while its shutter is open
    shutter      s after `time`, when the shutter opens and closes: motion blur of a glTF. Each
                 render reads the file again for each slice of this time
    confine      refuses files outside the scene's folder, whatever the scene names
    variant      name of a variant of the materials of a glTF, see Scene.variants
    camera_name  name of a camera of a glTF, see Scene.cameras

    Raises winnow.Error in one line, and ValueError for a wrong argument. Warns with SceneWarning about defects that can be ignored;
    warnings.simplefilter("error", winnow.SceneWarning) makes them errors.
    """
    if not isinstance(parameters or {}, Mapping):
        raise ValueError(f"parameters: expected a dict, found {type(parameters).__name__}")
    texts = {_text("parameters: a name", key): str(value)
             for key, value in (parameters or {}).items()}
    if not isinstance(confine, (bool, np.bool_)):
        raise ValueError(f"confine: expected True or False, found {confine!r}")
    return Scene._of(_winnow.load(path_text("file", file), texts, _moment(time), _times(shutter),
                                  bool(confine), _text("variant", variant), _text("camera_name", camera_name)))


def _times(shutter: Any) -> str:
    """Returns the times of a shutter as the option --shutter takes them."""
    if shutter is None:
        return ""
    times = list(shutter) if isinstance(shutter, (list, tuple, np.ndarray)) else []
    if len(times) != 2:
        raise ValueError(f"shutter: expected two numbers of seconds, found {shutter!r}")
    return ":".join(repr(_moment(time)) for time in times)


def _moment(time: Any) -> float | None:
    if time is None:
        return None
    try:
        seconds = float(time)
    except (TypeError, ValueError):
        seconds = math.nan
    if isinstance(time, (str, bytes)) or not math.isfinite(seconds):
        raise ValueError(f"time: expected a number of seconds, found {time!r}")
    return seconds
