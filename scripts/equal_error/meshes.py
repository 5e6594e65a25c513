# SPDX-License-Identifier: MIT
"""Meshes of the scenes of the league."""

import math

import numpy

from equal_error.scene import Mesh


def join(*meshes):
    vertices, faces, uvs, offset = [], [], [], 0
    for mesh in meshes:
        vertices.append(mesh.vertices)
        faces.append(mesh.faces + offset)
        uvs.append(mesh.uvs if mesh.uvs is not None else numpy.zeros((len(mesh.vertices), 2)))
        offset += len(mesh.vertices)
    return Mesh(numpy.concatenate(vertices), numpy.concatenate(faces), numpy.concatenate(uvs))


def moved(mesh, matrix):
    matrix = numpy.asarray(matrix, float)
    return Mesh(mesh.vertices @ matrix[:3, :3].T + matrix[:3, 3], mesh.faces, mesh.uvs)


def place(position=(0, 0, 0), scale=1.0, turn=0.0, tilt=0.0):
    """Returns the matrix that scales, tilts about x, turns about y (both in degrees) and moves."""
    cy, sy, cx, sx = (f(math.radians(angle)) for angle in (turn, tilt) for f in (math.cos, math.sin))
    about_y = numpy.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_x = numpy.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    matrix = numpy.eye(4)
    matrix[:3, :3] = about_y @ about_x @ numpy.diag(numpy.broadcast_to(numpy.asarray(scale, float), 3))
    matrix[:3, 3] = position
    return matrix


def rectangle(corner, edge_u, edge_v, repeat=1.0):
    """Its normal is the cross product of the edges. `repeat`: how often a texture lies along each edge."""
    corner, u, v = (numpy.asarray(vector, float) for vector in (corner, edge_u, edge_v))
    return Mesh(numpy.stack([corner, corner + u, corner + u + v, corner + v]), numpy.array([[0, 1, 2], [0, 2, 3]]),
                numpy.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * float(repeat))


def box(low, high, repeat=1.0):
    """Six rectangles that face outwards."""
    (x, y, z), (a, b, c) = low, high
    w, h, d = a - x, b - y, c - z
    return join(rectangle((x, y, c), (w, 0, 0), (0, h, 0), repeat), rectangle((a, y, z), (-w, 0, 0), (0, h, 0), repeat),
                rectangle((a, y, c), (0, 0, -d), (0, h, 0), repeat), rectangle((x, y, z), (0, 0, d), (0, h, 0), repeat),
                rectangle((x, b, c), (w, 0, 0), (0, 0, -d), repeat), rectangle((x, y, z), (w, 0, 0), (0, 0, d), repeat))


def grid(columns, rows, height, size):
    """A height field over the square [-size, size]^2. `height` maps arrays of x and z to y."""
    x, z = numpy.meshgrid(numpy.linspace(-size, size, columns + 1), numpy.linspace(-size, size, rows + 1))
    vertices = numpy.stack([x, height(x, z), z], -1).reshape(-1, 3)
    corner = (numpy.arange(rows)[:, None] * (columns + 1) + numpy.arange(columns)).ravel()
    right, below = corner + 1, corner + columns + 1
    faces = numpy.concatenate([numpy.stack([corner, below, right], -1), numpy.stack([right, below, below + 1], -1)])
    return Mesh(vertices, faces)


def ball(rings=16, segments=32, radius=1.0):
    """A ball of flat faces."""
    theta = numpy.linspace(0, numpy.pi, rings + 1)[1:-1, None]
    phi = numpy.linspace(0, 2 * numpy.pi, segments, endpoint=False)[None]
    inner = numpy.stack([numpy.sin(theta) * numpy.sin(phi), numpy.cos(theta) + 0 * phi,
                         numpy.sin(theta) * numpy.cos(phi)], -1).reshape(-1, 3)
    vertices = numpy.concatenate([[[0, 1, 0]], inner, [[0, -1, 0]]]) * radius
    faces, last = [], len(vertices) - 1
    for s in range(segments):
        t = (s + 1) % segments
        faces.append([0, 1 + s, 1 + t])
        for r in range(rings - 2):
            a, b = 1 + r * segments, 1 + (r + 1) * segments
            faces += [[a + s, b + s, b + t], [a + s, b + t, a + t]]
        faces.append([last, last - segments + t, last - segments + s])
    return Mesh(vertices, numpy.array(faces))


def tree(leaves, random):
    """Returns triangles for leaves in a ball above a trunk."""
    trunk = box((-0.06, 0, -0.06), (0.06, 0.8, 0.06))
    vertices = []
    for _ in range(leaves):
        direction = numpy.array([random.gauss(0, 1) for _ in range(3)])
        middle = direction / numpy.linalg.norm(direction) * 0.6 * random.random()**(1 / 3) + [0, 1.2, 0]
        vertices += [middle + [random.uniform(-0.09, 0.09) for _ in range(3)] for _ in range(3)]
    return join(trunk, Mesh(numpy.array(vertices), numpy.arange(3 * leaves).reshape(-1, 3)))
