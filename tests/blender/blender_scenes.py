# SPDX-License-Identifier: MIT
"""Builds scenes in Blender's module bpy, renders them with Cycles, and compares numbers."""

import math
import pathlib
import tempfile

import bpy
import mathutils
import numpy

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="winnow-blender-"))
IS_5 = bpy.app.version >= (5, 0, 0)
SIZE = 16  # pixels of renders


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_near(value, right, tolerance, what=""):
    """`tolerance` is relative to `right` where that is above 1, else absolute."""
    error = numpy.max(numpy.abs(numpy.asarray(value, float) - right) / numpy.maximum(1.0, numpy.abs(right)))
    expect(error <= tolerance, f"{what} {value}, expected {right} within {tolerance}")


def expect_ratio(winnow, cycles, tolerance, what=""):
    ratio = numpy.asarray(winnow) / numpy.asarray(cycles)
    expect(numpy.all(numpy.abs(ratio - 1.0) <= tolerance), f"{what} Winnow {winnow}, Cycles {cycles}, ratio {ratio}")


def clear():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)  # keeps the add-ons
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x = scene.render.resolution_y = SIZE
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_denoising, cycles.use_adaptive_sampling = "CPU", 256, False, False
    cycles.pixel_filter_type = "BOX"
    for bounces in ("max", "diffuse", "glossy", "transmission", "volume", "transparent_max"):
        setattr(cycles, f"{bounces}_bounces", 64)
    cycles.sample_clamp_indirect = cycles.blur_glossy = cycles.light_sampling_threshold = 0.0
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    set_world((0, 0, 0))


def background():
    return next(node for node in bpy.context.scene.world.node_tree.nodes if node.type == "BACKGROUND")


def set_world(color):
    background().inputs["Color"].default_value = (*color, 1)


def principled(**inputs):
    """A material; _ stands for spaces in the names of sockets."""
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    for socket, value in inputs.items():
        shader.inputs[socket.replace("_", " ")].default_value = value
    return material


def shader_alone(kind, **inputs):
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    shader, output = tree.nodes.new(f"ShaderNode{kind}"), tree.nodes.new("ShaderNodeOutputMaterial")
    for socket, value in inputs.items():
        shader.inputs[socket].default_value = value
    tree.links.new(shader.outputs[0], output.inputs["Surface"])
    return material


def add_thickness(material, thickness):
    group = bpy.data.node_groups.new("glTF Material Output", "ShaderNodeTree")
    group.interface.new_socket("Thickness", in_out="INPUT", socket_type="NodeSocketFloat")
    group.nodes.new("NodeGroupInput")
    node = material.node_tree.nodes.new("ShaderNodeGroup")
    node.node_tree = group
    node.inputs["Thickness"].default_value = thickness


def plane(material, size=2.0, location=(0, 0, 0)):
    bpy.ops.mesh.primitive_plane_add(size=size, location=location)
    bpy.context.object.data.materials.append(material)
    return bpy.context.object


def ball(material, radius=1.0):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=96, ring_count=48, radius=radius)
    bpy.ops.object.shade_smooth()
    bpy.context.object.data.materials.append(material)
    return bpy.context.object


def add_camera(location, target=(0, 0, 0), degrees=3.0, name="camera"):
    camera = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    bpy.context.scene.collection.objects.link(camera)
    camera.location = location
    way = mathutils.Vector(target) - mathutils.Vector(location)
    camera.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()
    camera.data.angle = math.radians(degrees)
    bpy.context.scene.camera = bpy.context.scene.camera or camera
    return camera


def add_lamp(kind, energy, location=(0, 0, 3), **values):
    lamp = bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", kind))
    bpy.context.scene.collection.objects.link(lamp)
    lamp.location, lamp.data.energy = location, energy
    for name, value in values.items():
        setattr(lamp.data, name, value)
    return lamp


def pixels_of(path):
    image = bpy.data.images.load(str(path), check_existing=False)
    image.colorspace_settings.name = "Non-Color"
    values = numpy.zeros(image.size[0] * image.size[1] * 4, numpy.float32)
    image.pixels.foreach_get(values)
    width, height = image.size
    bpy.data.images.remove(image)
    return values.reshape(height, width, 4)[:, :, :3].astype(float)


def by_cycles():
    scene = bpy.context.scene
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
    scene.render.filepath = str(FOLDER / "cycles.exr")
    bpy.ops.render.render(write_still=True)
    return pixels_of(FOLDER / "cycles.exr")


def mean(pixels):
    return pixels.mean((0, 1))
