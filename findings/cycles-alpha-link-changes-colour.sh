#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# In Cycles, the colour of an image texture depends on whether something uses its alpha.
#
# Expected: the output Color of an Image Texture node is the colour of the image's texels, whatever the output Alpha is
#   linked to, as the file stores colours that are not multiplied by alpha (alpha mode Straight, the default).
# Seen: bpy 4.5.15 (PyPI), CPU, 2026-11-28; 5.3.0, too. A texel of 200 (0.578) with an alpha of 102/255 shows as 0.578
#   if any socket uses the alpha. If none does, the byte is multiplied by alpha before it is decoded: about 80 is 0.08.
#   So a texture becomes darker when a link of its alpha is removed, and glTF, in which opaque materials ignore alpha,
#   cannot say what was seen.
# Winnow: multiplies the colours of opaque materials of Blender by alpha, and says so, see src/load/gltf/BLENDER.md.
#
#   findings/cycles-alpha-link-changes-colour.sh     needs python3.11 and 1 GB; PYTHON names another one
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
scene.render.resolution_x = scene.render.resolution_y = 8
scene.render.image_settings.file_format = "OPEN_EXR"
scene.cycles.device, scene.cycles.samples = "CPU", 4

image = bpy.data.images.new("texel", 4, 4, alpha=True)
image.pixels.foreach_set([200 / 255, 200 / 255, 200 / 255, 102 / 255] * 16)
image.filepath_raw, image.file_format = str(pathlib.Path("texel.png").resolve()), "PNG"
image.save()
image = bpy.data.images.load(str(pathlib.Path("texel.png").resolve()))

bpy.ops.mesh.primitive_plane_add(size=4)
material = bpy.data.materials.new("emits")
material.use_nodes = True
tree = material.node_tree
tree.nodes.clear()
texture, emission, output = (
    tree.nodes.new(f"ShaderNode{kind}") for kind in ("TexImage", "Emission", "OutputMaterial")
)
texture.image = image
tree.links.new(texture.outputs["Color"], emission.inputs["Color"])
tree.links.new(emission.outputs["Emission"], output.inputs["Surface"])
bpy.context.object.data.materials.append(material)

camera = scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location, camera.data.angle = (0, 0, 3), 0.5
scene.collection.objects.link(camera)
lines = []


def render(label):
    path = pathlib.Path("plane.exr").resolve()
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(str(path))
    value = picture.pixels[4 * (8 * 4 + 4)]
    bpy.data.images.remove(picture)
    lines.append(f"{label}: {value:.2f}")


render("alpha not linked")
least = tree.nodes.new("ShaderNodeMath")  # the strength max(alpha, 1), which is 1
least.operation = "MAXIMUM"
least.inputs[1].default_value = 1
tree.links.new(texture.outputs["Alpha"], least.inputs[0])
tree.links.new(least.outputs[0], emission.inputs["Strength"])
render("alpha linked to a strength of max(alpha, 1)")
pathlib.Path("seen").write_text("\n".join(lines) + "\n")
PYTHON
diff - seen <<'EXPECTED'
alpha not linked: 0.08
alpha linked to a strength of max(alpha, 1): 0.58
EXPECTED
