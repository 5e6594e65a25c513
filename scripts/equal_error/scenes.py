# SPDX-License-Identifier: MIT
"""The scenes of the league, and the furnace that opens each run."""

import math
import random

import numpy

from equal_error.meshes import ball, box, grid, join, moved, place, rectangle, tree
from equal_error.scene import Camera, Material, Scene, Thing, sky_direction

WALLS = {"white": Material("diffuse", (0.73, 0.73, 0.73)), "red": Material("diffuse", (0.63, 0.06, 0.05)),
         "green": Material("diffuse", (0.14, 0.45, 0.09))}


def room(width, height, depth):
    """Returns floor, ceiling, back, left and right wall of a room with its floor around the origin, open to +z."""
    x, y, z = width / 2, height, depth / 2
    return {"floor": rectangle((-x, 0, z), (width, 0, 0), (0, 0, -depth)),
            "ceiling": rectangle((-x, y, -z), (width, 0, 0), (0, 0, depth)),
            "back": rectangle((-x, 0, -z), (width, 0, 0), (0, y, 0)),
            "left": rectangle((-x, 0, z), (0, 0, -depth), (0, y, 0)),
            "right": rectangle((x, 0, -z), (0, 0, depth), (0, y, 0))}


def panel(x, y, z, width, depth):
    """Returns a rectangle that faces down, such as a lamp."""
    return rectangle((x - width / 2, y, z - depth / 2), (width, 0, 0), (0, 0, depth))


def hang(walls, x, z, width, depth):
    """Cuts a rectangle out of the ceiling and returns it as a lamp, so that its back lights nothing."""
    (x0, y, z0), (x1, _, z1) = walls["ceiling"].vertices.min(0), walls["ceiling"].vertices.max(0)
    part = lambda a, b, c, d: panel((a + b) / 2, y, (c + d) / 2, b - a, d - c)
    a, b, c, d = x - width / 2, x + width / 2, z - depth / 2, z + depth / 2
    walls["ceiling"] = join(part(x0, a, z0, z1), part(b, x1, z0, z1), part(a, b, z0, c), part(a, b, d, z1))
    return part(a, b, c, d)


def sun_sky(zenith, horizon, sun, direction, width):
    """Returns a sky image with a soft sun; `width` is the cosine of its radius' angle from 1."""
    rows, columns = 256, 512
    d = sky_direction(*numpy.mgrid[0:rows, 0:columns], rows, columns)
    up = numpy.clip(d[..., 1:2], 0, 1)
    sky = numpy.asarray(horizon) * (1 - up) + numpy.asarray(zenith) * up
    direction = numpy.asarray(direction) / numpy.linalg.norm(direction)
    return sky + numpy.asarray(sun) * numpy.exp((d @ direction - 1)[..., None] / width)


def furnace():
    """A closed room of albedo 0.9 that emits 1: its radiance is 10 everywhere."""
    inside = box((-1, -1, -1), (1, 1, 1))
    inside.faces = inside.faces[:, ::-1]
    return Scene("furnace", "a closed room of albedo 0.9 that emits 1", Camera((0, 0, 0.9), (0, 0, 0), 60),
                 {"wall": Material("furnace", (0.9, 0.9, 0.9))}, [Thing(inside, "wall")])


def boxes():
    walls = room(2, 2, 2)
    lamp = hang(walls, 0, 0, 0.5, 0.4)
    return Scene("boxes", "the classic room of diffuse walls with two boxes and a ceiling lamp",
                 Camera((0, 1, 5.4), (0, 1, 0), 22.5),
                 WALLS | {"lamp": Material("lamp", (17, 12, 4))},
                 [Thing(join(walls["floor"], walls["ceiling"], walls["back"],
                             moved(box((-0.3, 0, -0.3), (0.3, 1.2, 0.3)), place((-0.35, 0, -0.35), turn=18)),
                             moved(box((-0.3, 0, -0.3), (0.3, 0.6, 0.3)), place((0.35, 0, 0.35), turn=-17))), "white"),
                  Thing(walls["left"], "red"), Thing(walls["right"], "green"),
                  Thing(lamp, "lamp")])


def lamps():
    draw = random.Random(7)
    materials = {"ground": Material("diffuse", (0.5, 0.5, 0.5)), "block": Material("diffuse", (0.6, 0.55, 0.5))}
    colors = [(1.0, 0.6, 0.3), (0.4, 0.6, 1.0), (1.0, 0.9, 0.8), (0.9, 0.3, 0.5)]
    small = [[] for _ in colors]
    for i in range(600):
        x, z, y = draw.uniform(-9, 9), draw.uniform(-9, 9), draw.uniform(0.1, 1.5)
        small[i % 4].append(moved(box((-1, -1, -1), (1, 1, 1)), place((x, y, z), 0.03, draw.uniform(0, 90))))
    blocks = [moved(box((-1, 0, -1), (1, 1, 1)),
                    place((draw.uniform(-8, 8), 0, draw.uniform(-8, 8)),
                          (draw.uniform(0.2, 0.6), draw.uniform(0.3, 1.6), draw.uniform(0.2, 0.6)),
                          draw.uniform(0, 90))) for _ in range(60)]
    things = [Thing(rectangle((-12, 0, 12), (24, 0, 0), (0, 0, -24)), "ground"), Thing(join(*blocks), "block")]
    for i, color in enumerate(colors):
        materials[f"lamp{i}"] = Material("lamp", tuple(60 * channel for channel in color))
        things.append(Thing(join(*small[i]), f"lamp{i}"))
    return Scene("lamps", "600 small lamps of 7,200 triangles among 60 blocks", Camera((0, 4.5, 13), (0, 0.2, 0), 38),
                 materials, things)


def walls_with_window(width, height, depth, low, high):
    """Returns the walls of a room whose right wall has an opening from `low` to `high` (y and z)."""
    walls, x, z = room(width, height, depth), width / 2, depth / 2
    (y0, z0), (y1, z1) = low, high
    along = lambda a, b, c, d: rectangle((x, c, a), (0, 0, b - a), (0, d - c, 0))
    walls["right"] = join(along(-z, z0, 0, height), along(z1, z, 0, height), along(z0, z1, 0, y0),
                          along(z0, z1, y1, height))
    walls["front"] = rectangle((x, 0, z), (-width, 0, 0), (0, height, 0))
    return walls


def window():
    walls = walls_with_window(5, 2.6, 6, (0.9, -1.5), (2.1, 0.3))
    table = join(box((-1.2, 0.7, -1.6), (0.8, 0.76, -0.4)), *(box((x, 0, z), (x + 0.06, 0.7, z + 0.06))
                                                           for x in (-1.15, 0.7) for z in (-1.55, -0.5)))
    return Scene("window", "a room lit by the sky through one window", Camera((-1.6, 1.5, 2.9), (0.3, 1.0, -1.5), 50),
                 {"wall": Material("diffuse", (0.75, 0.72, 0.68)), "floor": Material("diffuse", (0.4, 0.28, 0.18)),
                  "table": Material("diffuse", (0.5, 0.2, 0.12))},
                 [Thing(join(*(walls[name] for name in ("ceiling", "back", "left", "right", "front"))), "wall"),
                  Thing(walls["floor"], "floor"), Thing(table, "table")],
                 (3.0, 3.6, 4.5))


def yard():
    draw = random.Random(3)
    materials = {"ground": Material("diffuse", (0.35, 0.33, 0.3))}
    things = [Thing(rectangle((-30, 0, 30), (60, 0, 0), (0, 0, -60)), "ground")]
    for i, alpha in enumerate([0.05, 0.1, 0.2, None]):
        materials[f"metal{i}"] = Material("mirror", (0.9, 0.9, 0.9)) if alpha is None else Material("metal", alpha=alpha)
        shapes = [moved(ball(24, 48), place((draw.uniform(-4, 4), 0.6, draw.uniform(-4, 3)), 0.6)) for _ in range(3)]
        shapes += [moved(box((-0.5, 0, -0.5), (0.5, 1, 0.5)),
                         place((draw.uniform(-5, 5), 0, draw.uniform(-5, 2)), (0.8, draw.uniform(0.5, 2), 0.8),
                               draw.uniform(0, 90))) for _ in range(2)]
        things.append(Thing(join(*shapes), f"metal{i}"))
    return Scene("yard", "glossy metal and mirrors on a yard under a sky with a soft sun",
                 Camera((0, 2.6, 9), (0, 0.6, 0), 38), materials, things,
                 sun_sky((0.35, 0.55, 1.0), (0.9, 0.9, 0.85), (60, 54, 45), (0.9, 0.7, 0.25), 0.004))


def glass():
    walls = room(3, 2.4, 3)
    lamp = hang(walls, 0, 0, 1.6, 1.6)
    return Scene("glass", "two balls and a block of glass, and a mirror, under a large lamp",
                 Camera((0, 1.3, 4.6), (0, 0.85, 0), 32),
                 WALLS | {"glass": Material("glass", ior=1.5), "mirror": Material("mirror", (0.9, 0.9, 0.9)),
                          "lamp": Material("lamp", (5, 5, 5))},
                 [Thing(join(walls["floor"], walls["ceiling"], walls["back"]), "white"),
                  Thing(walls["left"], "red"), Thing(walls["right"], "green"),
                  Thing(join(moved(ball(16, 32), place((-0.7, 0.5, 0.3), 0.5)),
                             moved(ball(12, 24), place((0.75, 0.4, 0.7), 0.4)),
                             moved(box((-0.3, 0.01, -0.3), (0.3, 0.9, 0.3)), place((0.1, 0, -0.4), turn=30))), "glass"),
                  Thing(moved(rectangle((-0.5, 0, 0), (1, 0, 0), (0, 1.4, 0)), place((0.9, 0.4, -1.2), turn=-25)),
                        "mirror"),
                  Thing(lamp, "lamp")])


def living():
    """90 materials, 60 of them with textures of their own."""
    draw = random.Random(11)
    walls = walls_with_window(6, 2.7, 7, (0.5, -2.6), (2.3, 0.6))
    lamp = hang(walls, 0.5, 0.5, 0.4, 0.4)
    materials, things = {}, []

    def add(mesh, textured):
        name = f"m{len(materials)}"
        color = tuple(draw.uniform(0.15, 0.75) for _ in range(3))
        texture = None
        if textured:
            noise = numpy.array([[draw.uniform(0.4, 1.0) for _ in range(32)] for _ in range(32)])
            stripe = 0.75 + 0.25 * numpy.sin(numpy.arange(32) * 2 * numpy.pi * draw.randrange(1, 5) / 32)
            texture = (noise * stripe)[..., None] * numpy.array(color)
        materials[name] = Material("diffuse", color, texture=texture)
        things.append(Thing(mesh, name))

    for name in ("floor", "ceiling", "back", "left", "right", "front"):
        walls[name].uvs = walls[name].uvs * 4
        add(walls[name], True)
    for i in range(54):  # books on a shelf at the back
        x, y = -2.6 + (i % 18) * 0.16, 0.3 + i // 18 * 0.6
        add(box((x, y, -3.4), (x + draw.uniform(0.08, 0.14), y + draw.uniform(0.3, 0.48), -3.1)), True)
    for y in (0.2, 0.8, 1.4, 2.0):
        add(box((-2.7, y, -3.45), (0.3, y + 0.08, -3.05)), False)
    add(box((-2.2, 0, -0.6), (-1.3, 0.45, 1.4)), False)        # sofa
    add(box((-2.5, 0, -0.6), (-2.2, 0.9, 1.4)), False)
    add(box((-0.7, 0.35, -0.5), (0.5, 0.42, 0.9)), False)      # table
    for i in range(20):  # bowls and cushions
        where = (draw.uniform(-0.6, 0.4), 0.42, draw.uniform(-0.4, 0.8)) if i < 8 else \
                (draw.uniform(-2.8, 2.8), 0, draw.uniform(-2.6, 2.0))
        size = draw.uniform(0.05, 0.09) if i < 8 else draw.uniform(0.1, 0.3)
        add(moved(ball(10, 20), place((where[0], where[1] + size, where[2]), size)), False)
    materials["frame"] = Material("metal", alpha=0.1)
    things.append(Thing(join(box((1.2, 0, -3.3), (1.3, 1.9, -3.2)), box((2.0, 0, -3.3), (2.1, 1.9, -3.2))), "frame"))
    materials["mirror"] = Material("mirror", (0.9, 0.9, 0.9))
    things.append(Thing(rectangle((1.3, 0.1, -3.25), (0.7, 0, 0), (0, 1.7, 0)), "mirror"))
    materials["lamp"] = Material("lamp", (12, 10, 7))
    things.append(Thing(lamp, "lamp"))
    return Scene("living", "a room of 90 materials and 60 textures, with a lamp and the sky through a window",
                 Camera((1.9, 1.5, 3.3), (-0.6, 0.8, -1.2), 52), materials, things, (4.0, 4.6, 5.4))


def forest():
    draw = random.Random(5)
    places = [place((draw.uniform(-14, 14), 0, draw.uniform(-26, 3)), draw.uniform(0.8, 1.6), draw.uniform(0, 360))
              for _ in range(200)]
    return Scene("forest", "200 instances of a tree of 2,512 triangles under a sky with a soft sun",
                 Camera((0, 2.2, 9), (0, 1.2, 0), 40),
                 {"ground": Material("diffuse", (0.25, 0.2, 0.12)), "tree": Material("diffuse", (0.2, 0.45, 0.1))},
                 [Thing(rectangle((-40, 0, 20), (80, 0, 0), (0, 0, -80)), "ground"),
                  Thing(tree(2500, draw), "tree", places)],
                 sun_sky((0.3, 0.5, 1.0), (0.9, 0.9, 0.9), (60, 54, 45), (-0.5, 0.6, 0.6), 0.004))


def hills():
    def height(x, z):
        y = numpy.zeros_like(x)
        for octave in range(9):
            f, turn = 0.7 * 1.9**octave, 1.3 * octave
            u, v = x * math.cos(turn) + z * math.sin(turn), z * math.cos(turn) - x * math.sin(turn)
            y += numpy.sin(f * u + octave) * numpy.sin(f * v + 2 * octave) / f
        return y
    return Scene("hills", "a height field of 524,288 triangles with a lamp of the size of a cloud",
                 Camera((0, 3.4, 7), (0, 0, 0), 42),
                 {"rock": Material("diffuse", (0.5, 0.45, 0.4)), "lamp": Material("lamp", (14, 12, 9))},
                 [Thing(grid(512, 512, height, 5), "rock"), Thing(panel(3, 7, -2, 2, 2), "lamp")],
                 (0.4, 0.55, 0.8))


SCENES = {make.__name__: make for make in (boxes, lamps, window, yard, glass, living, forest, hills)}


def make_scene(name):
    return furnace() if name == "furnace" else SCENES[name]()
