# SPDX-License-Identifier: MIT
"""Blender's axes (+z up) and Winnow's (+y up). Matrices are rows of numbers for column vectors."""

import math


def to_y_up(vector):
    """Returns a point or a direction of Blender in Winnow's axes."""
    x, y, z = vector
    return [x, z, -y]


def column(matrix, index):
    return [matrix[row][index] for row in range(3)]


def length(vector):
    return math.sqrt(sum(value * value for value in vector))


def normalized(vector):
    size = length(vector)
    return [value / size for value in vector] if size > 0 else list(vector)


def scaled(vector, factor):
    return [value * factor for value in vector]


def added(a, b):
    return [x + y for x, y in zip(a, b)]


def product(a, b):
    """Returns the product of two matrices."""
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))]
            for i in range(len(a))]


def transposed(matrix):
    return [list(row) for row in zip(*matrix)]


def rotation(axis, angle):
    """Returns the 3x3 matrix of a rotation about axis 0, 1 or 2; the angle is in radians."""
    c, s = math.cos(angle), math.sin(angle)
    matrix = [[float(i == j) for j in range(3)] for i in range(3)]
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix[first][first] = matrix[second][second] = c
    matrix[first][second], matrix[second][first] = -s, s
    return matrix


def euler(angles):
    """Returns the 3x3 matrix of Blender's Euler angles in XYZ order, in radians."""
    x, y, z = (rotation(axis, angle) for axis, angle in enumerate(angles))
    return product(z, product(y, x))


Y_UP = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]  # to_y_up as a matrix
