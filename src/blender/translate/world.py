# SPDX-License-Identifier: MIT
"""The world as the sky of Winnow's JSON."""

import math

from .axes import Y_UP, euler, product, rotation, scaled, transposed
from .nodes import Input, active_output


# Winnow's clear sky is about five times as bright as a new Sky Texture.
SKY_SCALE = 0.2


class World:
    """What a world is.

    radiance   constant colour; None if there is an image
    image      the image, which Blender reads as `color_space`
    scale      its factor
    transform  3x3 matrix from the directions of Winnow's image to the world
    sky        the node of a Sky Texture
    """

    def __init__(self, radiance=None, image=None, scale=1.0, transform=None, sky=None):
        self.radiance, self.image, self.scale = radiance, image, scale
        self.transform, self.sky = transform, sky


def read_world(world, notes):
    """Returns the World of a world of Blender; None is black."""
    if world is None:
        return World(radiance=[0.0, 0.0, 0.0])
    tree = world.node_tree if world.use_nodes else None
    if tree is None:
        return World(radiance=[float(channel) for channel in world.color][:3])
    output = active_output(tree, "OUTPUT_WORLD")
    if output is None:
        return World(radiance=[0.0, 0.0, 0.0])
    volume = Input(output.inputs["Volume"])
    if volume.node is not None:
        notes.add("no volume of the world", world.name)
    surface = Input(output.inputs["Surface"])
    if surface.kind in ("MIX_SHADER", "ADD_SHADER"):
        notes.add("no mixed shaders of worlds; the first Background counts", world.name)
        surface = _first_background(surface)
    if surface.node is None:
        return World(radiance=[0.0, 0.0, 0.0])
    if surface.kind not in ("BACKGROUND", "EMISSION"):
        notes.add("no shaders of worlds but Background", world.name)
        return World(radiance=[0.0, 0.0, 0.0])
    return _background(surface, world, notes)


def _first_background(surface):
    """Returns what a tree of mixed shaders shows if it varies: its last input with a shader."""
    while surface.kind in ("MIX_SHADER", "ADD_SHADER"):
        factor = surface.value(0) if surface.kind == "MIX_SHADER" else None
        inputs = [surface.of(index) for index in range(len(surface.node.inputs))]
        shaders = [source for source in inputs if source.node is not None
                   and (source.kind in ("MIX_SHADER", "ADD_SHADER", "BACKGROUND", "EMISSION"))]
        if not shaders:
            break
        surface = shaders[-1] if factor is not None and factor > 0.5 else shaders[0]
    return surface


def _background(surface, world, notes):
    strength = surface.value("Strength")
    if strength is None:
        notes.add("no nodes for the strength of the world", world.name)
        strength = 1.0
    color = surface.value("Color")
    if color is not None:
        return World(radiance=[max(channel, 0.0) for channel in scaled(color, strength)])
    source = surface.of("Color")
    if source.kind == "TEX_SKY":
        return World(sky=source.node, scale=strength)
    if source.kind != "TEX_ENVIRONMENT" or source.node.image is None:
        notes.add("no nodes for the colour of the world but Environment Texture", world.name)
        return World(radiance=[0.0, 0.0, 0.0])
    if source.node.projection != "EQUIRECTANGULAR":
        notes.add("no mirror balls as worlds", world.name)
    return World(image=source.node.image, scale=strength,
                 transform=_transform(source.of("Vector"), world, notes))


def _transform(vector, world, notes):
    mapping = [[float(i == j) for j in range(3)] for i in range(3)]  # of lookups: world to image
    if vector.kind == "MAPPING":
        mapping = _mapping(vector, world, notes)
        vector = vector.of("Vector")
    if vector.node is not None and (vector.kind, vector.output.name) not in (
            ("TEX_COORD", "Generated"), ("TEX_COORD", "Object"), ("NEW_GEOMETRY", "Position")):
        notes.add("no other coordinates of the world's image than Generated", world.name)
    # Winnow's image has its middle at +z; Blender's, seen in these axes, at +x.
    turned = rotation(1, 0.5 * math.pi)
    return product(Y_UP, product(transposed(mapping), product(transposed(Y_UP), turned)))


def _mapping(vector, world, notes):
    """Returns the matrix of a Mapping node, which rotates and mirrors."""
    angles, scale = vector.value("Rotation"), vector.value("Scale")
    location = vector.value("Location")
    if angles is None or scale is None or location is None:
        notes.add("no nodes for the mapping of the world", world.name)
        return [[float(i == j) for j in range(3)] for i in range(3)]
    kind = vector.node.vector_type
    if kind in ("POINT", "TEXTURE") and any(location):
        notes.add("no location of the world's image", world.name)
    sizes = [abs(value) for value in scale]
    if max(sizes) - min(sizes) > 1e-5 or min(sizes) == 0.0:
        notes.add("no uneven scale of the world's image", world.name)
    mirror = [[math.copysign(1.0, scale[i]) if i == j else 0.0 for j in range(3)]
              for i in range(3)]
    turn = euler(angles)
    return product(mirror, transposed(turn)) if kind == "TEXTURE" else product(turn, mirror)


def sky_json(world, image_file):
    """Returns the sky of a scene; None is black. `image_file` is the file of the image."""
    if world.radiance is not None:
        return {"radiance": world.radiance} if max(world.radiance) > 0.0 else None
    if world.sky is not None:
        return _sun_sky(world)
    if world.scale <= 0.0:
        return None
    matrix = [[*row, 0.0] for row in world.transform] + [[0.0, 0.0, 0.0, 1.0]]
    return {"file": str(image_file), "scale": world.scale, "transform": [{"matrix": matrix}]}


def _sun_sky(world):
    """Returns a clear sky with the sun where a Sky Texture has it."""
    node = world.sky
    if node.sky_type in ("PREETHAM", "HOSEK_WILKIE"):
        x, y, z = node.sun_direction
        turbidity = node.turbidity
    else:
        elevation, around = node.sun_elevation, node.sun_rotation
        x, y = math.cos(elevation) * math.sin(around), math.cos(elevation) * math.cos(around)
        z, turbidity = math.sin(elevation), 3.0
    return {"sun": [x, max(z, 0.01), -y], "turbidity": min(max(turbidity, 2.0), 10.0),
            "model": "hosek-wilkie", "scale": SKY_SCALE * world.scale}
