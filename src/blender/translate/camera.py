# SPDX-License-Identifier: MIT
"""The active camera as Winnow's JSON."""

import math

from .axes import added, column, normalized, to_y_up


def border_of(corners, border):
    """Returns the part of a view that a border shows.

    corners  [left, right, bottom, top] of the view
    border   [left, right, bottom, top] in shares of the view
    """
    left, right, bottom, top = corners
    width, height = right - left, top - bottom
    return [left + border[0] * width, left + border[1] * width,
            bottom + border[2] * height, bottom + border[3] * height]


def camera_json(camera, matrix, corners, distance, notes):
    """Returns the camera of a scene.

    camera    its data
    matrix    from the camera to the world, rows of numbers; its scale does not count
    corners   [left, right, bottom, top] of the view in the camera's axes, at `distance`
    """
    _note_axes(matrix, notes)
    position = column(matrix, 3)
    forward = [-value for value in normalized(column(matrix, 2))]
    left, right, bottom, top = corners
    width, height = right - left, top - bottom
    json = {"position": to_y_up(position), "look_at": to_y_up(added(position, forward)),
            "up": to_y_up(normalized(column(matrix, 1))),
            "shift": [0.5 * (left + right) / width, 0.5 * (bottom + top) / height],
            "near_clip": camera.clip_start, "far_clip": camera.clip_end}
    if camera.type == "ORTHO":
        json |= {"type": "orthographic", "view_height": height}
    elif camera.type == "PERSP":
        json["vertical_fov"] = math.degrees(2.0 * math.atan(0.5 * height / distance))
    else:
        raise ValueError(f"Winnow has no cameras of the type {camera.type.title()}")
    if camera.dof.use_dof:
        _add_lens(camera, json, position, forward, notes)
    return json


def _note_axes(matrix, notes):
    """Notes axes that Cycles keeps and Winnow replaces by those of a rotation."""
    x, y, z = (normalized(column(matrix, axis)) for axis in range(3))
    across = [y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0]]
    along_x = sum(a * b for a, b in zip(x, across))  # 1 of a rotation
    if abs(along_x) < 1.0 - 1e-4:
        notes.add("no sheared cameras")
    elif along_x < 0.0:
        notes.add("no mirrored cameras")


def _add_lens(camera, json, position, forward, notes):
    dof = camera.dof
    if camera.type == "ORTHO":
        return notes.add("no depth of field of orthographic cameras")
    json["lens_radius"] = 1e-3 * camera.lens / (2.0 * max(dof.aperture_fstop, 1e-5))
    distance = dof.focus_distance
    if dof.focus_object:
        target = column(dof.focus_object.matrix_world, 3)
        distance = abs(sum(f * (t - p) for f, t, p in zip(forward, target, position)))
    json["focus_distance"] = max(distance, 1e-5)
    if dof.aperture_blades > 2:
        json["blades"] = min(dof.aperture_blades, 64)
        # The middle of Blender's first edge points right, a corner of Winnow's up.
        json["blade_rotation"] = (math.degrees(dof.aperture_rotation)
                                  + 180.0 / json["blades"] - 90.0)
    if dof.aperture_ratio != 1.0:
        notes.add("no anamorphic bokeh (Aperture > Ratio)")
    return None


def ball_is_in_view(matrix, corners, distance, center, radius):
    """Tells whether a camera may see a ball; a camera without `distance` is orthographic."""
    offset = [c - p for c, p in zip(center, column(matrix, 3))]
    x, y, z = (sum(a * o for a, o in zip(normalized(column(matrix, axis)), offset))
               for axis in range(3))
    if -z < -radius:
        return False
    grow = max(-z, 0.0) / distance if distance else 1.0
    left, right, bottom, top = corners
    # The side of the view leans, so a ball reaches further than its radius.
    reach = radius * math.hypot(1.0, max(map(abs, corners)) / distance if distance else 0.0)
    return (left * grow - reach <= x <= right * grow + reach
            and bottom * grow - reach <= y <= top * grow + reach)
