# SPDX-License-Identifier: MIT
"""Views of many models, as arrays."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from conftest import environment

import winnow


@pytest.fixture
def models(floor_scene, tmp_path):
    """Two scenes, and a file that is none."""
    for name in ("a", "b"):
        floor_scene.save(tmp_path / f"{name}.json")
    (tmp_path / "broken.glb").write_text("this is no model")
    return [tmp_path / "b.json", tmp_path / "broken.glb", tmp_path / "a.json"]


ALL = ["rgba", "depth", "normal", "albedo", "ids"]


def views_of(models, **more):
    return winnow.dataset(models, views=3, size=(12, 8), spp=2, backend="cpu", **more)


def test_views_are_arrays_in_the_order_of_models(models):
    data = views_of(models, outputs=ALL)
    views = list(data)
    assert [(view["name"], view["view"]) for view in views] == [
        (name, view) for name in ("a", "b") for view in range(3)]
    for view in views:
        assert view["rgba"].shape == (8, 12, 4) and view["rgba"].dtype == np.float32
        assert view["albedo"].shape == (8, 12, 4)
        assert view["depth"].shape == (8, 12) and view["depth"].dtype == np.float32
        assert view["normal"].shape == (8, 12, 3)
        assert view["object_ids"].dtype == view["material_ids"].dtype == np.uint32
        nothing = view["object_ids"] == 0
        assert (view["depth"][nothing] == 0).all() and (view["depth"][~nothing] > 0).all()
        assert view["camera_to_world"].shape == (4, 4) and view["intrinsics"].shape == (3, 3)
    assert [(failure["name"], "broken.glb" in failure["error"]) for failure in data.failed] == [
        ("broken", True)]


def test_depths_and_cameras_give_points_of_the_model(models):
    for view in views_of(models[:1], outputs=["depth"], elevation=(20, 70)):
        y, x = np.nonzero(view["depth"])
        assert len(x) > 10
        pixels = np.stack([x + 0.5, y + 0.5, np.ones(len(x))])
        rays = np.linalg.inv(view["intrinsics"]) @ pixels  # x right, y down, z ahead
        in_camera = rays * view["depth"][y, x] * np.array([[1], [-1], [-1]])
        to_world = view["camera_to_world"]
        points = to_world[:3, :3] @ in_camera + to_world[:3, 3:]
        np.testing.assert_allclose(points[1], 0, atol=1e-4)  # the floor is flat


def test_each_iteration_gives_the_same_views(models):
    data = views_of(models, sky=["soft", "sun"])
    first, second = list(data), list(data)
    assert len(first) == len(second) == 6
    for one, other in zip(first, second):
        np.testing.assert_array_equal(one["rgba"], other["rgba"])


def test_an_iteration_that_is_left_ends(models):
    for _ in views_of(models, prefetch=1):
        break
    iterator = iter(views_of(models))
    next(iterator)
    del iterator
    gc.collect()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_an_iteration_that_goes_on_in_a_forked_process_is_an_error(models):
    iterator = iter(views_of(models, prefetch=1))
    next(iterator)
    time.sleep(0.5)  # most likely, a view waits for its use, and a thread for the queue
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # the default action of the signal ends the process
        code = 4
        try:
            next(iterator)
        except winnow.Error:
            code = 3
        del iterator
        gc.collect()
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    assert len(list(iterator)) == 5


LOADER = pathlib.Path(__file__).parents[2] / "src/python/examples/dataset_loader.py"


@pytest.mark.parametrize("workers", [0, 2])
def test_a_loader_of_pytorch_gets_all_views_with_and_without_workers(models, workers):
    pytest.importorskip("torch")
    done = subprocess.run([sys.executable, LOADER, "--workers", str(workers), *models], check=False,
                          capture_output=True, text=True, timeout=300, env=environment())
    assert done.returncode == 0, done.stderr
    lines = sorted(done.stdout.splitlines())
    assert [line[:17] for line in lines[:-1]] == ["(4, 4, 128, 128) "] * 4, done.stdout
    assert lines[-1].startswith("failed: ") and "broken.glb" in lines[-1]


def test_names_that_are_not_utf_8_are_those_of_the_file_system(floor_scene, tmp_path):
    floor_scene.save(tmp_path / "a.json")
    file = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.json")
    os.rename(tmp_path / "a.json", file)
    broken = os.fsdecode(os.fsencode(tmp_path) + b"/\xfe.glb")
    data = views_of([file, broken])
    assert [(view["model"], view["name"]) for view in data] == [(file, "\udcff")] * 3
    assert data.failed[0]["model"] == broken


def test_wrong_arguments_are_value_errors(models):
    for wrong in ({"views": 0}, {"outputs": ["rgb"]}, {"elevation": (60, 0)}, {"sky": "dark"},
                  {"orbit": "x"}, {"prefetch": 0}, {"prefetch": 2**70}):
        with pytest.raises(ValueError):
            list(winnow.dataset(models, backend="cpu", **wrong))
    for wrong in (0, 1.5, "4", None):
        with pytest.raises(ValueError, match="^prefetch: "):
            winnow.dataset(models, prefetch=wrong)
    for wrong in (None, 3, [3], [], ["a\0.glb"]):
        with pytest.raises(ValueError, match="^models: "):
            winnow.dataset(wrong)
    with pytest.raises(ValueError, match="^sky: "):
        winnow.dataset(models, sky=3)
    with pytest.raises(TypeError):
        winnow.dataset(models, vieews=3)


def test_a_warning_says_that_no_model_can_be_rendered(models, tmp_path):
    with pytest.warns(winnow.SceneWarning, match="no model can be rendered: .*none.glb"):
        assert list(views_of(tmp_path / "none.glb")) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(list(views_of(models, sky=None))) == 6
