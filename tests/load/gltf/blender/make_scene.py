# SPDX-License-Identifier: MIT
"""Builds a scene in Blender 3.4, exports it as glTF and renders it by Cycles, for renders/ and blender_test.cpp.

  blender -b --factory-startup --python make_scene.py -- [--gltf FILE] [--lighting SPEC|COMPAT]
          [--render FILE.exr] [--size 480x270] [--spp 256] [--only LIGHT] [--no-lens] [--segments 32]

LIGHT: sun, point, spot, panel (a mesh that glows) or area; with it, all others are off, and the world too.
"""

import argparse
import math
import sys

import bpy

WORLD = (0.05, 0.06, 0.08)  # W sr^-1 m^-2
FRAMES = 24  # of the camera's way


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gltf")
    parser.add_argument("--lighting", default="COMPAT")
    parser.add_argument("--render")
    parser.add_argument("--size", default="480x270")
    parser.add_argument("--spp", type=int, default=256)
    parser.add_argument("--only")
    parser.add_argument("--no-lens", action="store_true")
    parser.add_argument("--segments", type=int, default=32, help="of the balls")
    return parser.parse_args(sys.argv[sys.argv.index("--") + 1 :])


def material(name, color, metallic=0.0, roughness=0.5, **inputs):
    """A Principled BSDF. `inputs`: its further sockets, with _ for spaces."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*color, 1)
    shader.inputs["Metallic"].default_value = metallic
    shader.inputs["Roughness"].default_value = roughness
    for socket, value in inputs.items():
        shader.inputs[socket.replace("_", " ")].default_value = value
    return made


def add_thickness(made, thickness):
    """The group by which the exporter learns that a transmissive material fills a body."""
    group = bpy.data.node_groups.new("glTF Material Output", "ShaderNodeTree")
    group.inputs.new("NodeSocketFloat", "Thickness")
    group.nodes.new("NodeGroupInput")
    node = made.node_tree.nodes.new("ShaderNodeGroup")
    node.node_tree = group
    node.inputs["Thickness"].default_value = thickness


def add_checkers(made, scale):
    """A texture of 4 x 4 texels on the base colour, through a Mapping node."""
    image = bpy.data.images.new("checkers", 4, 4)
    light, dark = (0.8, 0.75, 0.7, 1), (0.2, 0.25, 0.3, 1)  # as in the file: sRGB
    image.pixels = [value for y in range(4) for x in range(4) for value in (light if (x + y) % 2 else dark)]
    image.pack()
    nodes, links = made.node_tree.nodes, made.node_tree.links
    texture, mapping, uvs = (nodes.new(f"ShaderNode{kind}") for kind in ("TexImage", "Mapping", "UVMap"))
    texture.image, texture.interpolation = image, "Closest"
    mapping.inputs["Scale"].default_value = (scale, scale, 1)
    uvs.uv_map = "UVMap"
    links.new(uvs.outputs["UV"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], texture.inputs["Vector"])
    links.new(texture.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])


def add_ball(name, location, radius, made, segments):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=segments, ring_count=segments // 2, radius=radius, location=location)
    bpy.ops.object.shade_smooth()
    ball = bpy.context.object
    ball.name = name
    ball.data.materials.append(made)


def add_box(name, location, scale, made):
    bpy.ops.mesh.primitive_cube_add(size=1, location=location, scale=scale)
    box = bpy.context.object
    box.name = name
    box.data.materials.append(made)
    return box


def add_plane(name, location, size, made, rotation=(0, 0, 0)):
    bpy.ops.mesh.primitive_plane_add(size=size, location=location, rotation=rotation)
    bpy.context.object.name = name
    bpy.context.object.data.materials.append(made)


def add_meshes(only, segments):
    floor = material("floor", (0.5, 0.5, 0.5), roughness=0.9)
    add_checkers(floor, 4)
    add_plane("floor", (0, 0, 0), 8, floor)
    add_ball("metal ball", (-1.3, 0, 0.6), 0.6, material("gold", (1.0, 0.71, 0.29), metallic=1, roughness=0.3), segments)
    glass = material("glass", (1, 1, 1), roughness=0, Transmission=1, IOR=1.5)
    add_thickness(glass, 1.0)
    add_ball("glass ball", (0, -0.4, 0.6), 0.6, glass, segments)
    lacquer = material("lacquer", (0.6, 0.05, 0.05), roughness=0.6, Clearcoat=1, Clearcoat_Roughness=0.05)
    add_box("lacquer box", (1.3, 0, 0.5), (1, 1, 1), lacquer).rotation_euler = (0, 0, math.radians(30))
    strength = 6.0 if only in (None, "panel") else 0.0
    panel = material("panel", (0, 0, 0), Emission=(1.0, 0.8, 0.6, 1), Emission_Strength=strength)
    add_plane("panel", (-2.5, 1.5, 1.2), 1, panel, (0, math.radians(60), 0))


def add_pillars():
    """A collection that two empties place: instances."""
    pillars = bpy.data.collections.new("pillar")  # not linked to the scene: only its instances are seen
    stone = material("stone", (0.45, 0.5, 0.45), roughness=1)
    for name, height, scale in (("shaft", 0.7, (0.3, 0.3, 1.4)), ("capital", 1.45, (0.5, 0.5, 0.1))):
        box = add_box(name, (0, 0, height), scale, stone)
        for linked in box.users_collection:
            linked.objects.unlink(box)
        pillars.objects.link(box)
    for x in (-0.8, 2.6):
        empty = bpy.data.objects.new("pillar at", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", pillars
        empty.location = (x, 2, 0)
        bpy.context.scene.collection.objects.link(empty)


def add_lights(only):
    """Energies in W; of the sun in W m^-2."""
    for kind, name, energy, location, rotation in (
            ("SUN", "sun", 1.0, (0, 0, 5), (40, 10, 0)), ("POINT", "point", 60.0, (0.5, -2, 2), (0, 0, 0)),
            ("SPOT", "spot", 300.0, (2.5, -1, 3.5), (20, 25, 0)), ("AREA", "area", 60.0, (-2, -2, 3), (30, -30, 0))):
        if only not in (None, name):
            continue
        lamp = bpy.data.lights.new(name, kind)
        lamp.energy = energy
        if kind in ("POINT", "SPOT"):
            lamp.shadow_soft_size = 0.05  # m
        if kind == "SPOT":
            lamp.spot_size, lamp.spot_blend = math.radians(50), 0.3
        if kind == "AREA":
            lamp.size = 1
        placed = bpy.data.objects.new(name, lamp)
        placed.location, placed.rotation_euler = location, [math.radians(angle) for angle in rotation]
        bpy.context.scene.collection.objects.link(placed)


def add_camera(has_lens):
    camera = bpy.data.cameras.new("camera")
    camera.lens = 35  # mm, of a sensor 36 mm wide
    camera.dof.use_dof = has_lens
    camera.dof.focus_distance, camera.dof.aperture_fstop = 6.2, 0.7
    placed = bpy.data.objects.new("camera", camera)
    placed.rotation_euler = (math.radians(78), 0, 0)
    scene = bpy.context.scene
    scene.collection.objects.link(placed)
    scene.camera = placed
    scene.frame_end = FRAMES
    for frame, x in ((1, 0.0), (FRAMES, 1.0)):
        placed.location = (x, -6.2, 2.1)
        placed.keyframe_insert("location", frame=frame)
    scene.frame_set(1)


def set_up_render(given):
    scene = bpy.context.scene
    world = scene.world or bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (*WORLD, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.0 if given.only else 1.0
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = given.spp, False
    scene.cycles.max_bounces = scene.cycles.transmission_bounces = scene.cycles.glossy_bounces = 32
    scene.cycles.diffuse_bounces = 32
    scene.cycles.blur_glossy, scene.cycles.sample_clamp_indirect = 0, 0
    scene.cycles.filter_width = 1
    scene.render.resolution_x, scene.render.resolution_y = map(int, given.size.split("x"))
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"


def main():
    given = options()
    for old in list(bpy.data.objects):
        bpy.data.objects.remove(old)
    set_up_render(given)
    add_meshes(given.only, given.segments)
    add_pillars()
    add_lights(given.only)
    add_camera(not given.no_lens)
    if given.gltf:
        bpy.ops.export_scene.gltf(filepath=given.gltf, export_format="GLB", export_lights=True, export_cameras=True,
                                  export_apply=True, convert_lighting_mode=given.lighting)
    if given.render:
        bpy.context.scene.render.filepath = given.render
        bpy.ops.render.render(write_still=True)


main()
