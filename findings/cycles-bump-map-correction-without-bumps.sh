#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# "Bump Map Correction" of Cycles brightens smooth meshes that have no bump map.
#
# Expected: the setting of a material, which is on by default, has no effect on a material without bump or normal map.
# Seen: bpy 4.5.15 (PyPI), CPU, 2026-11-28; 5.3.0, too. A smooth ico sphere of 80 triangles, of metal, in a white sky:
#   the mean of the image is 0.910 with the setting and 0.887 without. Where an interpolated normal would reflect the
#   view into the surface, Cycles bends it, so light that other renderers lose is not lost. Normals must lean by about
#   22 degrees from their triangles for 2 %.
# Winnow: does not bend normals, and warns of coarse ones in files of Blender, see src/load/gltf/BLENDER.md.
#
#   findings/cycles-bump-map-correction-without-bumps.sh     needs python3.11 and 1 GB; PYTHON names another one
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${PYTHON-python3.11}" -m venv venv
venv/bin/pip install --quiet bpy==4.5.15

venv/bin/python >log <<'PYTHON'
import math
import pathlib

import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.engine = "CYCLES"
scene.render.resolution_x = scene.render.resolution_y = 64
scene.render.image_settings.file_format = "OPEN_EXR"
cycles = scene.cycles
cycles.device, cycles.samples, cycles.seed = "CPU", 256, 0
cycles.use_adaptive_sampling = cycles.use_denoising = False

bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=1)
bpy.ops.object.shade_smooth()
material = bpy.data.materials.new("grey")
material.use_nodes = True
shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
shader.inputs["Metallic"].default_value, shader.inputs["Roughness"].default_value = 1, 0.2
bpy.context.object.data.materials.append(material)

camera = scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location, camera.rotation_euler, camera.data.angle = (0, -5, 0), (math.pi / 2, 0, 0), 0.5
scene.collection.objects.link(camera)

world = scene.world = bpy.data.worlds.new("sky")
world.use_nodes = True
background = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
background.inputs["Color"].default_value = (1, 1, 1, 1)
lines = []


def render(label):
    path = pathlib.Path("ball.exr").resolve()
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(str(path))
    pixels = picture.pixels[:]
    bpy.data.images.remove(picture)
    values = pixels[0::4]
    mean = sum(values) / len(values)
    lines.append(f"{label}: {mean:.2f}")


for is_on in (True, False):
    material.cycles.use_bump_map_correction = is_on
    render(f"Bump Map Correction {'on' if is_on else 'off'}")
pathlib.Path("seen").write_text("\n".join(lines) + "\n")
PYTHON
diff - seen <<'EXPECTED'
Bump Map Correction on: 0.91
Bump Map Correction off: 0.89
EXPECTED
