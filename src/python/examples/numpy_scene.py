# SPDX-License-Identifier: MIT
"""Renders a scene whose triangles are made by NumPy: a wave in water, below the sky.

Usage: python numpy_scene.py [PICTURE.png]
"""

# %% A height field as arrays: positions on a grid, two triangles for each of its cells
import sys

import numpy as np

import winnow

side = 200
x, z = np.meshgrid(np.linspace(-4, 4, side), np.linspace(-4, 4, side))
radius = np.hypot(x, z)
height = 0.5 * np.cos(4 * radius) * np.exp(-0.4 * radius)
vertices = np.stack([x, height, z], axis=-1).reshape(-1, 3)

corner = np.arange(side * side).reshape(side, side)
a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
indices = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)

# %% Normals of the vertices: those of the triangles around each, added up
p, q, r = (vertices[indices[:, i]] for i in range(3))
normals = np.zeros_like(vertices)
for i in range(3):
    np.add.at(normals, indices[:, i], np.cross(q - p, r - p))

# %% A scene: materials, lights and camera are those of Winnow's JSON format
scene = winnow.Scene(
    meshes=[winnow.Mesh(vertices, indices, "wax", normals=normals)],
    materials={"wax": {"type": "plastic", "reflectance": [0.1, 0.35, 0.5], "roughness": 0.1}},
    sky={"zenith": [0.3, 0.5, 1.0], "horizon": [1.0, 0.9, 0.8], "ground": [0.2, 0.2, 0.2]},
    lights=[{"type": "directional", "direction": [-1, -1, -0.5], "irradiance": 3, "angle": 2}],
    camera={"position": [0, 4, 7], "look_at": [0, -0.3, 0], "vertical_fov": 40},
    film={"width": 480, "height": 270})
print(scene)

# %% The picture is an array; so are its AOVs
render = winnow.render(scene, spp=32, aovs=["depth", "normal"])
print(render)
print("mean radiance", render.image.mean(axis=(0, 1)))
print("nearest point", render.aovs["depth"].min(), "m")
render.save(sys.argv[1] if len(sys.argv) > 1 else "wave.png")
