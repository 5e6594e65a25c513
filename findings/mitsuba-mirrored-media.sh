#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A cube that is mirrored in Mitsuba keeps its surface outside, but its medium changes to the outside, too.
#
# Expected: the normals of a shape decide both: which side its surface scatters light on, and which side is inside for its
#   media. A mirrored sphere is turned inside out in both ways.
# Seen: mitsuba 3.9.1 (PyPI), scalar_rgb, volpath, 2026-11-30. A surface faces the normals of a mesh, and its media follow
#   the faces, which a mirroring turns. The fog of a mirrored cube is around it: a ray that enters the cube is in no medium,
#   and one that leaves it is in the fog, up to the sky.
# Winnow: follows in scenes of Mitsuba, with a warning, see scenes/README.md.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet mitsuba==3.9.1

venv/bin/python >seen <<'PYTHON'
import mitsuba as mi

mi.set_variant("scalar_rgb")


def middle(shape, scale, inside):
    """Returns the radiance of the middle of a shape before a white sky."""
    scene = mi.load_string(f"""<scene version="3.0.0"><integrator type="volpath"/><emitter type="constant"/>
      <sensor type="perspective"><transform name="to_world"><lookat origin="0,0,5" target="0,0,0" up="0,1,0"/></transform>
        <film type="hdrfilm"><integer name="width" value="3"/><integer name="height" value="3"/>
          <rfilter type="box"/></film></sensor>
      <shape type="{shape}"><transform name="to_world"><scale {scale}/></transform>{inside}</shape></scene>""")
    return mi.render(scene, spp=1024, seed=1).array[13]  # green of pixel 4


def side(is_outside):
    return "outside" if is_outside else "inside"


fog = """<bsdf type="null"/><medium type="homogeneous" name="interior"><float name="sigma_t" value="0.5"/>
    <float name="albedo" value="0"/></medium>"""  # black if it reaches to the sky
for shape in "sphere", "cube":
    for scale in 'x="1"', 'x="-1"':
        surface = side(middle(shape, scale, '<bsdf type="diffuse"/>') > 0)
        print(f"{shape} {scale}: surface {surface}, fog {side(middle(shape, scale, fog) == 0)}")
PYTHON
cat seen
diff - seen <<'EXPECTED'
sphere x="1": surface outside, fog inside
sphere x="-1": surface inside, fog outside
cube x="1": surface outside, fog inside
cube x="-1": surface outside, fog outside
EXPECTED
