# SPDX-License-Identifier: MIT
"""Scenes from files and from arrays."""

import base64
import json
import os

import numpy as np
import pytest
from conftest import quad

import winnow

WHITE = {"white": {"type": "diffuse"}}
VERTICES, INDICES = quad()


def scene_of(*meshes, **members):
    members.setdefault("materials", WHITE)
    members.setdefault("sky", {"radiance": 1.0})
    return winnow.Scene(meshes=meshes, **members)


def error_of(*meshes, **members):
    with pytest.raises(ValueError) as error:
        scene_of(*meshes, **members)
    text = str(error.value)
    assert "\n" not in text
    return text


def test_arrays_become_triangles():
    scene = scene_of(winnow.Mesh(VERTICES, INDICES, "white"), film={"width": 30, "height": 20},
                     render={"spp": 7, "max_bounces": 3}, name="two triangles")
    assert scene.counts["triangles"] == 2
    assert (scene.size, scene.spp, scene.max_bounces) == ((30, 20), 7, 3)
    assert scene.name == "two triangles"
    assert "2 triangles" in repr(scene)


def test_files_may_have_names_of_any_bytes(tmp_path):
    folder = os.fsencode(tmp_path)
    with open(folder + b"/\xe9.obj", "wb") as file:
        file.write(b"mtllib m\xdf.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.warns(winnow.SceneWarning, match="m\udcdf.mtl"):
        scene = winnow.load(os.fsdecode(folder + b"/\xe9.obj"))
    assert scene.name == "\udce9"
    assert winnow.render(scene, spp=1, size=(4, 4)).image.shape == (4, 4, 3)
    with pytest.raises(winnow.Error, match="\udce8.obj: there is no such file"):
        winnow.load(os.fsdecode(folder + b"/\xe8.obj"))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
@pytest.mark.parametrize("index_dtype", [np.int64, np.uint32, np.uint8])
def test_arrays_of_any_type_and_order_are_taken(dtype, index_dtype):
    vertices = np.asfortranarray(VERTICES.astype(dtype))
    assert scene_of(winnow.Mesh(vertices, INDICES.astype(index_dtype)[::-1],
                                "white")).counts["triangles"] == 2


def test_a_scene_of_arrays_renders_as_the_same_scene_in_a_file(tmp_path):
    mesh = winnow.Mesh(VERTICES, INDICES, "white", normals=np.tile([0.0, 2.0, 1.0], (4, 1)),
                       uvs=[[0, 0], [0, 1], [1, 1], [1, 0]], colors=np.full((4, 3), 0.5))
    members = {"materials": {"white": {"type": "diffuse", "vertex_colors": True}},
               "shapes": [{"type": "sphere", "material": "white", "center": [0, 1, 0],
                           "radius": 0.5}],
               "camera": {"position": [0, 3, 4], "look_at": [0, 0, 0]},
               "lights": [{"type": "point", "position": np.array([0, 4, 0]),
                           "intensity": np.float32(30)}]}
    scene = scene_of(mesh, **members)
    scene.save(tmp_path / "scene.json")
    saved = winnow.load(tmp_path / "scene.json")
    assert saved.counts["triangles"] == 2
    hashes = [winnow.render(each, size=(20, 20), spp=2).stats["film_hash"]
              for each in (scene, saved)]
    assert hashes[0] == hashes[1]


def test_instances_place_a_mesh_of_arrays():
    scene = scene_of(
        winnow.Mesh(VERTICES, INDICES, "white", name="tile"),
        shapes=[{"type": "instances", "mesh": "tile",
                 "transforms": [[{"translate": [3 * i, 0, 0]}] for i in range(5)]}])
    assert scene.counts["instances"] == 5
    assert scene.counts["instanced_triangles"] == 10


def test_scene_files_are_loaded_and_their_warnings_are_pythons(tmp_path):
    file = tmp_path / "dark.json"
    file.write_text('{"materials": {"m": {"type": "diffuse"}},'
                    ' "shapes": [{"type": "sphere", "material": "m", "radius": 1}]}')
    with pytest.warns(winnow.SceneWarning, match="no light"):
        scene = winnow.load(file)
    assert scene.counts["spheres"] == 1


def test_a_gltf_offers_cameras_and_variants(tmp_path):
    file = tmp_path / "s.gltf"
    corners = base64.b64encode(np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]]).tobytes()).decode()
    file.write_text(json.dumps({
        "asset": {"version": "2.0"},
        "extensions": {"KHR_materials_variants": {"variants": [{"name": "day"}]}},
        "buffers": [{"byteLength": 36, "uri": "data:;base64," + corners}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 1, "aspectRatio": ratio}}
                    for ratio in (1, 2)],
        "nodes": [{"mesh": 0}, {"camera": 0, "name": "square"}, {"camera": 1, "name": "wide"}]}))
    scene = winnow.load(file)
    assert (scene.cameras, scene.variants) == (["square", "wide"], ["day"])
    assert scene.size == (720, 720)
    assert winnow.load(file, camera_name="wide", variant="day").size == (1440, 720)
    with pytest.raises(ValueError, match='has the cameras "square", "wide"'):
        winnow.load(file, camera_name="tall")


def test_arrays_that_do_not_fit_are_refused_in_one_line():
    mesh = winnow.Mesh
    assert error_of(mesh(VERTICES[:, :2], INDICES, "white")) == \
        "mesh 0: vertices: expected the shape (n, 3), found (4, 2)"
    assert error_of(mesh(VERTICES, INDICES + 1, "white")) == \
        "scene: mesh 0: indices: triangle 1 has vertex 4; expected one below 4"
    assert error_of(mesh(VERTICES, -INDICES, "white")) == \
        "mesh 0: indices: expected indices from 0 to 2^32 - 1"
    assert error_of(mesh(VERTICES, INDICES * 1.0, "white")) == \
        "mesh 0: indices: expected integers, found float64"
    assert error_of(mesh(VERTICES, INDICES, "white", uvs=[[0, 0]])) == \
        "scene: mesh 0: uvs: expected as many as vertices, 4, found 1"
    assert error_of(mesh(VERTICES, INDICES, "white", normals=np.full((4, 3), np.nan))) == \
        "scene: mesh 0: normals: expected numbers from -1e9 to 1e9, item 0 has nan"
    assert error_of(mesh(VERTICES * 0, INDICES, "white")) == \
        "scene: mesh 0: no triangle of it has an area; expected a visible one"
    assert error_of(mesh(VERTICES[:0], INDICES[:0], "white", name="none")) == \
        'scene: mesh "none": expected at least one vertex and one triangle'
    assert error_of(mesh(VERTICES, INDICES, "whit")) == \
        'scene: mesh 0: unknown material "whit"; did you mean "white"?'
    assert error_of(mesh([["a", "b", "c"]], INDICES, "white")) == \
        "mesh 0: vertices: expected numbers, found <U1"
    assert error_of(mesh([[0, 0, 0], [1]], INDICES, "white")).startswith("mesh 0: vertices: ")


def test_colors_are_refused_unless_they_are_from_0_to_1():
    def colored(colors):
        return winnow.Mesh(VERTICES, INDICES, "white", colors=colors)
    expected = "mesh 0: colors: expected numbers from 0 to 1, found 0 to 255"
    assert error_of(colored(np.array([[255, 0, 0, 255]] * 4, np.uint8))) == expected
    assert error_of(colored(np.array([[255.0, 0, 0]] * 4))) == expected
    assert error_of(colored(np.array([[-1, 0, 0]] * 4))).endswith("found -1 to 0")
    scene_of(colored(np.array([[1, 0, 0]] * 4)))
    scene_of(colored(np.nextafter(np.ones((4, 3), np.float32), 2, dtype=np.float32)))


def test_members_that_are_wrong_are_refused_in_one_line():
    assert error_of(shapes=[{"type": "sphere", "material": "white", "radius": -1}]).startswith(
        "scene: /shapes/0/radius: expected a number")
    assert error_of(materials={"white": {"type": "difuse"}}).startswith("scene: /materials/white")
    assert "no geometry" in error_of()
    assert "no number" in error_of(sky={"radiance": object()})
    assert error_of(sky={"radiance": float("nan")})
    for wrong in (None, 3, winnow.Mesh(VERTICES, INDICES, "white")):
        with pytest.raises(ValueError, match="^meshes: expected a sequence"):
            winnow.Scene(meshes=wrong)


def test_a_file_that_fails_is_an_error_of_winnow(tmp_path):
    with pytest.raises(winnow.Error, match="none.json"):
        winnow.load(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(winnow.Error, match="bad.json:1"):
        winnow.load(tmp_path / "bad.json")
    assert not issubclass(winnow.Error, ValueError)


def test_a_scene_does_not_change_with_its_arrays():
    vertices = VERTICES.copy()
    scene = scene_of(winnow.Mesh(vertices, INDICES, "white"))
    before = winnow.render(scene, size=(8, 8), spp=1).stats["film_hash"]
    vertices[:] = 0
    assert winnow.render(scene, size=(8, 8), spp=1).stats["film_hash"] == before


def test_motion_is_blurred_and_shown_at_a_moment(tmp_path):
    """A glowing square that moves by its width, as the program blurs it."""
    move = [{"motion": [[], [{"translate": [1, 0, 0]}]]}]
    members = {
        "film": {"width": 16, "height": 4}, "render": {"spp": 64, "max_bounces": 0},
        "camera": {"type": "orthographic", "position": [0, 0, 5], "look_at": [0, 0, 0], "view_height": 0.5},
        "materials": {"glow": {"type": "diffuse", "reflectance": 0, "emission": 2}},
        "shapes": [{"type": "rectangle", "material": "glow", "corner": [-1, -1, 0], "edge_u": [1, 0, 0],
                    "edge_v": [0, 2, 0], "transform": move}]}
    file = tmp_path / "s.json"
    file.write_text(json.dumps(members))
    blurred = winnow.render(file).image
    columns = blurred[:, :, 0].mean(axis=0)
    right = [2 * (1 - abs((x + 0.5) / 8 - 1)) for x in range(16)]
    assert np.abs(columns - right).max() < 0.1
    built = winnow.Scene(**members)
    assert np.array_equal(winnow.render(built).image, blurred)
    still = winnow.render(winnow.load(file, time=0.0)).image
    assert still[0, 2, 0] == 2.0 and still[0, 13, 0] == 0.0
