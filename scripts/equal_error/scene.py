# SPDX-License-Identifier: MIT
"""What a scene of the league consists of: only what Winnow, Mitsuba, Cycles and LuxCore express alike.

Everything is a mesh with flat normals, so that no program has an exact sphere or a shading normal of its own. Surfaces
reflect on both sides; lamps are black. Nothing sees the back of a lamp, since programs disagree on whether it shines. +y
is up.
"""

import dataclasses

import numpy


@dataclasses.dataclass
class Material:
    """kind: diffuse; metal (GGX, reflects all light); mirror; glass (smooth); lamp (color is its radiance)."""
    kind: str
    color: tuple = (1.0, 1.0, 1.0)
    alpha: float = 0.0                    # width of the microfacets of a metal
    ior: float = 1.5                      # of glass
    texture: numpy.ndarray | None = None  # [row, column, channel] linear reflectance, instead of the color


@dataclasses.dataclass
class Mesh:
    vertices: numpy.ndarray               # [vertex, axis], m
    faces: numpy.ndarray                  # [face, corner], counter-clockwise seen from outside
    uvs: numpy.ndarray | None = None      # [vertex, axis]; v points up, (0, 0) is the lower left corner of a texture


@dataclasses.dataclass
class Thing:
    """A mesh with a material, once in its own place or at each of `places`."""
    mesh: Mesh
    material: str
    places: list | None = None            # 4x4 matrices for column vectors


@dataclasses.dataclass
class Camera:
    position: tuple
    look_at: tuple
    fov: float                            # degrees, vertical


@dataclasses.dataclass
class Scene:
    name: str
    shows: str
    camera: Camera
    materials: dict
    things: list
    sky: tuple | numpy.ndarray | None = None  # radiance: a color, or [row, column, channel] as winnow's sky images

    def face_count(self):
        return sum(len(thing.mesh.faces) * len(thing.places or [0]) for thing in self.things)


def sky_direction(row, column, rows, columns):
    """Returns the direction that the middle of a sky's pixel shows: the upper edge is +y, the middle +z."""
    theta = numpy.pi * (row + 0.5) / rows
    phi = numpy.pi * (1 - 2 * (column + 0.5) / columns)
    return numpy.stack([numpy.sin(theta) * numpy.sin(phi), numpy.cos(theta) + 0 * phi,
                        numpy.sin(theta) * numpy.cos(phi)], -1)
