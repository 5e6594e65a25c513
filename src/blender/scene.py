# SPDX-License-Identifier: MIT
"""Writes a scene of Blender as one of Winnow: meshes and materials by glTF, the rest as JSON."""

import json
import pathlib

import bpy

from . import gltf_hook, images, motion, pfm, program
from .translate import camera as cameras
from .translate import lamps, materials, principled, world as worlds
from .translate.notes import Notes

RAY_VISIBILITY = ("visible_camera", "visible_diffuse", "visible_glossy", "visible_transmission",
                  "visible_shadow")
LACKING_TYPES = {"VOLUME": "no volumes of grids", "CURVES": "no hair",
                 "POINTCLOUD": "no point clouds", "GREASEPENCIL": "no Grease Pencil"}

# Warnings of the reader of glTF about what translate/ mends or notes.
MENDED = ("glass is a thin pane", "without a Principled BSDF", "glass that is textured or mixed",
          "the Specular IOR Level also dims", "a texture of the Specular IOR Level")

principled.METALS_HAVE_FILMS = bpy.app.version >= (5, 0, 0)


class View:
    """What of a camera a picture shows.

    corners  [left, right, bottom, top] in the camera's axes, at `distance`
    """

    def __init__(self, engine, scene, width, height):
        render = scene.render
        self.camera = scene.camera
        if self.camera is None or self.camera.type != "CAMERA":
            raise program.WinnowError("the scene has no camera")
        data = self.camera.data
        frame = [corner * 1.0 for corner in data.view_frame(scene=scene)]
        x, y = [corner.x for corner in frame], [corner.y for corner in frame]
        self.distance = None if data.type == "ORTHO" else -frame[0].z
        self.corners = [min(x), max(x), min(y), max(y)]
        self.matrix = [list(row) for row in self.camera.matrix_world]
        if render.use_multiview:
            self.matrix = [list(row) for row in engine.camera_model_matrix(self.camera)]
            wide, high = self.corners[1] - self.corners[0], self.corners[3] - self.corners[2]
            unit = {"HORIZONTAL": wide, "VERTICAL": high}.get(data.sensor_fit, max(wide, high))
            moved = (engine.camera_shift_x(self.camera) - data.shift_x) * unit
            self.corners = [c + moved for c in self.corners[:2]] + self.corners[2:]
        if render.use_border:
            full_width = int(render.resolution_x * render.resolution_percentage / 100)
            full_height = int(render.resolution_y * render.resolution_percentage / 100)
            first_x = int(full_width * render.border_min_x)
            first_y = int(full_height * render.border_min_y)
            self.corners = cameras.border_of(self.corners, [
                first_x / full_width, (first_x + width) / full_width,
                first_y / full_height, (first_y + height) / full_height])

    def shows(self, center, radius):
        return cameras.ball_is_in_view(self.matrix, self.corners, self.distance, center, radius)


def write_scene(exported, folder, depsgraph, view, size, settings, notes):
    """Writes the scene of a view layer and returns its file.

    exported  what exported_scene returned
    view      a View
    size      (width, height) in pixels
    settings  the WinnowSettings of the scene
    notes     receives what the scene has and Winnow lacks
    """
    scene = depsgraph.scene
    note_objects(scene, depsgraph, notes)
    result = exported | {key: list(exported[key]) for key in ("shapes", "lights")}
    result["materials"] = dict(exported["materials"])
    result["film"] = {"width": size[0], "height": size[1], "filter": settings.filter}
    if settings.filter != "box":
        result["film"]["filter_radius"] = settings.filter_width
    result["render"] = {"spp": settings.samples, "max_bounces": settings.max_bounces}
    result["camera"] = cameras.camera_json(
        view.camera.data, view.matrix, view.corners, view.distance, notes)
    if "camera" in exported:
        motion.move_camera(result["camera"], view, exported["camera"], notes)
    names = {}
    for instance in depsgraph.object_instances:
        lamp = instance.object
        if lamp.type != "LIGHT" or not instance.show_self:
            continue
        names[lamp.name] = names.get(lamp.name, 0) + 1
        name = lamp.name if names[lamp.name] == 1 else f"{lamp.name} {names[lamp.name]}"
        if getattr(getattr(lamp.data, "cycles", None), "is_portal", False):
            continue  # portals only guide samples
        matrix = [list(row) for row in instance.matrix_world]
        lamps.add_lamp(result, lamp.data, name, matrix, lamp.visible_camera, view.shows, notes)
    add_sky(result, folder, scene.world, notes)
    if not result["shapes"]:  # Winnow wants something that can be hit: it is behind the camera
        camera = result["camera"]
        place = [2.0 * p - l for p, l in zip(camera["position"], camera["look_at"])]
        result["materials"]["black"] = {"type": "diffuse", "reflectance": 0}
        result["shapes"].append({"type": "sphere", "material": "black", "center": place,
                                 "radius": 1e-6})
    path = folder / "scene.json"
    path.write_text(json.dumps(result))
    return path


def exported_scene(folder, depsgraph, winnow, notes):
    """Returns the JSON of the meshes and materials, whose files are in `folder`. With motion blur,
    its "camera" are the matrices of motion.move_camera.

    winnow  what find_program returned
    """
    scene = depsgraph.scene.original
    layer = scene.view_layers[depsgraph.view_layer.name]
    result = still_scene(folder, depsgraph, winnow, notes)
    if not motion.is_wanted(scene, layer):
        return result
    camera, matrices, lenses, keys = scene.camera, [], set(), []
    with motion.ShutterFrames(scene) as frames:
        for key in frames:
            where = folder / f"key-{key}"
            where.mkdir()
            keys.append((still_scene(where, depsgraph, winnow, Notes()), where))
            if camera:
                matrices.append([list(row) for row in camera.matrix_world])
                lenses.add(motion.lens_of(camera))
    motion.move_meshes(result, keys, folder, notes)
    if camera:
        result["camera"] = [*matrices, [list(row) for row in camera.matrix_world]]
    if len(lenses) > 1:
        notes.add("no motion blur of lenses")
    return result


def still_scene(folder, depsgraph, winnow, notes):
    """Returns the JSON of the meshes and materials at the frame of the scene."""
    scene = depsgraph.scene.original
    layer = scene.view_layers[depsgraph.view_layer.name]
    glb, path = folder / "meshes.glb", folder / "meshes.json"
    result = {"materials": {}, "shapes": [], "lights": []}
    objects = {instance.object.original for instance in depsgraph.object_instances}
    others = set(scene.objects) - objects
    with (gltf_hook.Export(notes, objects) as export, RenderedValues(objects, others, scene, layer),
          MaterialsOfObjects(objects)):
        gltf_hook.export_glb(glb, scene, layer)
        if not has_meshes(glb):
            return result
        for warning in program.run(winnow, "convert", glb, path):
            if any(mended in warning for mended in MENDED):
                continue
            notes.add(warning.replace(f"{glb}: ", ""))
        converted = json.loads(path.read_text())
        for key in ("materials", "shapes", "meshes", "textures"):
            if key in converted:
                result[key] = converted[key]
        media = {}
        for name, exported in result["materials"].items():
            material = export.material_of(name)
            if material is not None:
                result["materials"][name] = materials.material_json(
                    material, exported, media, notes)
            elif not exported.get("textures"):
                result["materials"][name] = materials.DEFAULT_MATERIAL | {
                    key: exported[key] for key in materials.KEPT_KEYS if key in exported}
        if media:
            result["media"] = media
    return result


def has_meshes(glb):
    data = glb.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    return bool(json.loads(data[20:20 + length]).get("meshes"))


class RenderedValues:
    """Gives modifiers, curves and objects their values of renders while the exporter reads those
    of the viewport. What the viewport hides has no place there."""

    PAIRS = (("levels", "render_levels"), ("show_viewport", "show_render"))
    RESOLUTIONS = ("resolution_u", "resolution_v", "resolution")  # 0 in renders: as in the viewport

    def __init__(self, objects, others, scene, layer):
        """@param others  those that may have a part in rendered objects"""
        self._objects, self._others, self._scene, self._layer = objects, others, scene, layer
        self._changed = []

    def __enter__(self):
        for item in self._objects | self._others:
            for modifier in item.modifiers:
                for shown, rendered in self.PAIRS:
                    if hasattr(modifier, rendered):
                        self._set(modifier, shown, getattr(modifier, rendered))
            for name in self.RESOLUTIONS:
                if getattr(item.data, f"render_{name}", 0):
                    self._set(item.data, name, getattr(item.data, f"render_{name}"))
        render = self._scene.render
        if render.use_simplify:
            self._set(render, "simplify_subdivision", render.simplify_subdivision_render)
        shown = [each for each in bpy.data.collections if not each.hide_render]
        for item in [*self._objects, *shown]:
            self._set(item, "hide_viewport", False)
        self._layer.update()

    def _set(self, item, name, value):
        if getattr(item, name) != value:
            self._changed.append((item, name, getattr(item, name)))
            setattr(item, name, value)

    def __exit__(self, *_):
        for item, name, value in reversed(self._changed):
            setattr(item, name, value)


def lost_materials(item):
    """Returns materials of an object that the exporter loses, with the places of their slots."""
    if item.type != "MESH" or not item.modifiers:
        return []
    return [(place, slot.material) for place, slot in enumerate(item.material_slots)
            if slot.link == "OBJECT"]


class MaterialsOfObjects:
    """Puts materials of objects into their meshes: where an object has modifiers, the exporter
    reads those of its mesh alone."""

    def __init__(self, objects):
        self._objects, self._changed = objects, []

    def __enter__(self):
        for item in self._objects:
            own = lost_materials(item)
            if not own or not item.is_editable:
                continue
            self._changed.append((item, item.data))
            item.data = item.data.copy()
            for place, material in own:
                item.data.materials[place] = material

    def __exit__(self, *_):
        for item, data in self._changed:
            copy, item.data = item.data, data
            bpy.data.meshes.remove(copy)


def add_sky(result, folder, world, notes):
    known = worlds.read_world(world, notes)
    path = None
    if known.image is not None:
        path = image_file(known.image, folder, notes)
    if known.sky is not None:
        notes.add("Sky Texture becomes Winnow's clear sky, whose brightness differs", world.name)
    sky = worlds.sky_json(known, path)
    if sky is not None:
        result["sky"] = sky


def image_file(image, folder, notes):
    """Returns a file with the pixels of an environment map."""
    if image.size[0] == 0:
        raise program.WinnowError(f"the image {image.name} of the world cannot be read")
    path = pathlib.Path(bpy.path.abspath(image.filepath, library=image.library))
    if (image.is_float and image.source == "FILE" and not image.is_dirty and not image.packed_file
            and image.colorspace_settings.name == "Linear Rec.709" and path.is_file()
            and path.suffix.lower() in (".exr", ".hdr")):
        return path
    if not images.is_known(image):
        notes.add(f"no colour space {image.colorspace_settings.name}", image.name)
    pfm.write_pfm(folder / "world.pfm", images.linear_pixels(image))
    return folder / "world.pfm"


def note_objects(scene, depsgraph, notes):
    """Notes what Winnow lacks of objects and of the scene."""
    render = scene.render
    if render.use_motion_blur:
        motion.note_losses(scene, notes)
    if depsgraph.view_layer.material_override:
        notes.add("no material override of view layers")
    if render.use_freestyle:
        notes.add("no Freestyle")
    if render.pixel_aspect_x != render.pixel_aspect_y:
        notes.add("no pixels that are not square")
    layer = scene.original.view_layers[depsgraph.view_layer.name]
    for instance in depsgraph.object_instances:
        item = instance.object
        if item.type in LACKING_TYPES:
            notes.add(LACKING_TYPES[item.type], item.name)
        if item.type not in ("MESH", "CURVE", "FONT", "SURFACE", "META"):
            continue
        if not all(getattr(item, name, True) for name in RAY_VISIBILITY):
            notes.add("no ray visibility of objects", item.name)
        if getattr(item, "is_holdout", False) or getattr(item, "is_shadow_catcher", False) or (
                item.original.holdout_get(view_layer=layer)):
            notes.add("no holdouts and shadow catchers", item.name)
        if lost_materials(item.original) and not item.original.is_editable:
            notes.add("no materials of objects with modifiers that are linked from a library",
                      item.name)
        if item.original.indirect_only_get(view_layer=layer):
            notes.add("no collections that are indirect only", item.name)
        for system in getattr(item, "particle_systems", ()):
            if system.settings.render_type not in ("NONE", "OBJECT", "COLLECTION"):
                notes.add("no hair and particles", item.name)
            elif system.settings.render_type != "NONE":
                notes.add("no instances of particles", item.name)
