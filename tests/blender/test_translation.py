# SPDX-License-Identifier: MIT
"""Tests of the extension's modules that do not need Blender, with objects that stand in for its own.

Usage: python3 test_translation.py    WINNOW names the program, which reads each scene
"""

import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "src/blender"))
import display
import program
from translate import camera, lamps, materials, world
from translate.axes import euler, product
from translate.nodes import Input, blackbody, image_of
from translate.notes import Notes

WINNOW = os.environ.get("WINNOW", "")
IDENTITY = [[float(i == j) for j in range(4)] for i in range(4)]


class Sockets(list):
    def get(self, name):
        return next((socket for socket in self if socket.name == name), None)

    def __getitem__(self, key):
        return self.get(key) if isinstance(key, str) else super().__getitem__(key)


class Node:
    """A node whose inputs are given as name=value; a value may be another Node."""

    def __init__(self, kind, outputs=("out",), **inputs):
        self.type, self.mute, self.bl_label, self.node_tree = kind, False, kind.title(), None
        self.is_active_output, self.target, self.internal_links = True, "ALL", ()
        self.outputs = Sockets(socket(name, self) for name in outputs)
        self.inputs = Sockets()
        for name, value in inputs.items():
            self.inputs.append(socket(name.replace("_", " "), self))
            link(value, self.inputs[-1])


def socket(name, node):
    kind = "RGBA" if "Color" in name or name in ("A", "B") else "VALUE"
    return types.SimpleNamespace(name=name, identifier=name, node=node, is_linked=False, links=(),
                                 default_value=0.0, type=kind)


def link(value, target):
    if not isinstance(value, Node):
        target.default_value = value
        return
    target.is_linked = True
    target.links = (types.SimpleNamespace(is_muted=False, from_node=value,
                                          from_socket=value.outputs[0]),)


def material(surface, volume=0.0):
    output = Node("OUTPUT_MATERIAL", Surface=surface, Volume=volume, Displacement=0.0)
    tree = types.SimpleNamespace(nodes=[output])
    return types.SimpleNamespace(name="m", use_nodes=True, node_tree=tree)


def translated(surface, volume=0.0, **exported):
    notes, media = Notes(), {}
    json_ = materials.material_json(material(surface, volume), exported, media, notes)
    accepted(materials={"m": json_}, media=media)
    return json_, notes.lines()


def lamp(kind, **values):
    known = dict(name="l", type=kind, color=(1, 1, 1), energy=1.0, shadow_soft_size=0.0, angle=0.0,
                 spot_size=1.0, spot_blend=0.2, use_square=False, size=1.0, size_y=1.0,
                 shape="SQUARE", use_nodes=False, node_tree=None)
    return types.SimpleNamespace(**known | values)


def scene_of(data, matrix=IDENTITY, is_in_view=False):
    scene, notes = {"shapes": [], "lights": [], "materials": {}}, Notes()
    lamps.add_lamp(scene, data, "l", matrix, False, lambda *_: is_in_view, notes)
    accepted(**scene)
    return scene, notes.lines()


def accepted(**parts):
    """Has winnow read a scene with these parts."""
    if not WINNOW:
        return
    parts = {key: part for key, part in parts.items() if part}
    parts["materials"] = parts.get("materials", {}) | {"other": {"type": "diffuse"}}
    for name in parts["materials"]:
        parts["shapes"] = parts.get("shapes", []) + [
            {"type": "box", "material": name, "min": [0, 0, 0], "max": [1, 1, 1]}]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.json"
        path.write_text(json.dumps(parts))
        done = subprocess.run([WINNOW, "info", path], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


def camera_data(**values):
    dof = types.SimpleNamespace(use_dof=False, focus_object=None, focus_distance=2.0,
                                aperture_fstop=2.0, aperture_blades=0, aperture_rotation=0.0,
                                aperture_ratio=1.0)
    known = dict(type="PERSP", clip_start=0.1, clip_end=100.0, lens=50.0, dof=dof)
    return types.SimpleNamespace(**known | values)


class Nodes(unittest.TestCase):
    def test_values_pass_reroutes_and_muted_nodes(self):
        muted = Node("GAMMA", Color=Node("REROUTE", input=Node("RGB")))
        muted.mute = True
        muted.internal_links = (types.SimpleNamespace(
            from_socket=muted.inputs[0], to_socket=muted.outputs[0]),)
        muted.inputs[0].links[0].from_node.inputs[0].links[0].from_socket.default_value = (
            0.1, 0.2, 0.3, 1.0)
        self.assertEqual(Input(Node("X", Color=muted).inputs[0]).value(), [0.1, 0.2, 0.3])

    def test_values_come_from_outside_of_groups(self):
        begin = Node("GROUP_INPUT", outputs=("Color",))
        group = Node("GROUP", outputs=("BSDF",), Color=(0.5, 0.6, 0.7, 1.0))
        end = Node("GROUP_OUTPUT", BSDF=Node("BSDF_DIFFUSE", Color=begin))
        group.node_tree = types.SimpleNamespace(nodes=[begin, end])
        source = Input(Node("X", Surface=group).inputs[0])
        self.assertEqual((source.kind, source.value("Color")), ("BSDF_DIFFUSE", [0.5, 0.6, 0.7]))

    def test_what_varies_has_no_value(self):
        self.assertIsNone(Input(Node("X", Color=Node("TEX_NOISE")).inputs[0]).value())

    def test_black_bodies_have_luminance_1(self):
        for kelvin in (1000, 3000, 6500, 12000):
            red, green, blue = blackbody(kelvin)
            self.assertAlmostEqual(0.2126 * red + 0.7152 * green + 0.0722 * blue, 1.0, delta=0.05)


class Cameras(unittest.TestCase):
    def test_looks_along_minus_z_of_the_camera(self):
        json_ = camera.camera_json(camera_data(), IDENTITY, [-1, 1, -0.5, 0.5], 2.0, Notes())
        self.assertEqual(json_["look_at"], [0, -1, 0])  # Blender's -z is Winnow's -y
        self.assertAlmostEqual(json_["vertical_fov"], math.degrees(2 * math.atan(0.25)))
        accepted(camera=json_)

    def test_moves_the_view_by_shares_of_the_picture(self):
        json_ = camera.camera_json(camera_data(), IDENTITY, [0, 2, -0.75, 0.25], 2.0, Notes())
        self.assertEqual(json_["shift"], [0.5, -0.25])

    def test_has_the_lens_of_an_f_number(self):
        data = camera_data()
        data.dof.use_dof, data.dof.aperture_blades = True, 6
        json_ = camera.camera_json(data, IDENTITY, [-1, 1, -1, 1], 2.0, Notes())
        self.assertAlmostEqual(json_["lens_radius"], 0.0125)
        self.assertAlmostEqual(json_["blade_rotation"], -60.0)
        accepted(camera=json_)

    def test_notes_axes_that_are_not_those_of_a_rotation(self):
        sheared = [[1, 0.2, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        mirrored = [[-2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        turned = [[0, -3, 0, 1], [1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]
        for matrix, right in ((sheared, ["no sheared cameras"]), (turned, []),
                              (mirrored, ["no mirrored cameras"])):
            notes = Notes()
            camera.camera_json(camera_data(), matrix, [-1, 1, -1, 1], 2.0, notes)
            self.assertEqual(notes.lines(), right)

    def test_refuses_panoramas(self):
        with self.assertRaisesRegex(ValueError, "Pano"):
            camera.camera_json(camera_data(type="PANO"), IDENTITY, [-1, 1, -1, 1], 1.0, Notes())

    def test_sees_balls_in_front_of_it(self):
        for center, sees in (((0, 0, -5), True), ((0, 0, 5), False), ((6, 0, -5), False),
                             ((5.5, 0, -5), True)):
            self.assertEqual(camera.ball_is_in_view(
                IDENTITY, [-1, 1, -1, 1], 1.0, center, 0.5), sees, center)


class Lamps(unittest.TestCase):
    def test_a_lamp_with_a_radius_is_a_ball_with_its_power(self):
        scene, _ = scene_of(lamp("POINT", energy=60.0, shadow_soft_size=0.2))
        self.assertEqual(scene["lights"], [
            {"type": "sphere", "center": [0, 0, 0], "radius": 0.2, "power": [60.0] * 3}])

    def test_a_ball_that_the_camera_must_not_see_is_many_points(self):
        scene, _ = scene_of(lamp("POINT", energy=4 * math.pi, shadow_soft_size=0.2), is_in_view=True)
        self.assertAlmostEqual(sum(light["intensity"][0] for light in scene["lights"]), 1.0)
        self.assertGreater(len(scene["lights"]), 16)

    def test_a_lamp_whose_falloff_differs_near_it_is_listed(self):
        for kind in ("POINT", "SPOT"):
            _, notes = scene_of(lamp(kind, shadow_soft_size=0.2, use_soft_falloff=True))
            self.assertEqual(notes, ["lamps with Soft Falloff are balls, brighter by "
                                     "(radius / distance)^2: l"])
            self.assertEqual(scene_of(lamp(kind, use_soft_falloff=True))[1], [])
            self.assertEqual(scene_of(lamp(kind, shadow_soft_size=0.2, use_soft_falloff=False))[1], [])

    def test_points_of_a_ball_look_like_a_disk_from_each_side(self):
        points = lamps.ball_offsets(512)
        for axis in range(3):
            mean = sum(sum(point[i] ** 2 for i in range(3) if i != axis) for point in points) / 512
            self.assertAlmostEqual(mean, 0.5, delta=0.02)  # of r^2 over a disk
            self.assertAlmostEqual(sum(point[axis] for point in points), 0.0)

    def test_a_spot_fades_between_two_angles(self):
        scene, _ = scene_of(lamp("SPOT", spot_size=math.radians(60), spot_blend=1.0))
        self.assertAlmostEqual(scene["lights"][0]["cone_angle"], 30.0)
        self.assertAlmostEqual(scene["lights"][0]["falloff_start"], 0.0)
        self.assertEqual(scene["lights"][0]["direction"], [0, -1, 0])

    def test_an_area_lamp_emits_its_power_from_its_scaled_area_downwards(self):
        matrix = [[2, 0, 0, 0], [0, 3, 0, 0], [0, 0, 1, 5], [0, 0, 0, 1]]
        scene, _ = scene_of(lamp("AREA", energy=12 * math.pi), matrix)
        self.assertAlmostEqual(scene["materials"]["lamp l"]["emission"][0], 2.0)
        u, v = scene["shapes"][0]["edge_u"], scene["shapes"][0]["edge_v"]
        normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        self.assertEqual(normal, [0, -6, 0])

    def test_a_round_area_lamp_faces_downwards(self):
        scene, _ = scene_of(lamp("AREA", shape="DISK"))
        a, b, c = scene["shapes"][0]["vertices"][:3]
        turn = (b[2] - a[2]) * (c[0] - b[0]) - (b[0] - a[0]) * (c[2] - b[2])
        self.assertLess(turn, 0.0)

    def test_nodes_and_temperature_multiply_the_power(self):
        emission = Node("EMISSION", Color=(1, 0.5, 0.25, 1), Strength=2.0)
        tree = types.SimpleNamespace(nodes=[Node("OUTPUT_LIGHT", Surface=emission)])
        data = lamp("SUN", energy=3.0, exposure=1.0, use_nodes=True, node_tree=tree,
                    use_temperature=True, temperature_color=(1, 1, 0.5))
        scene, _ = scene_of(data)
        self.assertEqual(scene["lights"][0]["irradiance"], [12.0, 6.0, 1.5])


class Worlds(unittest.TestCase):
    def world(self, color, strength=1.0):
        background = Node("BACKGROUND", Color=color, Strength=strength)
        tree = types.SimpleNamespace(nodes=[Node("OUTPUT_WORLD", Surface=background, Volume=0.0)])
        return types.SimpleNamespace(name="w", use_nodes=True, node_tree=tree)

    def test_a_colour_is_multiplied_by_its_strength(self):
        known = world.read_world(self.world((0.1, 0.2, 0.3, 1), 10.0), Notes())
        self.assertEqual(world.sky_json(known, None), {"radiance": [1.0, 2.0, 3.0]})

    def test_black_worlds_are_no_sky(self):
        for nothing in (None, self.world((0, 0, 0, 1))):
            self.assertIsNone(world.sky_json(world.read_world(nothing, Notes()), None))

    def test_the_middle_of_an_image_is_where_blender_has_it(self):
        texture = Node("TEX_ENVIRONMENT", Vector=0.0)
        texture.image, texture.projection = "image", "EQUIRECTANGULAR"
        sky = world.sky_json(world.read_world(self.world(texture), Notes()), "sky.exr")
        matrix = sky["transform"][0]["matrix"]
        middle = [row[2] for row in matrix[:3]]  # the middle is Winnow's +z and Blender's +x
        for value, right in zip(middle, (1.0, 0.0, 0.0)):
            self.assertAlmostEqual(value, right)

    def test_mapping_nodes_turn_the_image_against_their_angles(self):
        mapping = Node("MAPPING", Vector=0.0, Location=(0, 0, 0), Rotation=(0, 0, 0.5 * math.pi),
                       Scale=(1, 1, 1))
        mapping.vector_type = "POINT"
        texture = Node("TEX_ENVIRONMENT", Vector=mapping)
        texture.image, texture.projection = "image", "EQUIRECTANGULAR"
        sky = world.sky_json(world.read_world(self.world(texture), Notes()), "sky.exr")
        middle = [row[2] for row in sky["transform"][0]["matrix"][:3]]
        for value, right in zip(middle, (0.0, 0.0, 1.0)):  # Blender's -y
            self.assertAlmostEqual(value, right)

    def test_other_nodes_are_noted(self):
        notes = Notes()
        world.read_world(self.world(Node("TEX_NOISE")), notes)
        self.assertIn("colour of the world", notes.lines()[0])

    def test_euler_angles_turn_about_x_first(self):
        turn = product(euler((0.5 * math.pi, 0, 0.5 * math.pi)), [[0.0], [1.0], [0.0]])
        for value, right in zip((row[0] for row in turn), (0.0, 0.0, 1.0)):
            self.assertAlmostEqual(value, right)


class Materials(unittest.TestCase):
    def principled(self, **inputs):
        known = {"Base_Color": (0.8, 0.8, 0.8, 1), "Roughness": 0.5, "IOR": 1.5,
                 "Specular_IOR_Level": 0.5, "Transmission_Weight": 0.0}
        return translated(Node("BSDF_PRINCIPLED", **known | inputs), type="principled",
                          reflectance=[0.8] * 3, thin=True)

    def test_opaque_surfaces_keep_their_index(self):
        self.assertEqual(self.principled(IOR=1.8)[0]["ior"], 1.8)

    def test_the_level_of_specular_changes_the_index(self):
        self.assertAlmostEqual(self.principled(Specular_IOR_Level=1.0)[0]["ior"], 1.7888, places=3)
        self.assertEqual(self.principled(Specular_IOR_Level=0.0)[0]["specular"], 0)

    def test_glass_refracts_with_the_root_of_its_colour(self):
        json_, _ = self.principled(Transmission_Weight=1.0, Base_Color=(0.25, 0.81, 1, 1))
        self.assertFalse(json_["thin"])
        self.assertEqual(json_["reflectance"], [0.5, 0.9, 1.0])

    def test_sheen_has_a_weight(self):
        json_, _ = self.principled(Sheen_Weight=0.5, Sheen_Tint=(1, 0.5, 0.2, 1),
                                   Sheen_Roughness=0.4)
        self.assertEqual((json_["sheen"], json_["sheen_roughness"]), ([0.5, 0.25, 0.1], 0.4))

    def test_what_is_lacking_is_noted_with_its_material(self):
        _, lines = self.principled(Subsurface_Weight=0.3, Base_Color=Node("TEX_NOISE"))
        self.assertEqual(lines, ["no nodes but image textures for Base Color of Principled BSDF: m",
                                 "no Subsurface Weight of Principled BSDF: m"])

    def lost(self, source, socket="Base_Color", kind="BSDF_PRINCIPLED"):
        notes = Notes()
        textures = {"reflectance": "i", "alpha": "i", "roughness_metallic": "i"}
        materials.material_json(material(Node(kind, **{socket: source})), {"textures": textures},
                                {}, notes)
        return [line.removesuffix(": m") for line in notes.lines()]

    def image(self, vector=0.0, **values):
        node = Node("TEX_IMAGE", Vector=vector)
        for name, value in values.items():
            setattr(node, name, value)
        return node

    def mapping(self, kind, turn, scale):
        node = Node("MAPPING", Vector=0.0, Rotation=turn, Scale=scale)
        node.vector_type = kind
        return self.image(node)

    def mixed(self, kind, factor, *colors):
        node = Node("MIX", Factor=factor, A=colors[0], B=colors[1])
        node.blend_type, node.data_type = kind, "RGBA"
        node.inputs[1].identifier, node.inputs[2].identifier = "A_Color", "B_Color"
        return node

    def math(self, operation, *values):
        node = Node("MATH", a=values[0], b=values[-1])
        node.operation = operation
        return node

    def constant(self, kind, value):
        node = Node(kind)
        node.outputs[0].default_value = value
        return node

    def test_images_of_levels_are_doubled_unless_they_have_a_factor(self):
        for source, tint in ((self.image(), 2.0), (self.math("MULTIPLY", self.image(), 0.8), 1.6)):
            exported = {"textures": {"specular_tint": "i"}}
            if tint != 2.0:
                exported["specular_tint"] = [tint] * 3  # as the exporter writes it
            surface = Node("BSDF_PRINCIPLED", Specular_IOR_Level=source)
            json_ = materials.material_json(material(surface), exported, {}, Notes())
            self.assertEqual(json_["specular_tint"], [tint] * 3)
        surface = Node("BSDF_PRINCIPLED", Specular_IOR_Level=self.image())
        json_ = materials.material_json(material(surface), {"textures": {}}, {}, Notes())
        self.assertNotIn("specular_tint", json_)

    def test_images_of_numbers_are_found_behind_constant_factors(self):
        for factor, is_found in ((0.5, True), (self.constant("VALUE", 2.0), True),
                                 (self.image(), False), (Node("VERTEX_COLOR"), False)):
            feed = Input(Node("X", Roughness=self.math("MULTIPLY", self.image(), factor)).inputs[0])
            self.assertEqual(image_of(feed).kind, "TEX_IMAGE" if is_found else "MATH")

    def test_colours_of_vertices_that_feed_numbers_are_noted(self):
        for kind in ("VERTEX_COLOR", "ATTRIBUTE"):
            for name in ("Roughness", "Metallic", "Emission_Color"):
                place = name.replace("_", " ")
                self.assertEqual(
                    self.lost(Node(kind), name),
                    [f"no nodes but image textures for {place} of Principled BSDF"])
            for name in ("Base_Color", "Alpha"):
                self.assertEqual(self.lost(Node(kind), name), [])

    def test_images_that_gltf_holds_are_not_noted(self):
        white = (1, 1, 1, 1)
        for source in (self.image(), self.image(Node("UVMAP")), self.image(extension="EXTEND"),
                       self.image(Node("TEX_COORD", outputs=("UV",))),
                       self.mapping("POINT", (0, 0, 0.5), (2, 1, 1)),
                       self.mapping("TEXTURE", (0, 0, 0.5), (2, 2, 1)),
                       self.mapping("TEXTURE", (0, 0, 0), (2, 1, 1)),
                       self.mixed("MULTIPLY", 1.0, self.image(), white),
                       self.mixed("MULTIPLY", 1.0, white, self.image()),
                       self.mixed("MULTIPLY", self.constant("VALUE", 1.0), self.image(), white),
                       self.mixed("MULTIPLY", 1.0, self.constant("RGB", white), self.image()),
                       self.mixed("MULTIPLY", 1.0, self.image(), Node("VERTEX_COLOR")),
                       self.mixed("MULTIPLY", 1.0, white, self.mixed(
                           "MULTIPLY", 1.0, Node("ATTRIBUTE"), self.image()))):
            self.assertEqual(self.lost(source), [])
        self.assertEqual(self.lost(self.math("MULTIPLY", self.image(), 0.5), "Roughness"), [])

    def test_cutoffs_of_alpha_are_not_noted(self):
        below = self.math("LESS_THAN", self.image(), 0.3)
        above = self.math("GREATER_THAN", 0.3, self.image())
        scaled = self.math("MULTIPLY", Node("VERTEX_COLOR"), self.image())
        for source in (self.math("GREATER_THAN", self.image(), 0.3),
                       self.math("LESS_THAN", 0.3, self.image()),
                       self.math("ROUND", self.image()), self.math("SUBTRACT", 1.0, below),
                       self.math("SUBTRACT", 1.0, above), scaled,
                       self.math("GREATER_THAN", scaled, self.constant("VALUE", 0.3))):
            self.assertEqual(self.lost(source, "Alpha"), [])

    def test_nodes_that_compute_with_images_are_noted(self):
        white = (1, 1, 1, 1)
        cut = self.math("GREATER_THAN", self.image(), 0.3)
        tinted = self.mixed("MULTIPLY", 1.0, self.image(), white)
        for source, *place in (
                (self.mixed("MULTIPLY", self.image(), white, white),),
                (self.mixed("MULTIPLY", 1.0, tinted, white),),
                (self.math("MULTIPLY", self.image(), 0.5),),
                (tinted, "Roughness"), (tinted, "Color", "BSDF_DIFFUSE"),
                (self.mixed("MULTIPLY", 1.0, self.image(), Node("VERTEX_COLOR")), "Emission_Color"),
                (cut, "Roughness"), (self.math("LESS_THAN", self.image(), 0.3), "Alpha"),
                (self.math("GREATER_THAN", 0.3, self.image()), "Alpha"),
                (self.math("GREATER_THAN", self.image(), self.image()), "Alpha"),
                (self.math("SUBTRACT", 1.0, cut), "Alpha"),
                (self.math("MULTIPLY", cut, 0.5), "Alpha")):
            self.assertIn("no nodes that compute with image textures", self.lost(source, *place))

    def test_images_that_the_exporter_writes_otherwise_are_noted(self):
        compute = "no nodes that compute with image textures"
        place, white = "no coordinates of images but UV maps", (1, 1, 1, 1)
        turn = "no Mapping that shears images or turns them about x or y"
        for source, right in (
                (self.mixed("ADD", 1.0, self.image(), white), compute),
                (self.mixed("MULTIPLY", 0.5, self.image(), white), compute),
                (self.mixed("MULTIPLY", 1.0, self.image(), self.image()), compute),
                (self.image(Node("TEX_COORD", outputs=("Object",))), place),
                (self.image(Node("NEW_GEOMETRY")), place),
                (self.mapping("POINT", (0.1, 0, 0), (1, 1, 1)), turn),
                (self.mapping("TEXTURE", (0, 0, 0.5), (2, 1, 1)), turn),
                (self.image(extension="CLIP"), "no clipped image textures"),
                (self.image(projection="BOX"), "no projected image textures"),
                (self.image(interpolation="Cubic"), "no cubic interpolation of image textures"),
                (self.image(image=types.SimpleNamespace(source="TILED")),
                 "no tiled or moving images")):
            self.assertEqual(self.lost(source), [right])

    def test_diffuse_keeps_the_textures_that_it_has(self):
        json_, _ = translated(Node("BSDF_DIFFUSE", Color=(0.5, 0.4, 0.3, 1), Roughness=0.0),
                              type="principled", alpha=0.5)
        self.assertEqual(json_, {"type": "diffuse", "reflectance": [0.5, 0.4, 0.3], "alpha": 0.5})

    def test_glass_closures_are_dielectrics(self):
        json_, _ = translated(Node("BSDF_GLASS", Color=(1, 0.5, 0.5, 1), Roughness=0.0, IOR=1.3))
        self.assertEqual(json_, {"type": "dielectric", "reflectance": [1, 0.5, 0.5],
                                 "specular": [1, 0.5, 0.5], "ior": 1.3})

    def test_transparent_shares_become_alpha(self):
        mix = Node("MIX_SHADER", Fac=0.25, A=Node("BSDF_TRANSPARENT", Color=(1, 1, 1, 1)),
                   B=Node("BSDF_DIFFUSE", Color=(0.5, 0.5, 0.5, 1), Roughness=0.0))
        json_, lines = translated(mix)
        self.assertEqual((json_["alpha"], json_["reflectance"], lines), (0.25, [0.5] * 3, []))

    def test_mixed_emission_darkens_what_it_replaces(self):
        mix = Node("MIX_SHADER", Fac=0.25, A=Node("EMISSION", Color=(1, 1, 1, 1), Strength=4.0),
                   B=Node("BSDF_DIFFUSE", Color=(0.8, 0.8, 0.8, 1), Roughness=0.0))
        json_, _ = translated(mix)
        self.assertEqual(json_["emission"], [3.0] * 3)
        self.assertAlmostEqual(json_["reflectance"][0], 0.2)

    def test_absorption_is_what_the_colour_lacks(self):
        volume = Node("VOLUME_ABSORPTION", Color=(0.9, 0.5, 0.0, 1), Density=2.0)
        glass = Node("BSDF_GLASS", Color=(1, 1, 1, 1), Roughness=0.0, IOR=1.5)
        media = {}
        json_ = materials.material_json(material(glass, volume), {}, media, Notes())
        self.assertEqual(json_["interior"], "medium of m")
        for value, right in zip(media["medium of m"]["absorption"], (0.2, 1.0, 2.0)):
            self.assertAlmostEqual(value, right)
        accepted(materials={"m": json_}, media=media)

    def test_volumes_without_a_surface_are_no_surface(self):
        json_, _ = translated(0.0, Node("VOLUME_SCATTER", Color=(0.5, 0.5, 0.5, 1), Density=1.0,
                                        Anisotropy=0.3))
        self.assertEqual(json_["type"], "null")

    def test_names_of_a_note_are_limited(self):
        notes = Notes()
        for name in "abcde":
            notes.add("no bump maps", name)
        self.assertEqual(notes.lines(), ["no bump maps: a, b, c and 2 more"])


class Programs(unittest.TestCase):
    def test_a_missing_program_is_one_line(self):
        with self.assertRaisesRegex(program.WinnowError, "is not a program"):
            program.find_program("/nowhere/winnow")

    def test_the_program_of_a_wheel_is_found_though_its_package_cannot_be_imported(self):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder) / "winnow"
            (package / "bin").mkdir(parents=True)
            (package / "__init__.py").write_text("import a_package_that_is_missing\n")
            shutil.copy(ROOT / "src/python/winnow/program.py", package)
            winnow = package / "bin/winnow"
            winnow.write_text("#!/bin/sh\necho \"warning: $1\"\n")  # without the right to start
            with unittest.mock.patch.object(sys, "path", [folder, *sys.path]), \
                    unittest.mock.patch.dict(os.environ, WINNOW="", PATH="/nowhere"):
                found = program.find_program()
            self.assertEqual(found, str(winnow))
            self.assertEqual(program.run(found, "it starts"), ["it starts"])

    def test_the_last_line_of_a_failed_command_is_its_error(self):
        with self.assertRaisesRegex(program.WinnowError, "^it broke$"):
            program.run("sh", "-c", "echo ' 10 %'; echo 'winnow: it broke'; exit 3")

    def test_a_running_command_is_stopped(self):
        run = program.Run("sleep", ["60"])
        run.stop()
        self.assertFalse(run.is_running())

    def test_the_manifest_has_the_version_of_the_project(self):
        manifest = (ROOT / "src/blender/blender_manifest.toml").read_text()
        project = re.search(r"set\(version ([\d.]+)\)", (ROOT / "CMakeLists.txt").read_text())
        self.assertIn(f'version = "{project[1]}"', manifest)

    def test_the_same_sources_give_the_same_zip(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / name for name in ("a.zip", "b.zip")]
            for file in files:
                subprocess.run([sys.executable, ROOT / "scripts/blender-extension", "-o", file],
                               check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(files[0].read_bytes(), files[1].read_bytes())


class Display(unittest.TestCase):
    def test_other_messages_are_ignored(self):
        self.assertIsNone(display.parse_update(struct.pack("<B?", 4, True) + b"name\0"))

    @unittest.skipUnless(WINNOW, "WINNOW names no program")
    def test_receives_the_picture_that_winnow_sends(self):
        scene = {"film": {"width": 5, "height": 3}, "sky": {"radiance": [1, 2, 3]},
                 "camera": {"position": [0, 0, 0], "look_at": [0, 0, 1]},
                 "lights": [{"type": "sphere", "center": [0, 9, 0], "radius": 1, "power": 1}]}
        receiver = display.Receiver()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scene.json"
            path.write_text(json.dumps(scene))
            program.run(WINNOW, "render", path, "--spp", 4, "--device", "cpu",
                        "--display", receiver.address, "-o", pathlib.Path(folder) / "a.pfm")
        deadline = threading.Event()
        rows = receiver.take()
        for _ in range(100):
            if rows:
                break
            deadline.wait(0.02)
            rows = receiver.take()
        receiver.close()
        self.assertEqual((rows[-1].width, rows[-1].first + rows[-1].count), (5, 3))
        self.assertEqual(struct.unpack("<3f", rows[-1].pixels[:12]), (1.0, 2.0, 3.0))


if __name__ == "__main__":
    unittest.main()
