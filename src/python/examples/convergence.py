# SPDX-License-Identifier: MIT
"""Prints how the error of a picture falls with the number of samples, for both samplers: data for a
plot.

Usage: python convergence.py [SCENE] [PIXELS]     (default: a sphere in a white box, 64x64)
"""

# %% A scene, and a reference of many more samples than any picture to compare
import sys

import numpy as np

import winnow

wall = {"type": "rectangle", "material": "white"}
scene = sys.argv[1] if len(sys.argv) > 1 else winnow.Scene(
    materials={"white": {"type": "diffuse", "reflectance": 0.7},
               "glossy": {"type": "conductor", "metal": "copper", "roughness": 0.3}},
    shapes=[{**wall, "corner": [-2, 0, -2], "edge_u": [0, 0, 4], "edge_v": [4, 0, 0]},
            {**wall, "corner": [-2, 0, -2], "edge_u": [4, 0, 0], "edge_v": [0, 4, 0]},
            {"type": "sphere", "material": "glossy", "center": [0, 0.8, 0], "radius": 0.8}],
    lights=[{"type": "rectangle", "corner": [-0.5, 3.5, 0], "edge_u": [1, 0, 0],
             "edge_v": [0, 0, 1], "radiance": 12}],
    camera={"position": [0, 2, 6], "look_at": [0, 1, 0], "vertical_fov": 40})
side = int(sys.argv[2]) if len(sys.argv) > 2 else 64
size = (side, side)
most = 256
reference = winnow.render(scene, size=size, spp=16 * most, seed=1).image


# %% The error: relative mean square, as in `winnow diff`
def relative_mse(image):
    return np.mean((image - reference) ** 2 / (reference ** 2 + 0.01))


# %% One line for each number of samples
samplers = ("hash", "sobol")
print("spp", *samplers, sep="\t")
errors = []
spp = 1
while spp <= most:
    errors.append([relative_mse(winnow.render(scene, size=size, spp=spp, sampler=name).image)
                   for name in samplers])
    print(spp, *(f"{error:.3g}" for error in errors[-1]), sep="\t")
    spp *= 2

# %% The slopes, in powers of the number of samples: -1 is that of independent samples
counts = 2.0 ** np.arange(len(errors))
for name, column in zip(samplers, np.transpose(errors)):
    print(f"{name}: error ~ spp^{np.polyfit(np.log(counts), np.log(column), 1)[0]:.2f}")
