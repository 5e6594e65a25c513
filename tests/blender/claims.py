# SPDX-License-Identifier: MIT
"""Claims about Blender and Winnow, which tests/blender/check runs in an interpreter with the module bpy.

Each claim is a function. The text of a claim about the page is a quote from BLENDER.md, which must be there.
"""

import json
import math
import pathlib
import re
import struct
import subprocess
import sys

import bpy
import numpy

from blender_scenes import *

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = re.sub(r"\s+", " ", (ROOT / "src/load/gltf/BLENDER.md").read_text())
WINNOW = sys.argv[1]
CLAIMS = {}


def claim(*quotes):
    def add(function):
        CLAIMS[function.__name__] = (quotes, function)
        return function

    return add


# ---- Files and renders. ----


def export(file="scene.glb", **options):
    """Exports as BLENDER.md says and returns the JSON of the file."""
    path = FOLDER / file
    options = {"export_lights": True, "export_cameras": True, "export_apply": True,
               "export_import_convert_lighting_mode": "COMPAT"} | options
    bpy.ops.export_scene.gltf(filepath=str(path), **options)
    data = path.read_bytes()
    return json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])


def material_in_file():
    return export()["materials"][0]


def lamps_in_file(**options):
    return export(**options).get("extensions", {}).get("KHR_lights_punctual", {}).get("lights", [])


def winnow(*words):
    return subprocess.run([WINNOW, *map(str, words)], check=True, capture_output=True, text=True).stdout


def by_winnow(*options, file="scene.glb", spp=256):
    scene = bpy.context.scene.render
    winnow("render", FOLDER / file, "--exposure", 0, "--spp", spp, "--device", "cpu", "-o", FOLDER / "winnow.exr",
           "--size", f"{scene.resolution_x}x{scene.resolution_y}", "--max-bounces", 64, *options)
    return pixels_of(FOLDER / "winnow.exr")


def converted(file="scene.glb"):
    winnow("convert", FOLDER / file, FOLDER / "scene.json")
    return json.loads((FOLDER / "scene.json").read_text())


# ---- Export. ----


@claim("Include > Cameras, Punctual Lights | on (default: off)",
       "Include > Visible Objects, or Renderable Objects | on (default: off)",
       "Transform > +Y Up | on (default)", "Data > Mesh > Apply Modifiers | on (default: off)",
       "Data > Mesh > UVs, Normals | on (default)", "**Unitless** (default: Standard)")
def defaults_of_the_dialog():
    properties = bpy.ops.export_scene.gltf.get_rna_type().properties
    for name, value in {"export_cameras": False, "export_lights": False, "use_visible": False, "use_renderable": False,
                        "export_yup": True, "export_apply": False, "export_texcoords": True, "export_normals": True,
                        "export_import_convert_lighting_mode": "SPEC"}.items():
        expect(properties[name].default == value, f"{name} is {properties[name].default}")


@claim("Winnow reads Draco")
def reads_draco():
    clear()
    plane(principled())
    file = export(export_draco_mesh_compression_enable=True)
    if IS_5 and "extensionsUsed" not in file:
        return  # the module of 5.3 comes without the library
    expect("KHR_draco_mesh_compression" in file["extensionsUsed"], "no Draco")
    expect("triangles" in winnow("info", FOLDER / "scene.glb"), "not read")


@claim("AgX (default) | `--exposure 0 --tone-map agx`, to 1/255", "Standard | `--exposure 0`",
       "Exposure of the scene | `--exposure` with the same number")
def view_transforms():
    clear()
    plane(principled(), size=0.01, location=(0, 0, -50))
    add_camera((0, 0, 0), target=(1, 0.3, 0))
    export()
    lit = converted()
    colors = [[0.18 * 2.0**stops] * 3 for stops in range(-9, 8, 2)]
    colors += [list(numpy.array(color) * 2.0**stops) for stops in (-5, -2, 0, 3) for color in
               ([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0.5, 0.1])]
    image = bpy.data.images.new("ramp", len(colors), 1, float_buffer=True)
    image.colorspace_settings.name = "Linear Rec.709"
    image.pixels.foreach_set(numpy.array([[*color, 1] for color in colors], numpy.float32).ravel())
    scene = bpy.context.scene
    scene.render.dither_intensity = 0.0
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "PNG", "8"
    for view, curve, exposure in (("Standard", "srgb", 0), ("AgX", "agx", 0), ("AgX", "agx", -1.5)):
        scene.view_settings.view_transform, scene.view_settings.exposure = view, exposure
        image.save_render(str(FOLDER / "blender.png"), scene=scene)
        shown = pixels_of(FOLDER / "blender.png")[0]
        for color, right in zip(colors, shown):
            lit["sky"] = {"radiance": [float(channel) for channel in color]}
            (FOLDER / "lit.json").write_text(json.dumps(lit))
            winnow("render", FOLDER / "lit.json", "--spp", 1, "--size", "4x4", "--exposure", exposure, "--tone-map", curve,
                   "--device", "cpu", "-o", FOLDER / "winnow.png")
            difference = 255 * numpy.abs(pixels_of(FOLDER / "winnow.png")[0, 0] - right).max()
            expect(difference <= 1.01, f"{view} of {color}: {difference} / 255")


# ---- Light. ----


@claim("point, spot | P / (4 pi)", "sun | its W m^-2", "so they become 683 times as bright")
def strengths_in_the_file():
    for kind, energy, right in (("POINT", 60, 60 / (4 * math.pi)), ("SPOT", 300, 300 / (4 * math.pi)), ("SUN", 3, 3)):
        clear()
        add_lamp(kind, energy)
        expect_near(lamps_in_file()[0]["intensity"], right, 1e-4, kind)
        lumens = lamps_in_file(export_import_convert_lighting_mode="SPEC")[0]["intensity"]
        expect_near(lumens / right, 683, 1e-2, f"{kind} with Standard")


def floor_under(light):
    """The floor's radiance under a light, by Winnow and by Cycles."""
    clear()
    plane(principled(Base_Color=(0.5, 0.5, 0.5, 1)), size=40)
    add_camera((0, -8, 6), degrees=6)
    options = []
    if light == "white world":
        set_world((1, 1, 1))
        export()
        scene = converted()
        scene["sky"] = {"radiance": [1, 1, 1]}
        (FOLDER / "sky.json").write_text(json.dumps(scene))
        return mean(by_winnow(file="sky.json")), mean(by_cycles())
    if light == "panel":
        plane(principled(Base_Color=(0, 0, 0, 1), Emission_Color=(1, 1, 1, 1), Emission_Strength=5.0), location=(0, 0, 3))
        options = ["--sky", "none"]
    elif light == "area":
        lamp = add_lamp("AREA", 100, shape="SQUARE", size=2)
        reference = mean(by_cycles())
        bpy.data.objects.remove(lamp)
        panel = principled(Base_Color=(0, 0, 0, 1), Emission_Color=(1, 1, 1, 1), Emission_Strength=100 / (math.pi * 4))
        plane(panel, location=(0, 0, 3))
        export()
        return mean(by_winnow("--sky", "none")), reference
    else:
        add_lamp(light, 3 if light == "SUN" else 100)
    export()
    return mean(by_winnow(*options)), mean(by_cycles())


@claim("On a diffuse floor, a white world, a point, a sun and an emissive panel give the radiance that they give in "
       "Cycles, to 4 %")
def lights_are_as_bright_as_in_cycles():
    for light in ("white world", "POINT", "SUN", "panel"):
        expect_ratio(*floor_under(light), 0.04, light)


@claim("A spot has the same axis, edge and falloff")
def spots_fade_as_in_cycles():
    for degrees, blend in ((60, 0.15), (60, 1.0), (20, 0.5), (120, 0.7)):
        clear()
        plane(principled(Base_Color=(0.5, 0.5, 0.5, 1)), size=40)
        add_camera((0, -8, 6), degrees=30)
        add_lamp("SPOT", 100, spot_size=math.radians(degrees), spot_blend=blend, shadow_soft_size=0)
        export()
        ours, right = by_winnow(), by_cycles()
        blocks = [pixels[:, :, :3].reshape(4, 4, 4, 4, 3).mean(axis=(1, 3, 4)) for pixels in (ours, right)]
        expect(numpy.abs(blocks[0] - blocks[1]).max() <= 0.03 * blocks[1].max(), f"a spot of {degrees} degrees, {blend}")


@claim("a plane with an emission strength of P / (pi A)", "Area lights are not exported")
def area_lights_can_be_replaced():
    expect_ratio(*floor_under("area"), 0.04)
    clear()
    add_lamp("AREA", 100)
    expect(not lamps_in_file(), "an area light is in the file")


@claim("The strength of a sun's Emission node multiplies its own in Blender 5.3; in 4.5 it replaces it. Of other lamps, "
       "it is ignored unless a Light Falloff node gives it.")
def nodes_of_lamps():
    for kind in ("SUN", "POINT"):
        clear()
        lamp = add_lamp(kind, 3)
        before = lamps_in_file()[0]["intensity"]
        lamp.data.use_nodes = True
        emission = next(node for node in lamp.data.node_tree.nodes if node.type == "EMISSION")
        emission.inputs["Strength"].default_value = 2.0
        after = lamps_in_file()[0]["intensity"]
        right = before if kind == "POINT" else 2.0 * before if IS_5 else 2.0
        expect_near(after, right, 1e-4, kind)


@claim("The world is not exported", "A file without lamps gets a soft sky; `--sky none` removes it")
def the_world_is_not_in_the_file():
    clear()
    set_world((3, 2, 1))
    plane(principled())
    add_camera((0, -8, 6))
    expect("extensions" not in export(), "the file has extensions")
    expect(mean(by_winnow(spp=16)).min() > 0.01, "no soft sky")
    expect(mean(by_winnow("--sky", "none", spp=16)).max() == 0.0, "--sky none")


def set_world_image(values):
    """Makes an image, [height][width] or with 3 channels and the bottom row first, the world; writes it as world.pfm."""
    values = numpy.asarray(values, numpy.float32)
    values = values if values.ndim == 3 else numpy.repeat(values[:, :, None], 3, 2)
    height, width = values.shape[:2]
    (FOLDER / "world.pfm").write_bytes(f"PF\n{width} {height}\n-1.0\n".encode() + values.tobytes())
    image = bpy.data.images.new("world", width, height, float_buffer=True)
    image.colorspace_settings.name = "Linear Rec.709"
    image.pixels.foreach_set(numpy.dstack([values, numpy.ones((height, width), numpy.float32)]).ravel())
    tree = bpy.context.scene.world.node_tree
    texture = tree.nodes.new("ShaderNodeTexEnvironment")
    texture.image = image
    tree.links.new(texture.outputs["Color"], background().inputs["Color"])
    return texture


@claim("`--sky world.exr:STRENGTH:90`", "If the world has a Mapping node that turns by t degrees about Z, it is 90 - t")
def environments_are_turned():
    x = (numpy.arange(64) + 0.5) / 64
    for turn in (None, 30.0, 200.0):
        clear()
        texture = set_world_image(numpy.broadcast_to(numpy.stack([x, x * x, 1 - x], 1), (32, 64, 3)))
        tree = bpy.context.scene.world.node_tree
        if turn is not None:
            mapping, coordinates = tree.nodes.new("ShaderNodeMapping"), tree.nodes.new("ShaderNodeTexCoord")
            mapping.inputs["Rotation"].default_value[2] = math.radians(turn)
            tree.links.new(coordinates.outputs["Generated"], mapping.inputs["Vector"])
            tree.links.new(mapping.outputs["Vector"], texture.inputs["Vector"])
        plane(principled(), size=0.01, location=(0, 0, -50))
        add_camera((0, 0, 0), target=(1, 0.3, 0))
        export()
        sky = f"{FOLDER / 'world.pfm'}:1:{90 - (turn or 0)}"
        expect_near(mean(by_winnow("--sky", sky)), mean(by_cycles()), 0.01, f"turned by {turn}")


# ---- Cameras and time. ----


def camera_case(kind, fit, resolution):
    """Half the height of the view in the file, and that in Blender; of perspective at a distance of 1."""
    clear()
    camera = add_camera((0, -5, 0), degrees=40)
    camera.data.type, camera.data.sensor_fit, camera.data.ortho_scale = kind, fit, 6
    render = bpy.context.scene.render
    render.resolution_x, render.resolution_y = resolution
    frame = camera.data.view_frame(scene=bpy.context.scene)
    half = (max(v.y for v in frame) - min(v.y for v in frame)) / 2
    file = export()["cameras"][0]
    if kind == "ORTHO":
        return file["orthographic"]["ymag"], half
    return math.tan(file["perspective"]["yfov"] / 2), half / -frame[0].z


@claim("perspective camera | the same view", "orthographic camera | the same with Sensor Fit Auto",
       "The exporter ignores Vertical in landscape and Horizontal in portrait format")
def views_are_the_same():
    landscape, portrait = (160, 90), (90, 160)
    for fit in ("AUTO", "HORIZONTAL", "VERTICAL"):
        for resolution in (landscape, portrait):
            expect_near(*camera_case("PERSP", fit, resolution), 1e-4, f"{fit} {resolution}")
            value, right = camera_case("ORTHO", fit, resolution)
            is_ignored = (fit, resolution) in (("VERTICAL", landscape), ("HORIZONTAL", portrait))
            expect((abs(value - right) > 0.5) == is_ignored, f"orthographic {fit} {resolution}: {value} for {right}")


@claim("the same view at a height of 720 pixels")
def the_view_is_720_pixels_high():
    clear()
    add_camera((0, -8, 6), degrees=40)
    plane(principled())
    export()
    expect(converted()["camera"].get("height", converted().get("height", 720)) == 720, "another height")


@claim("lens shift, depth of field | lost", "the file does not say which one is active")
def what_cameras_lose():
    clear()
    for name in ("second", "active"):
        camera = add_camera((0, -8, 6), name=name)
        camera.data.shift_x, camera.data.dof.use_dof = 0.2, True
    bpy.context.scene.camera = bpy.data.objects["active"]
    file = export()
    expect(len(file["cameras"]) == 2, "not two cameras")
    for camera in file["cameras"]:
        expect(set(camera) <= {"name", "type", "perspective"}, f"{camera}")
    expect("camera" not in file["scenes"][0], "the active camera is known")


def times(rate, base, first):
    clear()
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end = rate, base, first, first + 10
    camera = add_camera((0, -5, 0))
    for frame in (first, first + 10):
        camera.location.x = frame
        camera.keyframe_insert("location", frame=frame)
    file = export()
    input_ = file["accessors"][file["animations"][0]["samplers"][0]["input"]]
    return input_["min"][0], input_["max"][0]


@claim("frame N | time N / rate of the file", "the exporter writes R * base: 29.97 becomes 30.03, and 23.976 becomes "
       "24.024", "is shifted so that it starts at time 0")
def frames_in_the_file():
    for rate, base in ((24, 1.0), (25, 1.0), (30, 1.001), (24, 1.001)):
        expect_near(times(rate, base, 1), numpy.array([1, 11]) / (rate * base), 1e-5, f"{rate} / {base}")
    expect_near(times(24, 1.0, -5), numpy.array([0, 10]) / 24, 1e-5, "negative frames")


# ---- Materials. ----


def factors(material):
    return material.get("pbrMetallicRoughness", {})


@claim("IOR | lost for opaque surfaces", "a level of 0.5 is a `specularFactor` of 1")
def index_of_opaque_surfaces():
    clear()
    plane(principled(IOR=2.0))
    expect("extensions" not in material_in_file(), "the index is in the file")
    for level, factor in ((0.25, 0.5), (0.4, 0.8)):
        clear()
        plane(principled(Specular_IOR_Level=level))
        expect_near(material_in_file()["extensions"]["KHR_materials_specular"]["specularFactor"], factor, 1e-5)


@claim("refracting glass only with a **thickness**")
def glass_needs_a_thickness():
    clear()
    material = principled(Transmission_Weight=1.0, Roughness=0.0, IOR=1.45)
    ball(material)
    expect("KHR_materials_volume" not in material_in_file()["extensions"], "a thickness without the node")
    add_thickness(material, 0.3)
    expect_near(material_in_file()["extensions"]["KHR_materials_volume"]["thicknessFactor"], 0.3, 1e-5)


@claim("coat | its weight and roughness. Its IOR and tint are lost")
def coat_in_the_file():
    clear()
    plane(principled(Coat_Weight=0.5, Coat_Roughness=0.1, Coat_IOR=1.8, Coat_Tint=(1, 0.5, 0.2, 1)))
    coat = material_in_file()["extensions"]
    expect(list(coat) == ["KHR_materials_clearcoat"], f"{coat}")
    expect_near([coat["KHR_materials_clearcoat"][k] for k in ("clearcoatFactor", "clearcoatRoughnessFactor")],
                numpy.array([0.5, 0.1]), 1e-5)


@claim("sheen | its tint and roughness; its weight is lost and read as 1")
def sheen_in_the_file():
    for weight in (0.1, 1.0):
        clear()
        plane(principled(Sheen_Weight=weight, Sheen_Tint=(1, 0.5, 0.2, 1)))
        sheen = material_in_file()["extensions"]["KHR_materials_sheen"]
        expect_near(sheen["sheenColorFactor"], numpy.array([1, 0.5, 0.2]), 1e-5)


@claim("anisotropic | its strength and rotation; highlights differ in shape, with a warning")
def anisotropy_in_the_file():
    clear()
    plane(principled(Metallic=1.0, Anisotropic=0.5, Anisotropic_Rotation=0.25))
    anisotropy = material_in_file()["extensions"]["KHR_materials_anisotropy"]
    expect_near([anisotropy["anisotropyStrength"], anisotropy["anisotropyRotation"]],
                numpy.array([0.5, math.pi / 2]), 1e-5)


@claim("subsurface scattering, thin film | lost")
def what_materials_lose():
    for inputs in ({"Subsurface_Weight": 1.0}, {"Thin_Film_Thickness": 300.0}):
        clear()
        plane(principled(**inputs))
        expect("extensions" not in material_in_file(), f"{inputs}")


@claim("Diffuse, Glossy, Glass, Metallic, Translucent and other BSDF nodes | lost: a rough white metal")
def other_shaders_are_lost():
    for kind in ("BsdfDiffuse", "BsdfGlossy", "BsdfGlass", "BsdfMetallic", "BsdfTranslucent"):
        clear()
        plane(shader_alone(kind))
        expect("pbrMetallicRoughness" not in material_in_file(), kind)
        material = next(iter(converted()["materials"].values()))
        expect(material.get("metallic") == 1 and material.get("roughness") == 1, f"{kind}: {material}")


@claim("Where only the colour of an image is used, its alpha multiplies the colour, with a warning")
def unused_alpha_multiplies():
    clear()
    image = bpy.data.images.new("half", 4, 4, alpha=True)
    image.pixels.foreach_set([0.8, 0.8, 0.8, 0.5] * 16)
    image.filepath_raw, image.file_format = str(FOLDER / "half.png"), "PNG"
    image.save()
    material = principled(Base_Color=(0, 0, 0, 1), Specular_IOR_Level=0.0, Emission_Strength=1.0)
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(node.outputs["Color"], shader.inputs["Emission Color"])
    plane(material, size=20)
    add_camera((0, -1, 4))
    export()
    expect_ratio(mean(by_winnow("--sky", "none")), mean(by_cycles()), 0.02)


@claim("up to 5 % darker where normals lean by more than 22 degrees from their triangles",
       "Winnow agrees to 2 % where Bump Map Correction, a setting of each material, is off")
def coarse_normals_are_bent():
    ratios = []
    for is_on in (True, False):
        clear()
        set_world((1, 1, 1))
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=1)
        bpy.ops.object.shade_smooth()
        metal = principled(Metallic=1.0, Roughness=0.2)
        metal.cycles.use_bump_map_correction = is_on
        bpy.context.object.data.materials.append(metal)
        add_camera((0, -6, 1), degrees=18.0)
        export()
        scene = converted()
        scene["sky"] = {"radiance": [1, 1, 1]}
        (FOLDER / "sky.json").write_text(json.dumps(scene))
        ratios.append(by_winnow(file="sky.json").mean() / by_cycles().mean())
    expect(0.94 < ratios[0] < 0.99, f"{ratios}")
    expect(0.98 < ratios[1] < 1.02, f"{ratios}")


@claim("Emission node | the same")
def emission_node():
    clear()
    plane(shader_alone("Emission", Color=(0.2, 0.5, 0.7, 1), Strength=4.0))
    material = material_in_file()
    strength = material.get("extensions", {}).get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1)
    expect_near(numpy.array(material["emissiveFactor"]) * strength, 4 * numpy.array([0.2, 0.5, 0.7]), 1e-5)


@claim("Principled BSDF: base colour, metallic, roughness, alpha, emission and its strength | the same")
def principled_in_winnow():
    for inputs in ({"Base_Color": (0.8, 0.2, 0.1, 1)}, {"Metallic": 1.0, "Base_Color": (1, 0.8, 0.3, 1), "Roughness": 0.3},
                   {"Alpha": 0.4, "Base_Color": (0.8, 0.05, 0.05, 1)},
                   {"Emission_Color": (1, 0.5, 0.1, 1), "Emission_Strength": 6.0}):
        expect_ratio(*under_white_sky(principled, inputs), 0.04, f"{inputs}")


def under_white_sky(make, inputs):
    clear()
    set_world((1, 1, 1))
    plane(make(**inputs))
    add_camera((0, -5, 8))
    export()
    scene = converted()
    scene["sky"] = {"radiance": [1, 1, 1]}
    (FOLDER / "sky.json").write_text(json.dumps(scene))
    return mean(by_winnow(file="sky.json")), mean(by_cycles())


@claim("normal maps | the same")
def normal_maps_under_white_sky():
    for lean in (20.0, 45.0, 70.0, -20.0, -45.0):  # the viewer is below a normal that leans by 70 degrees
        for inputs in ({"Specular_IOR_Level": 0.0}, {"Roughness": 0.2}, {"Metallic": 1.0, "Roughness": 0.4}):
            expect_ratio(*under_white_sky(bumpy, inputs | {"lean": lean}), 0.02, f"{lean} {inputs}")


def bumpy(lean, **inputs):
    """A material whose normals lean away from the camera of under_white_sky()."""
    material = principled(**inputs)
    image = bpy.data.images.new("normals", 4, 4)
    image.colorspace_settings.name = "Non-Color"
    angle = math.radians(lean)
    image.pixels.foreach_set([0.5, 0.5 + 0.5 * math.sin(angle), 0.5 + 0.5 * math.cos(angle), 1.0] * 16)
    image.filepath_raw, image.file_format = str(FOLDER / "normals.png"), "PNG"
    image.save()
    tree = material.node_tree
    texture, bumps = tree.nodes.new("ShaderNodeTexImage"), tree.nodes.new("ShaderNodeNormalMap")
    texture.image = image
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    tree.links.new(texture.outputs["Color"], bumps.inputs["Color"])
    tree.links.new(bumps.outputs["Normal"], shader.inputs["Normal"])
    return material


@claim("linked duplicates, instances of collections | instances, which share their mesh")
def duplicates_share_their_mesh():
    clear()
    first = plane(principled())
    second = bpy.data.objects.new("copy", first.data)
    second.location = (5, 0, 0)
    bpy.context.scene.collection.objects.link(second)
    expect(len(export(export_apply=False)["meshes"]) == 1, "the mesh is in the file twice")


def set_sky_of_a_peak(is_white=False):
    elevation = (numpy.arange(512) + 0.5) / 512 * math.pi  # from the nadir
    row = numpy.ones(512) if is_white else 0.05 + 10 * numpy.maximum(-numpy.cos(elevation), 0) ** 16
    set_world_image(numpy.repeat(row[:, None], 64, 1))


def from_place(place, file="scene.obj"):
    """The means of a view of the origin from a place, by Winnow and by Cycles."""
    x, y, z = place
    bpy.context.scene.camera = None
    add_camera(place)
    camera = f"{x},{z},{-y},{-x},{-z},{y},3"
    return mean(by_winnow("--camera", camera, "--sky", FOLDER / "world.pfm", file=file)), mean(by_cycles())


@claim("metals, other surfaces and what is below coats are as bright as in Cycles, to 2 %")
def models_agree_under_a_peak():
    metal, white, black = {"Metallic": 1.0, "Base_Color": (1, 0.8, 0.3, 1)}, {}, {"Base_Color": (0, 0, 0, 1)}
    coat = {"Coat_Weight": 1.0, "Coat_Roughness": 0.03, "Base_Color": (0.5, 0.1, 0.1, 1)}
    for inputs in (metal, white, black, coat):
        for roughness in (0.3, 0.5, 0.9):
            clear()
            set_sky_of_a_peak()
            plane(principled(Roughness=roughness, **inputs))
            bpy.ops.wm.obj_export(filepath=str(FOLDER / "scene.obj"), export_pbr_extensions=True)
            for place in ((0, -1, 10), (0, -8.66, 5)):
                ours, theirs = from_place(place)
                expect_near(ours, theirs, 0.02, f"{inputs} {roughness} {place}:")


@claim("Specular IOR Level, Specular Tint | the same")
def specular_levels_under_a_peak():
    red = {"Specular_Tint": (1, 0.3, 0.1, 1), "Specular_IOR_Level": 0.3}
    for inputs in ({"Specular_IOR_Level": 0.0}, {"Specular_IOR_Level": 0.2}, {"Specular_IOR_Level": 0.9}, red):
        clear()
        set_sky_of_a_peak()
        plane(principled(Roughness=0.25, Base_Color=(0.05, 0.05, 0.05, 1), **inputs))
        export(export_cameras=False)
        for place in ((0, -1, 10), (0, -8.66, 5)):
            ours, theirs = from_place(place, "scene.glb")
            expect_ratio(ours, theirs, 0.02, f"{inputs} {place}:")


@claim("Glass tints light once, as in Blender")
def glass_under_a_peak():
    for roughness in (0.0, 0.4):
        clear()
        set_sky_of_a_peak()
        material = principled(Transmission_Weight=1.0, Roughness=roughness, Base_Color=(0.9, 0.5, 0.2, 1))
        add_thickness(material, 1.0)
        ball(material)
        export(export_cameras=False)
        ours, theirs = from_place((0, -8.66, 5), "scene.glb")
        expect_ratio(ours, theirs, 0.02, f"roughness {roughness}:")


@claim("Volume Absorption, with such a thickness | the same: exp(-(1 - colour) density d) over d metres")
def absorption_under_a_peak():
    clear()
    set_sky_of_a_peak()
    material = principled(Transmission_Weight=1.0, Roughness=0.0, IOR=1.2, Base_Color=(1, 1, 1, 1))
    add_thickness(material, 1.0)
    absorption = material.node_tree.nodes.new("ShaderNodeVolumeAbsorption")
    absorption.inputs["Color"].default_value, absorption.inputs["Density"].default_value = (0.8, 0.4, 0.1, 1), 0.7
    output = next(node for node in material.node_tree.nodes if node.type == "OUTPUT_MATERIAL")
    material.node_tree.links.new(absorption.outputs[0], output.inputs["Volume"])
    ball(material)
    export(export_cameras=False)
    ours, theirs = from_place((0, -8.66, 5), "scene.glb")
    expect_ratio(ours, theirs, 0.02)


# ---- OBJ. ----


OBJ_MATERIALS = {
    "plain": {}, "black": {"Base_Color": (0, 0, 0, 1)}, "black and smooth": {"Base_Color": (0, 0, 0, 1), "Roughness": 0.1},
    "polished": {"Base_Color": (0.3, 0.3, 0.3, 1), "Roughness": 0.0}, "matte": {"Roughness": 0.8},
    "foil": {"Alpha": 0.5, "Base_Color": (0.8, 0.05, 0.05, 1)},
    "gold": {"Metallic": 1.0, "Base_Color": (1, 0.8, 0.3, 1)}, "half metal": {"Metallic": 0.6, "Roughness": 0.3},
    "metal foil": {"Metallic": 0.6, "Alpha": 0.4}, "without highlights": {"Specular_IOR_Level": 0.0},
    "level 1": {"Specular_IOR_Level": 1.0, "Base_Color": (0, 0, 0, 1)},
    "level 0.3": {"Specular_IOR_Level": 0.3, "Base_Color": (0.1, 0.1, 0.1, 1)},
    "index 1.8": {"IOR": 1.8, "Base_Color": (0, 0, 0, 1)},
    "coat": {"Coat_Weight": 0.7, "Coat_Roughness": 0.2, "Base_Color": (0.5, 0.1, 0.1, 1)},
    "sheen": {"Sheen_Weight": 0.6, "Base_Color": (0.1, 0.1, 0.1, 1)},
    "lamp": {"Emission_Color": (1, 0.5, 0.1, 1), "Emission_Strength": 3.0},
}  # fmt: skip


def compare_obj(inputs, extension):
    """Compares a plane under a sky that is bright near the zenith, from two directions."""
    for is_white in (True, False):
        clear()
        set_sky_of_a_peak(is_white)
        plane(principled(**inputs))
        bpy.ops.wm.obj_export(filepath=str(FOLDER / "scene.obj"), export_pbr_extensions=extension)
        for place in ((0, -1, 10), (0, -8.66, 5)):
            ours, theirs = from_place(place)
            tolerance = 0.06 if "Sheen_Weight" in inputs else 0.02
            expect_near(ours, theirs, tolerance, f"{inputs} {place}, white: {is_white}:")


@claim()
def obj_materials():
    failures = []
    for name, inputs in OBJ_MATERIALS.items():
        for extension in (True,) if name in ("coat", "sheen") else (False, True):
            try:
                compare_obj(inputs, extension)
            except AssertionError as failure:
                failures.append(f"{name}: {failure}")
    expect(not failures, "\n  ".join(failures))


def main():
    failed = 0
    for name in sys.argv[2:] or CLAIMS:
        quotes, check = CLAIMS[name]
        try:
            for quote in quotes:
                expect(re.sub(r"\s+", " ", quote) in PAGE, f"BLENDER.md does not say: {quote}")
            check()
            print(f"{bpy.app.version_string}: {name}: ok", flush=True)
        except (AssertionError, KeyError, RuntimeError, subprocess.CalledProcessError) as failure:
            failed += 1
            detail = failure.stderr if isinstance(failure, subprocess.CalledProcessError) else failure
            print(f"{bpy.app.version_string}: {name}: FAILED: {detail}", flush=True)
    sys.stdout.flush()
    sys.exit(failed > 0)


main()
