# SPDX-License-Identifier: MIT
"""Tests of scripts/league that need neither Mitsuba nor Cycles nor LuxCore."""

import copy
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from equal_error import measures, page  # noqa: E402
from equal_error.meshes import ball, box, place  # noqa: E402
from equal_error.programs import luxcore, mitsuba, winnow  # noqa: E402
from equal_error.scene import sky_direction  # noqa: E402
from equal_error.scenes import SCENES, make_scene  # noqa: E402

WINNOW = os.environ["WINNOW"]


def runs(times_and_errors, seeds=4):
    """Returns runs of several numbers of samples that take the same time with each seed."""
    return {"counts": list(times_and_errors), "bytes": 1000, "variant": {}, "first_picture": {"seconds": 1, "cpu": 1},
            "runs": [{"seed": seed, "asked": spp, "spp": spp, "seconds": time, "cpu": time, "correlation": 0,
                      "error": error * (1 + 0.1 * (-1)**seed), "error_of_all": error}
                     for spp, (time, error) in times_and_errors.items() for seed in range(seeds)]}


class Measures(unittest.TestCase):
    def test_error_is_relative_and_leaves_out_the_worst_pixels(self):
        reference = numpy.full((20, 50, 3), 2.0)
        image = reference + 0.2
        image[3, 4] = 1000
        self.assertAlmostEqual(measures.relative_error(image, reference, reference), 0.04 / 4.01)
        self.assertGreater(measures.relative_error(image, reference, reference, 1.0), 100)

    def test_error_against_other_seeds_is_the_variance(self):
        random = numpy.random.default_rng(1)
        images, reference = random.normal(1, 0.1, (4, 100, 100, 3)), numpy.ones((100, 100, 3))
        others = (sum(images) - images[0]) / 3
        self.assertAlmostEqual(0.75 * measures.relative_error(images[0], others, reference, 1.0), 0.01 / 1.01, delta=2e-4)

    def test_correlation_of_neighbours(self):
        random = numpy.random.default_rng(1)
        noise, reference = random.normal(0, 1, (100, 101, 3)), numpy.ones((100, 101, 3))
        self.assertAlmostEqual(measures.correlation(noise, reference), 0, delta=0.03)
        smooth = noise[:, 1:] + noise[:, :-1]
        self.assertAlmostEqual(measures.correlation(smooth, reference[:, 1:]), 0.5, delta=0.03)

    def test_time_to_error_is_exact_for_power_laws_and_beyond_the_points(self):
        curve = [(t, 3 * t**-1.5) for t in (1, 4, 16)]
        self.assertAlmostEqual(measures.time_to_error(curve, 3 * 7**-1.5), 7)
        self.assertAlmostEqual(measures.time_to_error(curve, 6), 0.5)
        self.assertAlmostEqual(measures.time_to_error(curve, curve[-1][1] / 2), 32)

    def test_speed_is_the_ratio_of_times_to_the_error_of_the_other(self):
        own = runs({4: (1, 0.1), 16: (4, 0.025)})
        ratio, low, high = measures.speed(own, runs({4: (6, 0.05)}), "cpu")
        self.assertAlmostEqual(ratio, 3)
        self.assertLess(low, 3)
        self.assertGreater(high, 3)
        self.assertGreater(low, 2.4)
        self.assertLess(high, 3.7)

    def test_agreement_finds_a_region_that_differs_and_forgives_noise(self):
        random = numpy.random.default_rng(1)
        flat = numpy.ones((30, 40, 3))
        images = {name: [flat + random.normal(0, 0.01, flat.shape) for _ in range(4)] for name in "abc"}
        means = {name: sum(own) / 4 for name, own in images.items()}
        spread = {name: (own, 0.25) for name, own in images.items()}
        self.assertTrue(measures.agreement(means, spread)["agree"])
        means["c"] = means["c"].copy()
        means["c"][:10, :10] *= 1.03
        found = measures.agreement(means, spread)
        self.assertFalse(found["agree"])
        self.assertAlmostEqual(found["programs"]["c"]["worst"], 0.02, delta=0.002)
        noisy = {name: [flat + random.normal(0, 3, flat.shape) for _ in range(4)] for name in "abc"}
        self.assertTrue(measures.agreement({name: sum(own) / 4 for name, own in noisy.items()},
                                           {name: (own, 0.25) for name, own in noisy.items()})["agree"])


class Scenes(unittest.TestCase):
    def test_all_are_whole(self):
        self.assertEqual(len(SCENES), 8)
        for name in SCENES:
            scene = make_scene(name)
            self.assertEqual(scene.name, name)
            self.assertTrue({thing.material for thing in scene.things} <= set(scene.materials))
            for thing in scene.things:
                self.assertTrue(numpy.isfinite(thing.mesh.vertices).all())
                self.assertLess(thing.mesh.faces.max(), len(thing.mesh.vertices))
                self.assertGreaterEqual(thing.mesh.faces.min(), 0)
            lit = scene.sky is not None or any(own.kind == "lamp" for own in scene.materials.values())
            self.assertTrue(lit, name)
        self.assertGreaterEqual(len(make_scene("living").materials), 90)
        self.assertEqual(make_scene("hills").face_count(), 2 * 512 * 512 + 2)

    def test_meshes_face_outwards(self):
        for mesh in (box((-1, -1, -1), (1, 1, 1)), ball()):
            a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
            normals = numpy.cross(b - a, c - a)
            self.assertTrue(((a + b + c) * normals).sum(1).min() > 0)

    def test_places_scale_then_turn_then_move(self):
        numpy.testing.assert_allclose(place((1, 2, 3), 2, 90) @ [0, 0, 1, 1], [3, 2, 3, 1], atol=1e-12)

    def test_skies_begin_at_the_top_and_have_z_in_the_middle(self):
        numpy.testing.assert_allclose(sky_direction(0, 0, 1024, 2048)[1], 1, atol=1e-5)
        numpy.testing.assert_allclose(sky_direction(512, 1024, 1024, 2048), [0, 0, 1], atol=4e-3)
        numpy.testing.assert_allclose(sky_direction(512, 512, 1024, 2048), [1, 0, 0], atol=4e-3)


class Programs(unittest.TestCase):
    def test_pfm_files_keep_rows_in_order(self):
        image = numpy.arange(24, dtype="f4").reshape(2, 4, 3)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.pfm"
            winnow.write_pfm(path, image)
            numpy.testing.assert_array_equal(winnow.read_pfm(path), image)
            self.assertTrue(path.read_bytes().endswith(image[0].tobytes()))  # the lowest row is first

    def test_winnow_reads_all_scenes_without_a_warning(self):
        for name in ["furnace", *SCENES]:
            with tempfile.TemporaryDirectory() as folder:
                path = winnow.write_scene(make_scene(name), pathlib.Path(folder))
                done = subprocess.run([WINNOW, "info", path], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), name)

    def test_the_furnace_is_10(self):
        ballast = numpy.ones(40_000_000)  # 320 MB of this process do not count as Winnow's
        with tempfile.TemporaryDirectory() as folder:
            run = {"variant": {}, "size": (8, 6), "threads": 1, "device": "cpu"}
            image, record = winnow.Winnow(WINNOW, make_scene("furnace"), run, folder).render(256, 1)
        self.assertAlmostEqual(image.mean(), measures.FURNACE, delta=0.2)
        self.assertGreater(record["cpu"], 0)
        self.assertGreater(record["bytes"], 1e6)
        self.assertLess(record["bytes"], ballast.nbytes)

    def test_luxcore_gets_each_object_and_a_roulette_without_bias(self):
        forest = make_scene("forest")
        props = luxcore.scene_properties(forest, (160, 120))
        self.assertEqual(sum(key.endswith(".material") for key in props), 201)
        matrix = numpy.array(props["scene.objects.thing1_0.transformation"]).reshape(4, 4).T
        up, scale = matrix[:3, 2], numpy.linalg.norm(matrix[:3, 0])
        numpy.testing.assert_allclose(up, [0, 0, scale], atol=1e-9)
        self.assertAlmostEqual(props["scene.camera.fieldofview"], forest.camera.fov)
        self.assertAlmostEqual(luxcore.roulette_cap(make_scene("window")), 0.75)
        self.assertAlmostEqual(luxcore.roulette_cap(forest), 0.5)

    def test_mitsuba_shades_both_sides_but_of_glass(self):
        for own in make_scene("glass").materials.values():
            kind = mitsuba.bsdf(own, None)["type"]
            self.assertEqual(kind, "dielectric" if own.kind == "glass" else "twosided")


def results():
    """Returns results in which Mitsuba is faster than Winnow in one scene, and slower in another."""
    def scene(name, mitsuba_time):
        programs = {"winnow": runs({4: (1, 0.1), 16: (4, 0.025)}), "mitsuba": runs({4: (mitsuba_time, 0.05)})}
        programs["mitsuba"]["bytes"] = 5000
        difference = {"whole": 0, "whole_error": 0.001, "worst": 0.002, "worst_error": 0.001}
        return {"name": name, "shows": "a <scene>", "faces": 12, "programs": programs,
                "agreement": {"agree": True, "programs": dict.fromkeys(programs, difference)},
                "search": {own: [{"variant": {}, "time": 1, "error": 1, "biased": False}] for own in programs}}
    return {"clock": "cpu", "device": "cpu", "gpu": None, "threads": 2, "processor": "a processor", "cores": 2,
            "size": [32, 24], "date": "2026-11-28", "load": 1.0, "commit": "abc", "command": "scripts/league run",
            "versions": {"winnow": "winnow 1"}, "furnace": {"winnow": [{"variant": {}, "radiance": 10.0}]},
            "scenes": [scene("slow", 0.5), scene("quick", 8)]}


class Page(unittest.TestCase):
    def test_says_first_where_winnow_loses(self):
        text = page.html([results()])
        self.assertIn("slow (CPU): Mitsuba takes 0.25 of Winnow&#x27;s time", text)
        self.assertNotIn("quick (CPU)", text)
        self.assertLess(text.index("Where Winnow loses"), text.index("Times as long"))
        self.assertIn("a &lt;scene&gt;", text)

    def test_leaves_out_scenes_in_which_programs_disagree(self):
        own = copy.deepcopy(results())
        own["scenes"][0]["agreement"]["agree"] = False
        self.assertIn("Nowhere in these runs", page.html([own]))
        self.assertIn("| slow: out, the programs disagree |", page.markdown([own]))

    def test_prints_a_row_for_each_scene(self):
        self.assertIn("| quick | 4.00 (3.", page.markdown([results()]))


class Run(unittest.TestCase):
    def test_measures_and_makes_the_page(self):
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, ROOT / "scripts/league", "run", "boxes", "--programs", "winnow", "--size", "32x24",
                     "--seconds", "0.01", "--seeds", "2", "--reference", "2", "--winnow", WINNOW, "-o",
                     pathlib.Path(folder) / "a.json"]
            done = subprocess.run(words, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            own = json.loads((pathlib.Path(folder) / "a.json").read_text())
            self.assertEqual(own["scenes"][0]["name"], "boxes")
            self.assertTrue(own["scenes"][0]["agreement"]["agree"])
            self.assertEqual(len(own["scenes"][0]["search"]["winnow"]), len(winnow.VARIANTS))
            for run in own["scenes"][0]["programs"]["winnow"]["runs"]:
                self.assertTrue(0 < run["error"] < math.inf)
            self.assertTrue(own["scenes"][0]["programs"]["winnow"]["reference"]["cpu"] > 0)

    def test_unknown_scenes_are_one_line(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/league", "run", "bxes"], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("bxes", done.stderr)


if __name__ == "__main__":
    unittest.main()
