# SPDX-License-Identifier: MIT
"""Checks the extension of Blender, which tests/blender/check runs in an interpreter with bpy.

It installs the zip, renders the scenes of extension_scenes.py with Winnow and with Cycles, and
tries what a render engine must do.
"""

import os
import pathlib
import re
import struct
import subprocess
import sys
import time

import bpy
import numpy

from blender_scenes import *
from extension_scenes import SCENES, SIZE, add_node, diffuse, room

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = " ".join((ROOT / "src/blender/README.md").read_text().split())
WINNOW = sys.argv[1]
REGIONS = 4  # along each side of a picture
CHECKS = {}


def check(function):
    CHECKS[function.__name__] = function
    return function


# ---- Installing. ----


def install(*more):
    """Builds and installs the extension in the user's folder, which tests/blender/check makes."""
    package = FOLDER / "extension.zip"
    subprocess.run([sys.executable, ROOT / "scripts/blender-extension", "-o", package, *more],
                   check=True, stdout=subprocess.DEVNULL)
    bpy.ops.extensions.package_install_files(
        filepath=str(package), repo="user_default", enable_on_install=True)


@check
def is_an_engine_of_the_menu():
    expect("bl_ext.user_default.winnow" in bpy.context.preferences.addons, "not enabled")
    clear()
    bpy.context.scene.render.engine = "WINNOW"
    expect(bpy.context.scene.render.engine == "WINNOW", "no such engine")


@check
def can_be_disabled_and_enabled_again():
    for _ in range(2):
        bpy.ops.preferences.addon_disable(module="bl_ext.user_default.winnow")
        expect(not hasattr(bpy.types.Scene, "winnow"), "settings are left")
        bpy.ops.preferences.addon_enable(module="bl_ext.user_default.winnow")
        expect(hasattr(bpy.types.Scene, "winnow"), "no settings")


# ---- Pictures. ----


def use_winnow(samples=256):
    scene = bpy.context.scene
    scene.render.engine = "WINNOW"
    scene.winnow.samples, scene.winnow.max_bounces, scene.winnow.filter = samples, 64, "box"
    scene.winnow.device = "cpu"


def rendered(name):
    """Renders to a file, as a user does, and returns its pixels: the bottom row first."""
    render = bpy.context.scene.render
    render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "32"
    render.filepath = str(FOLDER / name)
    bpy.ops.render.render(write_still=True)
    return pixels_of(FOLDER / name)


def regions(pixels):
    """Returns the means of 4 x 4 regions."""
    height, width = (size // REGIONS * REGIONS for size in pixels.shape[:2])
    blocks = pixels[:height, :width].reshape(
        REGIONS, height // REGIONS, REGIONS, width // REGIONS, 3)
    return blocks.mean(axis=(1, 3))


def largest_difference(name):
    tolerance, cause, samples, build = SCENES[name]
    clear()
    render = bpy.context.scene.render
    render.resolution_x = render.resolution_y = SIZE
    build()
    bpy.context.scene.cycles.samples = samples
    right = regions(rendered("cycles.exr"))
    use_winnow(samples)
    ours = regions(rendered("winnow.exr"))
    floor = 0.1 * right.mean()
    relative = (ours - right) / numpy.maximum(right, floor)
    print(f"  {name}: mean {ours.mean() / right.mean() - 1:+.4f}, "
          f"region {relative.ravel()[numpy.abs(relative).argmax()]:+.4f}", flush=True)
    return numpy.abs(relative).max(), tolerance, cause


def check_scene(name):
    difference, tolerance, cause = largest_difference(name)
    expect(difference <= tolerance, f"differs from Cycles by {100 * difference:.1f} %")
    expect(not cause or cause in README, f"the README does not say: {cause}")


# ---- What an engine does. ----


def small_scene():
    clear()
    room()
    bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y = 40, 24
    set_world((0.5, 0.7, 0.9))
    use_winnow(16)


@check
def writes_its_passes():
    small_scene()
    layer, render = bpy.context.view_layer, bpy.context.scene.render
    layer.use_pass_z = layer.use_pass_normal = layer.use_pass_position = True
    layer.winnow.use_pass_albedo = True
    if IS_5:
        render.image_settings.media_type = "MULTI_LAYER_IMAGE"
    render.image_settings.file_format = "OPEN_EXR_MULTILAYER"
    render.image_settings.exr_codec, render.image_settings.color_depth = "NONE", "32"
    render.filepath = str(FOLDER / "layers.exr")
    bpy.ops.render.render(write_still=True)
    passes = layers_of(FOLDER / "layers.exr")
    depth, normal, position = passes["Depth"], passes["Normal"], passes["Position"]
    expect(depth.min() > 3 and depth.max() == 1e10, f"depths {depth.min()} to {depth.max()}")
    floor = normal[2, 20]
    expect_near(floor, numpy.array([0.0, 0.0, 1.0]), 1e-3, "normal of the floor")
    expect_near(position[2, 20, 2], 0.0, 1e-3, "height of the floor")
    expect_near(passes["Albedo"][2, 20], numpy.array([0.7] * 3), 1e-3, "albedo of the floor")
    expect(passes["Combined"].mean() > 0.1, "Combined is black")


def layers_of(path):
    """Returns the passes of an uncompressed EXR file of floats, the bottom row first."""
    data = path.read_bytes()
    (version,) = struct.unpack_from("<i", data, 4)
    has_parts = bool(version & 0x1000)
    at, parts = 8, []
    while data[at] or not parts:
        part, at = header_of(data, at)
        parts.append(part)
        if not has_parts:
            break
    at += has_parts
    for _, _, height in parts:
        at += 8 * height  # the table of offsets
    layers = {}
    for names, width, height in parts:
        head = 12 if has_parts else 8  # part, row, size
        size = head + 4 * width * len(names)
        rows = numpy.frombuffer(data[at:at + size * height], "u1").reshape(height, size)
        at += size * height
        values = numpy.ascontiguousarray(rows[::-1, head:]).view("<f4")
        values = values.reshape(height, len(names), width)
        for index, name in enumerate(names):
            layers.setdefault(name.split(".")[-2], {})[name.split(".")[-1]] = values[:, index]
    order = "RGBAXYZV"
    return {layer: numpy.dstack([planes[letter] for letter in sorted(planes, key=order.index)])
            for layer, planes in layers.items()}


def header_of(data, at):
    """Returns the names of channels, width and height of a part, and where its header ends."""
    names, window, prefix = [], None, ""
    while data[at]:
        name_end = data.index(0, at)
        kind_end = data.index(0, name_end + 1)
        (size,) = struct.unpack_from("<i", data, kind_end + 1)
        value = data[kind_end + 5:kind_end + 5 + size]
        attribute = data[at:name_end]
        if attribute == b"channels":
            found = re.findall(rb"([^\0]+)\0.{16}", value, re.DOTALL)
            names = [name.decode() for name in found]
        elif attribute == b"dataWindow":
            window = struct.unpack("<4i", value)
        elif attribute == b"name":
            prefix = value.decode() + "."
        at = kind_end + 5 + size
    names = [name if "." in name else prefix + name for name in names]
    return (names, window[2] - window[0] + 1, window[3] - window[1] + 1), at + 1


def recorded(render):
    """Calls `render` and returns the means of the pictures that Combined has shown, by pass."""
    from bl_ext.user_default.winnow import engine
    seen, set_pass = {}, engine.set_pass

    def record(target, pixels):
        if target.name == "Combined":
            seen.setdefault(target.fullname, []).append(float(pixels[:, :, :3].mean()))
        set_pass(target, pixels)

    engine.set_pass = record
    try:
        render()
    finally:
        engine.set_pass = set_pass
    return seen


@check
def shows_the_picture_as_it_refines():
    small_scene()
    bpy.context.scene.winnow.samples = 4096
    (means,) = recorded(lambda: rendered("winnow.exr")).values()
    expect(len(means) >= 3, f"shown {len(means)} times")
    expect_near(means[0], means[-1], 0.1, "the first picture")


@check
def renders_animations():
    small_scene()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 3, 5
    sun = add_lamp("SUN", 1)
    for frame in (3, 5):
        sun.data.energy = frame
        sun.data.keyframe_insert("energy", frame=frame)
        scene.camera.location.x = frame - 4
        scene.camera.keyframe_insert("location", frame=frame)
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.filepath = str(FOLDER / "frame-")
    bpy.ops.render.render(animation=True)
    means = [pixels_of(FOLDER / f"frame-{frame:04}.exr").mean() for frame in (3, 4, 5)]
    expect(means[0] < means[1] < means[2], f"means {means}")


@check
def renders_the_border_only():
    small_scene()
    bpy.context.scene.winnow.samples = 64
    whole = rendered("whole.exr")
    render = bpy.context.scene.render
    render.use_border = render.use_crop_to_border = True
    render.border_min_x, render.border_max_x = 0.25, 0.75
    render.border_min_y, render.border_max_y = 0.5, 1.0
    part = rendered("part.exr")
    expect(part.shape[:2] == (12, 20), f"size {part.shape}")
    expect_near(part.mean((0, 1)), whole[12:, 10:30].mean((0, 1)), 0.01, "the border")


@check
def renders_each_view_layer():
    small_scene()
    scene = bpy.context.scene
    ball_ = next(item for item in scene.objects if item.type == "MESH" and "Sphere" in item.name)
    balls = bpy.data.collections.new("balls")
    scene.collection.children.link(balls)
    scene.collection.objects.unlink(ball_)
    balls.objects.link(ball_)
    second = scene.view_layers.new("second")
    second.layer_collection.children["balls"].exclude = True
    means = []
    for layer in scene.view_layers:
        for other in scene.view_layers:
            other.use = other == layer
        scene.view_layers[0].use_pass_z = second.use_pass_z = True
        means.append(rendered("layer.exr")[:, :, 0].mean())
    expect(abs(means[0] - means[1]) > 0.01, f"means {means}")


@check
def renders_both_eyes():
    small_scene()
    scene = bpy.context.scene
    scene.render.use_multiview = True
    scene.camera.data.stereo.interocular_distance = 1.0
    scene.render.filepath = str(FOLDER / "eyes.exr")
    means = recorded(lambda: bpy.ops.render.render(write_still=True))
    expect(len(means) == 2, f"{means}")
    left, right = (means[f"Combined.{side}"][-1] for side in ("left", "right"))
    expect(abs(left - right) > 0.01, "both eyes see the same")


@check
def denoises():
    if not os.environ.get("WINNOW_OIDN"):
        print("  skipped: WINNOW_OIDN does not name Open Image Denoise", flush=True)
        return
    small_scene()
    noisy = rendered("noisy.exr")
    bpy.context.scene.winnow.use_denoising = True
    clean = rendered("clean.exr")
    expect_near(clean.mean(), noisy.mean(), 0.02, "the mean")
    expect(numpy.abs(clean - noisy).max() > 0.001, "nothing changed")


@check
def makes_the_film_transparent():
    small_scene()
    if "--alpha" not in subprocess.run([WINNOW, "render", "--help"], capture_output=True, text=True).stdout:
        print("  skipped: the program has no --alpha", flush=True)
        return
    render = bpy.context.scene.render
    render.film_transparent = True
    render.image_settings.color_mode = "RGBA"
    bpy.context.scene.camera.data.angle *= 2.0
    rendered("transparent.exr")
    alpha = bpy.data.images.load(str(FOLDER / "transparent.exr"))
    values = numpy.zeros(alpha.size[0] * alpha.size[1] * 4, numpy.float32)
    alpha.pixels.foreach_get(values)
    values = values.reshape(alpha.size[1], alpha.size[0], 4)
    expect(values[-1, 0, 3] == 0.0 and values[2, 20, 3] == 1.0, "coverage of sky and floor")
    expect(values[-1, 0].max() == 0.0, "the sky has colour")


@check
def renders_scenes_without_meshes():
    clear()
    add_camera((0, 0, 0), target=(1, 0, 0))
    add_lamp("POINT", 10)
    set_world((0.25, 0.5, 0.75))
    use_winnow(4)
    expect_near(rendered("empty.exr").mean((0, 1)), numpy.array([0.25, 0.5, 0.75]), 1e-3)


@check
def reports_errors_in_one_line():
    faults = {"no camera": lambda: setattr(bpy.context.scene, "camera", None),
              "is not a program": lambda: os.environ.update(WINNOW="/nowhere/winnow"),
              "--no-such-option": lambda: setattr(
                  bpy.context.scene.winnow, "options", "--no-such-option"),
              "Pano": lambda: setattr(bpy.context.scene.camera.data, "type", "PANO")}
    for text, make in faults.items():
        small_scene()
        make()
        try:
            rendered("fault.exr")
            message = "no error"
        except RuntimeError as error:
            message = str(error).strip()
        finally:
            os.environ["WINNOW"] = WINNOW
        expect(text in message and "\n" not in message, f"{text}: {message}")
    expect(not (FOLDER / "fault.exr").exists(), "a file was written")


@check
def ends_the_program_when_it_is_stopped():
    small_scene()
    bpy.context.scene.winnow.samples = 10**7
    from bl_ext.user_default.winnow import engine
    start, is_stopped = time.monotonic(), engine.WinnowRenderEngine.is_stopped
    runs, run = [], engine.Run
    engine.WinnowRenderEngine.is_stopped = lambda self: time.monotonic() > start + 2.0
    engine.Run = lambda *words: runs.append(run(*words)) or runs[-1]
    try:
        rendered("stopped.exr")
    finally:
        engine.WinnowRenderEngine.is_stopped, engine.Run = is_stopped, run
    expect(time.monotonic() < start + 12.0 and not runs[0].is_running(), "still runs")


@check
def lists_what_winnow_lacks():
    small_scene()
    material = principled(Subsurface_Weight=0.5)
    tree = material.node_tree
    noise = add_node(tree, "TexNoise")
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    tree.links.new(noise.outputs["Color"], shader.inputs["Base Color"])
    plane(material)
    from bl_ext.user_default.winnow import panels
    lines = panels.lacking(bpy.context)
    expect(len(lines) == 2, f"{lines}")
    for text in ("no Subsurface Weight of Principled BSDF: material",
                 "no nodes but image textures for Base Color of Principled BSDF: material"):
        expect(any(text in line for line in lines), f"{text} is not in {lines}")


@check
def lists_colours_of_vertices_that_feed_numbers():
    for kind, output in (("VertexColor", "Color"), ("Attribute", "Color"), ("Attribute", "Fac")):
        for name in ("Roughness", "Metallic", "Base Color"):
            small_scene()
            material = principled()
            tree = material.node_tree
            node = add_node(tree, kind)
            setattr(node, "layer_name" if kind == "VertexColor" else "attribute_name", "colours")
            shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
            tree.links.new(node.outputs[output], shader.inputs[name])
            item = plane(material)
            item.data.color_attributes.new("colours", "FLOAT_COLOR", "POINT")
            from bl_ext.user_default.winnow import panels
            lines = panels.lacking(bpy.context)
            right = [] if name == "Base Color" else [
                f"no nodes but image textures for {name} of Principled BSDF: {material.name}"]
            expect(lines == right, f"{kind} {output} {name}: {lines}")


@check
def lists_materials_of_linked_objects():
    path = str(FOLDER / "library.blend")
    small_scene()
    for name, has_modifiers in (("smooth", True), ("plain", False)):
        item = plane(diffuse())
        item.name = name
        item.material_slots[0].link = "OBJECT"
        item.material_slots[0].material = diffuse((0.2, 0.3, 0.9))
        if has_modifiers:
            item.modifiers.new("smooth", "SUBSURF")
    bpy.data.libraries.write(path, {bpy.data.objects["smooth"], bpy.data.objects["plain"]})
    small_scene()
    with bpy.data.libraries.load(path, link=True) as (_, linked):
        linked.objects = ["smooth", "plain"]
    for item in linked.objects:
        bpy.context.scene.collection.objects.link(item)
    from bl_ext.user_default.winnow import panels
    lines = panels.lacking(bpy.context)
    expect(lines == ["no materials of objects with modifiers that are linked from a library: smooth"],
           f"{lines}")
    rendered("linked.exr")


@check
def renders_by_the_wheel_in_its_zip():
    wheel = os.environ.get("WINNOW_WHEEL")
    if not wheel:
        print("  skipped: no --wheel", flush=True)
        return
    install("--wheel", wheel)
    os.environ["WINNOW"] = ""
    try:
        from bl_ext.user_default.winnow import program
        found = pathlib.Path(program.find_program())
        expect(found.is_relative_to(os.environ["BLENDER_USER_RESOURCES"]), f"runs {found}")
        small_scene()
        expect(rendered("wheel.exr").mean() > 0.1, "the picture is black")
    finally:
        os.environ["WINNOW"] = WINNOW


def main():
    os.environ["WINNOW"] = WINNOW
    install()
    failed = 0
    for name in sys.argv[2:] or [*CHECKS, *SCENES]:
        try:
            CHECKS[name]() if name in CHECKS else check_scene(name)
            print(f"{bpy.app.version_string}: {name}: ok", flush=True)
        except (AssertionError, KeyError, RuntimeError, AttributeError, TypeError) as failure:
            failed += 1
            print(f"{bpy.app.version_string}: {name}: FAILED: {failure}", flush=True)
    sys.stdout.flush()
    os._exit(failed > 0)  # Blender 4.5 does not end by itself once it has had an engine


main()
