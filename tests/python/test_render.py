# SPDX-License-Identifier: MIT
"""Renders: pictures, statistics, and how they end."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import winnow
from conftest import floor_below


def assert_white(image):
    """Radiance 1, but for the noise of a few samples."""
    np.testing.assert_allclose(image.mean(), 1.0, rtol=0.02)
    np.testing.assert_allclose(image, 1.0, atol=0.5)


def test_a_white_floor_has_the_colour_of_the_sky(floor_scene):
    render = winnow.render(floor_scene, device="cpu")
    assert render.image.shape == (16, 24, 3)
    assert render.image.dtype == np.float32
    assert_white(render.image)
    assert not render.interrupted


def test_keywords_change_the_render_and_the_statistics_say_so(floor_scene):
    stats = winnow.render(floor_scene, spp=3, size=(10, 12), seed=5, max_bounces=2, cull="append",
                          sampler="hash", filter="gaussian:1.5", roulette=False, threads=1,
                          device="cpu").stats
    assert stats["size"] == [10, 12]
    assert (stats["spp"], stats["seed"], stats["cull"]) == (3, 5, "append")
    assert (stats["sampler"], stats["roulette"], stats["threads"]) == ("hash", False, 1)
    assert stats["filter"] == {"type": "gaussian", "radius_pixels": 1.5}
    assert stats["rays"]["camera"] == 3 * 10 * 12
    assert stats["device"].startswith("CPU")


def test_every_way_of_culling_gives_the_same_film(floor_scene):
    hashes = {winnow.render(floor_scene, sky="sun", cull=cull, **more).stats["film_hash"]
              for cull in ("none", "append", "auto")
              for more in ({}, {"regenerate": True}, {"wave_size": 64})}
    assert len(hashes) == 1


def test_stages_are_measured(floor_scene):
    stats = winnow.render(floor_scene, measure_stages=True).stats
    assert sum(stats["bounces"][0]["milliseconds"].values()) > 0


def test_aovs_are_arrays_by_name(floor_scene):
    aovs = winnow.render(floor_scene, aovs=["albedo", "depth", "samples", "normal"]).aovs
    assert set(aovs) == {"albedo", "depth", "samples", "normal"}
    np.testing.assert_allclose(aovs["albedo"], 1.0, rtol=1e-4)
    np.testing.assert_allclose(aovs["depth"], 3.0, rtol=1e-5)
    np.testing.assert_allclose(aovs["normal"], np.broadcast_to([0, 1, 0], (16, 24, 3)), atol=1e-5)
    assert aovs["samples"].dtype == np.uint32 and (aovs["samples"] == 4).all()


def test_a_picture_is_exported_by_dlpack_without_a_copy(floor_scene):
    render = winnow.render(floor_scene)
    shared = np.from_dlpack(render)
    assert shared.ctypes.data == render.image.ctypes.data
    assert render.__dlpack_device__() == (1, 0)
    assert np.asarray(render).shape == (16, 24, 3)
    del render  # its memory stays
    assert_white(shared)


def test_sums_of_the_film_are_kept_where_asked(floor_scene):
    render = winnow.render(floor_scene, device="cpu", keep_sums=True)
    assert render.sums.dtype == np.float64 and render.sums.shape == (16, 24, 3)
    assert (render.samples == 4).all()
    means = (render.sums / render.samples[..., None]).astype(np.float32)
    np.testing.assert_array_equal(means, render.image)
    sums = render.sums
    del render
    assert sums.min() > 0
    with pytest.raises(winnow.Error, match="keep_sums"):
        winnow.render(floor_scene).sums


@pytest.mark.parametrize("name, start", [("a.png", b"\x89PNG\r\n\x1a\n"), ("a.exr", b"\x76\x2f\x31\x01"),
                                         ("a.hdr", b"#?RADIANCE"), ("a.pfm", b"PF\n"), ("a.jpg", b"\xff\xd8\xff")])
def test_pictures_are_saved(floor_scene, tmp_path, name, start):
    winnow.render(floor_scene, aovs=["depth"]).save(tmp_path / name, exposure="auto", tone_map="agx")
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_scene_file_is_rendered_by_its_name(floor_scene, tmp_path):
    floor_scene.save(tmp_path / "floor.json")
    by_name = winnow.render(tmp_path / "floor.json")
    assert by_name.stats["film_hash"] == winnow.render(floor_scene).stats["film_hash"]


@pytest.mark.parametrize("options, message", [
    ({"spp": 0}, "spp: "),
    ({"spp": 1.5}, "spp: "),
    ({"size": (0, 5)}, "size: "),
    ({"cull": "most"}, "cull: "),
    ({"max_bounces": -1}, "max_bounces: "),
    ({"clamp_indirect": 0}, "clamp_indirect: "),
    ({"device": "gpu"}, "device: "),
    ({"backend": "cpu", "device": "cpu"}, "backend: "),
    ({"aovs": ["colour"]}, "aovs: "),
    ({"aovs": "colour"}, "aovs: "),
    ({"aovs": 5}, "aovs: "),
    ({"aovs": ["depth=a.png"]}, "aovs: "),
    ({"camera": (1, 2, 3, 4)}, "camera: "),
    ({"camera": (0, 3, 0, 0, -1, 0, 40), "look_at": (0, 0, 0)}, "look_at: camera has"),
    ({"look_at": (0, 3, 0)}, "look_at: the camera is at"),
    ({"fov": 200}, "fov: "),
    ({"regenerate": "no"}, "regenerate: "),
    ({"denoise": 1}, "denoise: "),
    ({"denoise": True, "denoise_quality": "best"}, "denoise_quality: "),
    ({"denoise_quality": "fast"}, "denoise_quality: "),
    ({"measure_stages": "yes"}, "measure_stages: "),
    ({"keep_sums": None}, "keep_sums: "),
    ({"progress": 2}, "progress: "),
    ({"spp": 2.5}, "spp: "),
    ({"size": 16}, "size: "),
    ({"sky": 3}, "sky: "),
    ({"sky": "two\nlines"}, "sky: "),
    ({"loop": "path", "regenerate": True}, "regenerate: only loop wave"),
])
def test_wrong_arguments_are_value_errors_of_one_line(floor_scene, options, message):
    with pytest.raises(ValueError) as error:
        winnow.render(floor_scene, **options)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value) and "--" not in str(error.value)


def test_arguments_of_other_types_are_value_errors_of_one_line(floor_scene, tmp_path):
    vertices, indices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
    mesh = winnow.Mesh(vertices, indices, "white")
    materials = {"white": {"type": "diffuse"}}
    render = winnow.render(floor_scene, spp=1)
    wrong = [
        lambda: winnow.render(5), lambda: winnow.render(None), lambda: winnow.render("a\0b"),
        lambda: winnow.bench(5), lambda: winnow.load(5), lambda: winnow.load(["a.json"]),
        lambda: winnow.load("a.json", time="now"), lambda: winnow.load("a.json", time=np.nan),
        lambda: winnow.load("a.glb", time=1, shutter=3), lambda: winnow.load("a.glb", time=1, shutter=(1, 0)),
        lambda: winnow.load("a.glb", time=1, shutter=(0, np.nan)), lambda: winnow.load("a.glb", shutter=(0, 1)),
        lambda: winnow.load("a.json", confine="yes"), lambda: winnow.load("a.json", variant=3),
        lambda: winnow.load("a.json", camera_name=3),
        lambda: winnow.load("a.json", parameters=[1]),
        lambda: winnow.load("a.json", parameters={1: 2}),
        lambda: winnow.Scene(meshes=5), lambda: winnow.Scene(meshes=["mesh"]),
        lambda: winnow.Scene(meshes=[mesh], materials=5),
        lambda: winnow.Scene(meshes=[mesh], materials=materials, name=5),
        lambda: winnow.Scene(meshes=[mesh], materials=materials, folder=5),
        lambda: winnow.Scene(meshes=[winnow.Mesh(vertices, indices, 5)], materials=materials),
        lambda: winnow.Scene(meshes=[winnow.Mesh(None, indices, "white")], materials=materials),
        lambda: winnow.Scene(meshes=[winnow.Mesh(vertices, [[0, 1]], "white")],
                             materials=materials),
        lambda: winnow.Scene(meshes=[winnow.Mesh(vertices, indices, "white", name=5)],
                             materials=materials),
        lambda: floor_scene.save(5), lambda: render.save(5),
        lambda: render.save(tmp_path / "a.png", exposure="bright"),
        lambda: render.save(tmp_path / "a.png", exposure=None),
        lambda: render.save(tmp_path / "a.png", tone_map=5),
    ]
    for call in wrong:
        with pytest.raises(ValueError) as error:
            call()
        assert str(error.value) and "\n" not in str(error.value)


def test_a_string_names_aovs(floor_scene):
    assert set(winnow.render(floor_scene, spp=1, aovs="depth").aovs) == {"depth"}
    assert set(winnow.render(floor_scene, spp=1, aovs="depth, albedo").aovs) == {"depth", "albedo"}
    assert winnow.render(floor_scene, spp=1, aovs="").aovs == {}


def test_the_former_name_of_the_device_is_accepted(floor_scene):
    assert winnow.render(floor_scene, spp=1, backend="cpu").stats["device"].startswith("CPU")


def test_the_camera_looks_at_a_point(floor_scene):
    whole = winnow.render(floor_scene, camera=(0, 3, 5, 0, -3, -5, 40), size=(8, 8))
    parts = winnow.render(floor_scene, camera=(0, 3, 5), look_at=np.zeros(3), fov=40, size=(8, 8))
    np.testing.assert_allclose(whole.image.mean(), parts.image.mean(), rtol=0.1)


def test_a_camera_that_sees_nothing_is_a_warning(floor_scene):
    with pytest.warns(winnow.SceneWarning, match="the camera sees nothing"):
        winnow.render(floor_scene, look_at=(0, 9, 1))


def test_without_denoising_there_is_no_clean_image(floor_scene):
    with pytest.raises(winnow.Error, match="render with denoise"):
        winnow.render(floor_scene, spp=1).clean


def test_denoising_keeps_the_noisy_image_and_writes_both(tmp_path):
    black = [0, 0, 0]  # pixels differ by their noise only
    scene = floor_below({"zenith": [2, 2, 2], "horizon": black, "ground": black})
    try:
        render = winnow.render(scene, spp=2, denoise=True)
    except winnow.Error as error:
        assert str(error).startswith("denoise: ") and "\n" not in str(error)
        pytest.skip("Open Image Denoise is not installed")
    noisy = winnow.render(scene, spp=2)
    assert (render.image == noisy.image).all()
    assert render.clean.shape == render.image.shape and render.clean.dtype == np.float32
    assert render.clean.std() < render.image.std()
    assert "Open Image Denoise" in render.stats["denoise"]["library"]
    fast = winnow.render(scene, spp=2, denoise=True, denoise_quality="fast")
    assert (fast.image == noisy.image).all() and (fast.clean != render.clean).any()
    render.save(tmp_path / "a.exr")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.clean.exr", "a.exr"]


def test_an_unknown_keyword_is_a_type_error(floor_scene):
    with pytest.raises(TypeError, match="render.*'samples'"):
        winnow.render(floor_scene, samples=4)
    with pytest.raises(TypeError, match="bench.*'camera'"):
        winnow.bench(floor_scene, camera=(0, 0, 0, 0, 0, 1, 40))


def test_a_device_that_is_not_there_is_an_error(floor_scene):
    if winnow.devices():
        pytest.skip("there is a GPU")
    with pytest.raises(winnow.Error, match="device cpu"):
        winnow.render(floor_scene, device="cuda")
    with pytest.raises(winnow.Error, match="needs a GPU"):
        winnow.render(floor_scene, cull="cub", device="cpu")


def test_saving_where_nothing_can_be_saved_is_an_error(floor_scene, tmp_path):
    render = winnow.render(floor_scene)
    with pytest.raises(winnow.Error, match="none"):
        render.save(tmp_path / "none" / "a.png")
    with pytest.raises(ValueError):
        render.save(tmp_path / "a.bmp")
    with pytest.raises(ValueError, match="tone_map: "):
        render.save(tmp_path / "a.png", tone_map="filmic")


def interrupt_soon(seconds=0.5):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_a_render_and_leaves_the_picture_so_far(floor_scene):
    interrupt_soon()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as error:
        winnow.render(floor_scene, spp=1_000_000_000, size=(64, 64))
    assert time.monotonic() - start < 30
    assert isinstance(error.value, winnow.Interrupted)
    partial = error.value.render
    assert partial.interrupted
    assert_white(partial.image)
    assert_white(winnow.render(floor_scene).image)  # the interpreter and the module go on


def test_another_signal_handler_ends_a_render_by_what_it_raises(floor_scene):
    def handler(number, frame):
        raise TimeoutError("too late")
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError, match="too late"):
            winnow.render(floor_scene, spp=1_000_000_000)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_handlers_of_signals_stay_pythons(floor_scene):
    before = signal.getsignal(signal.SIGINT)
    winnow.render(floor_scene)
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_run_while_a_render_does(floor_scene):
    turns, stop = 0, threading.Event()

    def count():
        nonlocal turns
        while not stop.is_set():
            turns += 1
            time.sleep(0.005)
    thread = threading.Thread(target=count)
    thread.start()
    winnow.render(floor_scene, time_limit=0.5)
    stop.set()
    thread.join()
    assert turns > 10


def test_renders_run_in_several_threads(floor_scene):
    hashes = []

    def run():
        hashes.append(winnow.render(floor_scene, sky="sun").stats["film_hash"])
    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(hashes) == 3 and len(set(hashes)) == 1


def test_a_benchmark_is_a_dict(floor_scene):
    report = winnow.bench(floor_scene, repeat=2, spp=1, device="cpu", cull=["none", "append"],
                          loop=["wave"], roulette=[True], regenerate=[False])
    assert report["rounds"] == 2
    assert len(report["scenes"]) == 1 and not report["interrupted"]
    with pytest.raises(ValueError, match="repeat: "):
        winnow.bench(floor_scene, repeat=0)
    with pytest.raises(winnow.Error, match="none.json"):
        winnow.bench("none.json", repeat=1)


def test_ctrl_c_ends_a_benchmark(floor_scene):
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        winnow.bench(floor_scene, repeat=1000, spp=64, device="cpu")


def test_the_package_has_types():
    folder = os.path.dirname(winnow.__file__)
    assert os.path.exists(os.path.join(folder, "py.typed"))
    with open(os.path.join(folder, "_winnow.pyi"), encoding="utf-8") as stub:
        assert "def render(" in stub.read()
