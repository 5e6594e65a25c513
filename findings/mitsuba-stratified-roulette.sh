#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mitsuba's stratified sampler makes long paths too bright: a white room is six times as bright as it is.
#
# Expected: the mean of a picture does not depend on the sampler. In a closed room of albedo 0.9 that emits 1, it is 10.
# Seen: mitsuba 3.9.1 (PyPI), scalar_rgb (and llvm_ad_rgb), 2026-11-28, default roulette, no limit of depth. `stratified`
#   shows 63 with 4 samples per pixel, 46 with 16 and 13 with 64; `independent` and `multijitter` show 10. Without
#   roulette, all agree. So the strata of one sample are probably alike in successive dimensions: a sample in a low
#   stratum survives every roulette, and its weight rises each time.
# Winnow: scripts/league tries this sampler, and drops it where its mean differs from that of the others.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet mitsuba==3.9.1 numpy

venv/bin/python >seen <<'PYTHON'
import mitsuba as mi
import numpy

mi.set_variant("scalar_rgb")


def radiance(sampler, spp):
    room = mi.load_dict({
        "type": "scene", "integrator": {"type": "path", "max_depth": -1},
        "sensor": {"type": "perspective", "fov": 60, "sampler": {"type": sampler},
                   "film": {"type": "hdrfilm", "width": 32, "height": 24, "rfilter": {"type": "box"}}},
        "room": {"type": "cube", "flip_normals": True, "to_world": mi.ScalarTransform4f().scale(2),
                 "bsdf": {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.9}},
                 "emitter": {"type": "area", "radiance": {"type": "rgb", "value": 1.0}}}})
    return numpy.array(mi.render(room, spp=spp, seed=3)).mean()


for sampler in "independent", "multijitter", "stratified":
    print(sampler, *("right" if abs(radiance(sampler, spp) - 10) < 1 else "too bright" for spp in (4, 16, 64)), sep=", ")
PYTHON
cat seen
diff - seen <<'EXPECTED'
independent, right, right, right
multijitter, right, right, right
stratified, too bright, too bright, too bright
EXPECTED
