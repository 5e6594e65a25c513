# SPDX-License-Identifier: MIT
"""What several tests use."""

import os
import signal
import sys

import numpy as np
import pytest

import winnow

# Shells start background jobs with Ctrl-C ignored, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)


def environment():
    """The environment of a program that finds the packages that these tests find."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def quad(half=1.0, y=0.0):
    """Vertices and indices of a square that faces up."""
    vertices = np.array([[-half, y, -half], [-half, y, half], [half, y, half], [half, y, -half]])
    return vertices, np.array([[0, 1, 2], [0, 2, 3]])


def floor_below(sky):
    """A white square below a sky: each pixel has the irradiance of the sky over pi."""
    vertices, indices = quad(50.0)
    return winnow.Scene(
        meshes=[winnow.Mesh(vertices, indices, "white")],
        materials={"white": {"type": "diffuse", "reflectance": 1.0}}, sky=sky,
        camera={"position": [0, 3, 0], "look_at": [0, 0, 0], "up": [0, 0, 1]},
        film={"width": 24, "height": 16}, render={"spp": 4, "max_bounces": 8})


@pytest.fixture
def floor_scene():
    """A white square below a sky of radiance 1: the square has the colour of the sky."""
    return floor_below({"radiance": 1.0})
