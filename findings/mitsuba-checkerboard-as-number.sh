#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mitsuba's checkerboard exchanges its two colours where a number is needed.
#
# Expected: a texture has one pattern, whether it is evaluated as a colour or as a number.
# Seen: mitsuba 3.9.1 (PyPI), scalar_rgb, 2026-11-27. eval_1(), which `mask`, `roughconductor` and other plugins call for
#   opacities and roughness, selects color1 where eval() selects color0. A mask and a reflectance with one
#   checkerboard are opposites of each other.
# Winnow: follows in scenes of Mitsuba, see scenes/README.md.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet mitsuba==3.9.1

venv/bin/python >seen <<'PYTHON'
import mitsuba as mi

mi.set_variant("scalar_rgb")
texture = mi.load_dict({"type": "checkerboard", "color0": {"type": "rgb", "value": 0.25},
                        "color1": {"type": "rgb", "value": 0.75}})
for u in 0.25, 0.75:
    si = mi.SurfaceInteraction3f()
    si.uv = [u, 0.25]
    print(f"u {u}: eval {texture.eval(si)[0]:.2f}, eval_1 {texture.eval_1(si):.2f}")
PYTHON
cat seen
diff - seen <<'EXPECTED'
u 0.25: eval 0.25, eval_1 0.75
u 0.75: eval 0.75, eval_1 0.25
EXPECTED
