# SPDX-License-Identifier: MIT
"""Motion blur: meshes and the camera at equal steps of time while the shutter is open."""

import math

import mathutils

from .translate import camera as cameras

KEYS = 9  # between two of them, vertices move on straight lines
STARTS = {"START": 0.0, "CENTER": -0.5, "END": -1.0}  # opening of the shutter, in its own times


def is_wanted(scene, layer):
    return scene.render.use_motion_blur and getattr(layer, "use_motion_blur", True)


class ShutterFrames:
    """Goes to the moments of the shutter, and back at the end."""

    def __init__(self, scene):
        self._scene = scene

    def __enter__(self):
        self._now = self._scene.frame_current, self._scene.frame_subframe
        return self

    def __iter__(self):
        render, frame = self._scene.render, sum(self._now)
        for key in range(KEYS):
            time = STARTS[render.motion_blur_position] + key / (KEYS - 1)
            self._go(frame + render.motion_blur_shutter * time)
            yield key

    def _go(self, frame):
        whole = math.floor(frame)
        self._scene.frame_set(whole, subframe=frame - whole)

    def __exit__(self, *_):
        self._scene.frame_set(self._now[0], subframe=self._now[1])


def note_losses(scene, notes):
    """Notes what Winnow lacks of Cycles' motion blur."""
    curve = scene.render.motion_blur_shutter_curve
    if any(abs(point.location[1] - 1.0) > 1e-3 for line in curve.curves for point in line.points):
        notes.add("no shutter curve: it opens and closes at once")
    if getattr(scene.cycles, "rolling_shutter_type", "NONE") != "NONE":
        notes.add("no rolling shutter")
    for item in scene.objects:
        own = getattr(item, "cycles", None)
        if own and not (own.use_motion_blur and own.use_deform_motion):
            notes.add("no objects without motion blur", item.name)


def lens_of(camera):
    data = camera.data
    return data.lens, data.ortho_scale, data.shift_x, data.shift_y


def move_meshes(result, keys, folder, notes):
    """Adds motion to the shapes and meshes of a scene.

    keys    (JSON, folder) of the scene at each moment
    folder  of the scene
    """
    def counterparts(name):
        return [key.get(name, type(result[name])()) for key, _ in keys]

    if any(len(other) != len(result[name]) for name in ("shapes", "meshes") if name in result
           for other in counterparts(name)):
        return notes.add("no motion blur of scenes whose objects appear while the shutter is open")
    folders = [where for _, where in keys]
    for index, shape in enumerate(result["shapes"]):
        _move_shape(shape, [other[index] for other in counterparts("shapes")], folders, folder, notes)
    for name, mesh in result.get("meshes", {}).items():
        _move_shape(mesh, [other[name] for other in counterparts("meshes")], folders, folder, notes)
    return None


def _move_shape(shape, others, folders, folder, notes):
    if shape["type"] == "instances":
        places = [other["transforms"] for other in others]
        if any(len(there) != len(shape["transforms"]) for there in places):
            return notes.add("no motion blur of instances that appear while the shutter is open")
        for index, place in enumerate(zip(*places)):
            if any(steps != place[0] for steps in place):
                shape["transforms"][index] = [{"motion": list(place)}]
    else:
        files = [where / other["file"] for where, other in zip(folders, others)]
        plys = [file.read_bytes() for file in files]
        if all(ply == plys[0] for ply in plys):
            return None
        if any(_faces_of(ply) != _faces_of(plys[0]) for ply in plys):
            return notes.add("no motion blur of meshes whose faces change")
        del shape["file"]
        shape["files"] = [str(file.relative_to(folder)) for file in files]
    return None


def _faces_of(ply):
    """Returns the number of vertices of a PLY file of winnow convert, and the bytes of its faces."""
    header, _, body = ply.partition(b"end_header\n")
    vertices = header.partition(b"element face")[0]
    count = int(vertices.partition(b"element vertex ")[2].split()[0])
    return count, body[count * 4 * vertices.count(b"property float"):]


def move_camera(json, view, matrices, notes):
    """Adds the motion of a camera to its JSON.

    view      a View
    matrices  of the camera at each moment, and at the frame itself
    """
    *moments, now = (mathutils.Matrix(matrix) for matrix in matrices)
    if all(moment == now for moment in moments):
        return
    to_eye = now.inverted() @ mathutils.Matrix(view.matrix)  # of a stereo camera
    json["motion"] = []
    for moment in moments:
        matrix = [list(row) for row in moment @ to_eye]
        place = cameras.camera_json(view.camera.data, matrix, view.corners, view.distance, notes)
        json["motion"].append({key: place[key] for key in ("position", "look_at", "up")})
    del json["far_clip"]
