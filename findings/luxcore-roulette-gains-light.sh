#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# LuxCore's Russian roulette gains light where surfaces that shine are found by chance and by light sampling.
#
# Expected: Russian roulette changes the noise of a picture, not its mean. In a closed room of albedo 0.9 that emits 1,
#   the radiance is 10.
# Seen: pyluxcore 2.11.2 (PyPI), PATHCPU, no limit of depth, 2026-11-28 and 29. With the default roulette the room is 11.2 to
#   11.4, without it 10.0. A room that only the sky lights through a window is 2 % too bright. Where path.russianroulette.cap is at
#   least the albedo of all surfaces, so that each path survives with that probability, the room is 10.1 to 10.2 and
#   the other room right. So light sampling probably weighs its samples with the probability of survival for another value
#   than that of the roulette, unless the cap decides both.
# Winnow: scripts/league sets the cap for LuxCore.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet pyluxcore==2.11.2 numpy

venv/bin/python >seen <<'PYTHON'
import os
import pathlib
import sys
import time

import numpy
import pyluxcore

pyluxcore.Init(lambda message: None)


def properties(values):
    props = pyluxcore.Properties()
    for key, value in values.items():
        props.Set(pyluxcore.Property(key, value))
    return props


def radiance(settings, size=8, spp=64):
    scene = pyluxcore.Scene()
    corners = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
    sides = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]  # seen from inside
    faces = [face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))]
    scene.DefineMesh("room", corners, faces, None, None, None, None)
    scene.Parse(properties({
        "scene.camera.type": "perspective", "scene.camera.lookat.orig": [0.0, 0.9, 0.0],
        "scene.camera.lookat.target": [0.0, 0.0, 0.0], "scene.camera.fieldofview": 60.0,
        "scene.materials.wall.type": "matte", "scene.materials.wall.kd": [0.9] * 3,
        "scene.materials.wall.emission": [1.0] * 3,
        "scene.objects.room.shape": "room", "scene.objects.room.material": "wall"}))
    depths = {f"path.pathdepth.{kind}": 1024 for kind in ("total", "diffuse", "glossy", "specular")}
    session = pyluxcore.RenderSession(pyluxcore.RenderConfig(properties(depths | settings | {
        "renderengine.type": "PATHCPU", "sampler.type": "RANDOM", "sampler.random.adaptive.strength": 0.0,
        "film.width": size, "film.height": size, "film.filter.type": "NONE", "batch.haltspp": [spp, 0],
        "film.outputs.0.type": "RGB", "film.outputs.0.filename": "rgb.exr"}), scene))
    session.Start()
    while not session.HasDone():
        time.sleep(0.01)
        session.UpdateStats()
    session.Stop()
    image = numpy.zeros(3 * size * size, "f4")
    session.GetFilm().GetOutputFloat(pyluxcore.FilmOutputType.RGB, image, 0)
    return image.mean()


default, cap, none = (radiance(settings) for settings in (
    {}, {"path.russianroulette.cap": 0.9}, {"path.russianroulette.depth": 1000}))
print(f"default roulette: {'too bright' if default > 10.7 else 'right'}")
print(f"cap of 0.9: {'too bright' if cap > 10.7 else 'right'}")
print(f"no roulette: {'too bright' if none > 10.3 else 'right'}")
pathlib.Path("values").write_text(f"{default:.2f} {cap:.2f} {none:.2f}\n")
sys.stdout.flush()
os._exit(0)
PYTHON
grep -v -e "loaded successfully" -e "^Checking" -e "^  - " seen >lines
cat values lines
diff - lines <<'EXPECTED'
default roulette: too bright
cap of 0.9: right
no roulette: right
EXPECTED
