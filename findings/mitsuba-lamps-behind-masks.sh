#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mitsuba's path integrator lets no light of lamps without a size pass a cutout.
#
# Expected: half of the light of a lamp passes a surface with an opacity of 0.5, and all of it one with the BSDF
#   `null`, whether the lamp is a point, a spot, a direction or a small area.
# Seen: mitsuba 3.9.1 (PyPI), scalar_rgb, 2026-11-28. The shadows of `mask` and `null` are black below `point`, `spot` and
#   `directional`, and nearly right below `area` and `constant`: rays towards lamps stop at every surface, and only rays
#   that hit a light by chance pass. `volpath` is right for all lamps, in the same scene without any medium.
# Winnow: light passes; a warning names the integrator, see scenes/README.md.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet mitsuba==3.9.1

venv/bin/python >seen <<'PYTHON'
import mitsuba as mi

mi.set_variant("scalar_rgb")
to = mi.ScalarTransform4f
down = to().look_at(origin=[0, 0, 4], target=[0, 0, 0], up=[0, 1, 0])
lamps = {
    "point": {"type": "point", "position": [0, 0, 4], "intensity": 16.0},
    "spot": {"type": "spot", "to_world": down, "intensity": 16.0},
    "directional": {"type": "directional", "direction": [0, 0, -1], "irradiance": 1.0},
    "area": {"type": "rectangle", "to_world": down @ to().scale(0.5), "lamp": {"type": "area", "radiance": 16.0}},
}
covers = {
    "none": None,
    "mask 0.5": {"type": "mask", "opacity": 0.5, "inner": {"type": "diffuse", "reflectance": 0.0}},
    "null": {"type": "null"},
}


def below(lamp, cover, integrator):
    """Radiance of a white floor, relative to that without a cover."""
    scene = {"type": "scene", "integrator": {"type": integrator}, "lamp": lamp,
             "floor": {"type": "rectangle", "bsdf": {"type": "diffuse", "reflectance": 1.0}},
             "sensor": {"type": "perspective", "fov": 2.0,
                        "to_world": to().look_at(origin=[1.5, 0, 1], target=[0, 0, 0], up=[0, 0, 1]),
                        "film": {"type": "hdrfilm", "width": 8, "height": 8, "rfilter": {"type": "box"}}}}
    if cover:
        scene["cover"] = {"type": "rectangle", "bsdf": cover, "to_world": to().translate([0, 0, 1.5])}
    image = mi.render(mi.load_dict(scene), spp=4096)
    return float(sum(image.array) / len(image.array))


for name, lamp in lamps.items():
    for integrator in "path", "volpath":
        bare = below(lamp, None, integrator)
        print(f"{name} {integrator}:", ", ".join(
            f"{key} {below(lamp, cover, integrator) / bare:.1f}" for key, cover in covers.items() if cover))
PYTHON
cat seen
diff - seen <<'EXPECTED'
point path: mask 0.5 0.0, null 0.0
point volpath: mask 0.5 0.5, null 1.0
spot path: mask 0.5 0.0, null 0.0
spot volpath: mask 0.5 0.5, null 1.0
directional path: mask 0.5 0.0, null 0.0
directional volpath: mask 0.5 0.5, null 1.0
area path: mask 0.5 0.5, null 1.0
area volpath: mask 0.5 0.5, null 1.0
EXPECTED
