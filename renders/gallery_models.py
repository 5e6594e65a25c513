# SPDX-License-Identifier: MIT
"""Generates models of the kinds that new users open first: each function of KINDS writes one file."""

import base64
import json
import math
import random
import struct

from support.png_files import write_png

TAU = 2 * math.pi


# Meshes are dicts of lists: "positions", "normals", "uvs" by vertex, "triangles".

def grid_mesh(columns, rows, point):
    """Returns a surface of columns x rows quads; point(u, v) returns (position, normal)."""
    mesh = {"positions": [], "normals": [], "uvs": [], "triangles": []}
    for j in range(rows + 1):
        for i in range(columns + 1):
            u, v = i / columns, j / rows
            position, normal = point(u, v)
            mesh["positions"].append(position)
            mesh["normals"].append(normal)
            mesh["uvs"].append((u, v))
    for j in range(rows):
        for i in range(columns):
            a = j * (columns + 1) + i
            b = a + columns + 1
            mesh["triangles"] += [(a, b, a + 1), (a + 1, b, b + 1)]
    return mesh


def sphere(radius=1.0, center=(0, 0, 0), columns=64, rows=32, dent=lambda u, v: 1.0):
    def point(u, v):
        theta, phi = math.pi * v, -TAU * u
        n = (math.sin(theta) * math.cos(phi), math.cos(theta), math.sin(theta) * math.sin(phi))
        r = radius * dent(u, v)
        return tuple(c + r * x for c, x in zip(center, n)), n
    return grid_mesh(columns, rows, lambda u, v: point(-u, v))


def torus(big=0.7, small=0.3, columns=96, rows=48):
    def point(u, v):
        a, b = TAU * u, TAU * v
        n = (math.cos(a) * math.cos(b), math.sin(b), math.sin(a) * math.cos(b))
        return (math.cos(a) * big + small * n[0], small * n[1], math.sin(a) * big + small * n[2]), n
    return grid_mesh(columns, rows, point)


def box(low=(-1, -1, -1), high=(1, 1, 1), inward=False):
    mesh = {"positions": [], "normals": [], "uvs": [], "triangles": []}
    for axis in range(3):
        for side in (0, 1):
            n = [0, 0, 0]
            n[axis] = 1 if side else -1
            first = len(mesh["positions"])
            for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)):
                p = [0, 0, 0]
                p[axis] = (low, high)[side][axis]
                p[(axis + 1) % 3] = (low, high)[i][(axis + 1) % 3]
                p[(axis + 2) % 3] = (low, high)[j][(axis + 2) % 3]
                mesh["positions"].append(tuple(p))
                mesh["normals"].append(tuple(-x if inward else x for x in n))
                mesh["uvs"].append((i, j))
            a, b, c, d = range(first, first + 4)
            mesh["triangles"] += [(a, b, c), (a, c, d)] if bool(side) != inward else [(a, c, b), (a, d, c)]
    return mesh


def plane(size=2.5, height=0.0):
    return grid_mesh(1, 1, lambda u, v: (((u - 0.5) * 2 * size, height, (v - 0.5) * 2 * size), (0, 1, 0)))


def rock(seed=3):
    """Returns a lumpy blob, like a scanned object."""
    rng = random.Random(seed)
    waves = [(rng.randint(1, 5), rng.randint(1, 4), rng.uniform(0, TAU), rng.uniform(0.02, 0.09)) for _ in range(14)]

    def dent(u, v):
        return 1 + math.sin(math.pi * v) * sum(k * math.sin(TAU * a * u + s) * math.cos(math.pi * b * v) for a, b, s, k in waves)
    return sphere(columns=96, rows=64, dent=dent)


def rainbow(mesh):
    """Returns a colour for each vertex."""
    def channel(t):
        return 0.5 + 0.5 * math.cos(TAU * t)
    mesh["colors"] = [(channel(u), channel(u - v / 2 + 0.33), channel(v + 0.66)) for u, v in mesh["uvs"]]
    return mesh


def moved(mesh, x=0.0, y=0.0, z=0.0):
    return mesh | {"positions": [(p[0] + x, p[1] + y, p[2] + z) for p in mesh["positions"]]}


def picture(pixel, size=128):
    return [[tuple(round(255 * max(0.0, min(1.0, c))) for c in pixel((x + 0.5) / size, (y + 0.5) / size)) for x in range(size)]
            for y in range(size)]


def checks(u, v, n=8):
    return (int(u * n) + int(v * n)) % 2


class Gltf:
    """A .gltf file that contains everything."""

    def __init__(self, folder):
        self.folder = folder
        self.data = b""
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
                     "materials": [], "accessors": [], "bufferViews": [], "buffers": []}

    def use(self, extension):
        used = self.json.setdefault("extensionsUsed", [])
        if extension not in used:
            used.append(extension)

    def accessor(self, rows, kind, code="f", bounds=False):
        types = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
        width = kind
        data = b"".join(struct.pack(f"<{width}{code}", *row) for row in rows)
        self.data += b"\0" * (-len(self.data) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data
        accessor = {"bufferView": len(self.json["bufferViews"]) - 1, "count": len(rows), "type": types[width],
                    "componentType": {"f": 5126, "I": 5125, "H": 5123}[code]}
        if bounds:
            accessor["min"] = [min(row[i] for row in rows) for i in range(width)]
            accessor["max"] = [max(row[i] for row in rows) for i in range(width)]
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def texture(self, rows):
        path = self.folder / "texture.png"
        write_png(path, rows)
        uri = "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode()
        path.unlink()
        self.json.setdefault("images", []).append({"uri": uri})
        self.json.setdefault("textures", []).append({"source": len(self.json["images"]) - 1})
        return {"index": len(self.json["textures"]) - 1}

    def material(self, pbr=None, extensions=None, **keys):
        material = {"pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 0.5} | (pbr or {}), **keys}
        for name in extensions or {}:
            self.use(name)
        if extensions:
            material["extensions"] = extensions
        self.json["materials"].append(material)
        return len(self.json["materials"]) - 1

    def mesh(self, mesh, material=None, **more):
        attributes = {"POSITION": self.accessor(mesh["positions"], 3, bounds=True), "NORMAL": self.accessor(mesh["normals"], 3),
                      "TEXCOORD_0": self.accessor(mesh["uvs"], 2)}
        if "colors" in mesh:
            attributes["COLOR_0"] = self.accessor(mesh["colors"], 3)
        attributes.update(more.pop("attributes", {}))
        primitive = {"attributes": attributes,
                     "indices": self.accessor([(i,) for t in mesh["triangles"] for i in t], 1, "I")}
        if material is not None:
            primitive["material"] = material
        primitive.update(more.pop("primitive", {}))
        self.json["meshes"].append({"primitives": [primitive], **more})
        return len(self.json["meshes"]) - 1

    def node(self, **keys):
        self.json["nodes"].append(keys)
        self.json["scenes"][0]["nodes"].append(len(self.json["nodes"]) - 1)
        return len(self.json["nodes"]) - 1

    def write(self, name):
        self.json["buffers"] = [{"byteLength": len(self.data),
                                 "uri": "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()}]
        path = self.folder / f"{name}.gltf"
        path.write_text(json.dumps(self.json))
        return path


def one_ball(folder, name, shape=None, **material):
    gltf = Gltf(folder)
    gltf.node(mesh=gltf.mesh(shape or sphere(), gltf.material(**material)))
    return gltf.write(name)


def panels(u, v):
    return min((6 * u) % 1, (4 * v) % 1) < 0.08


def helmet(folder):
    """Writes metal with a map for each property, and glowing eyes."""
    gltf = Gltf(folder)
    base = gltf.texture(picture(lambda u, v: (0.15, 0.13, 0.12) if panels(u, v) else (0.75, 0.72 - 0.3 * v, 0.6 - 0.4 * v)))
    rough = gltf.texture(picture(lambda u, v: (1, 0.9, 0) if panels(u, v) else (1, 0.25 + 0.3 * checks(u, v, 16), 1)))
    glow = gltf.texture(picture(lambda u, v: (0.1, 0.7, 1) if abs(v - 0.45) < 0.03 and 0.1 < u < 0.42 else (0, 0, 0)))
    normal = gltf.texture(picture(lambda u, v: (0.5 + 0.25 * math.sin(TAU * 12 * u), 0.5 + 0.25 * math.sin(TAU * 8 * v), 1)))
    material = gltf.material({"baseColorTexture": base, "metallicRoughnessTexture": rough, "metallicFactor": 1, "roughnessFactor": 1},
                             emissiveTexture=glow, emissiveFactor=[1, 1, 1], normalTexture=normal)
    gltf.node(mesh=gltf.mesh(sphere(dent=lambda u, v: 1 + 0.15 * math.sin(TAU * u) * math.sin(math.pi * v)), material))
    return gltf.write("helmet")


def lantern(folder):
    gltf = Gltf(folder)
    iron = gltf.material({"baseColorFactor": [0.1, 0.09, 0.08, 1], "metallicFactor": 1, "roughnessFactor": 0.4})
    lamp = gltf.material(extensions={"KHR_materials_emissive_strength": {"emissiveStrength": 4}}, emissiveFactor=[1, 0.7, 0.3])
    for low, high in (((-0.6, -1, -0.6), (0.6, -0.85, 0.6)), ((-0.6, 0.85, -0.6), (0.6, 1, 0.6)), ((-0.05, 1, -0.05), (0.05, 1.6, 0.05)),
                      *(((x - 0.05, -0.9, z - 0.05), (x + 0.05, 0.9, z + 0.05)) for x in (-0.5, 0.5) for z in (-0.5, 0.5))):
        gltf.node(mesh=gltf.mesh(box(low, high), iron))
    gltf.node(mesh=gltf.mesh(sphere(0.38), lamp))
    return gltf.write("lantern")


def textured_box(folder):
    gltf = Gltf(folder)
    texture = gltf.texture(picture(lambda u, v: (0.9, 0.85, 0.2) if abs(u - v) < 0.1 or abs(u + v - 1) < 0.1 else (0.2, 0.35, 0.6)))
    gltf.node(mesh=gltf.mesh(box(), gltf.material({"baseColorTexture": texture})))
    return gltf.write("box")


def vertex_colors(folder):
    gltf = Gltf(folder)
    gltf.node(mesh=gltf.mesh(rainbow(torus())))
    return gltf.write("vertex-colours")


def alpha_modes(folder):
    gltf = Gltf(folder)
    leaf = picture(lambda u, v: (0.2, 0.3 + 0.5 * v, 0.15, 1.3 - 2 * math.hypot(u - 0.5, v - 0.5) - 0.3 * checks(u, v)))
    texture = gltf.texture(leaf)
    for i, keys in enumerate(({"alphaMode": "OPAQUE"}, {"alphaMode": "MASK", "alphaCutoff": 0.5}, {"alphaMode": "BLEND"})):
        card = grid_mesh(1, 1, lambda u, v: ((u - 0.5, 0.5 - v, 0), (0, 0, 1)))
        material = gltf.material({"baseColorTexture": texture}, doubleSided=True, **keys)
        gltf.node(mesh=gltf.mesh(card, material), translation=[1.1 * (i - 1), 0, 0])
    return gltf.write("alpha-modes")


def metal_and_roughness(folder):
    gltf = Gltf(folder)
    shape = sphere(0.45, columns=32, rows=16)
    for row in range(3):
        for column in range(5):
            material = gltf.material({"baseColorFactor": [1, 0.6, 0.2, 1], "metallicFactor": row / 2, "roughnessFactor": column / 4})
            gltf.node(mesh=gltf.mesh(shape, material), translation=[column - 2, row - 1, 0])
    return gltf.write("metal-and-roughness")


def clear_coat(folder):
    gltf = Gltf(folder)
    stripes = gltf.texture(picture(lambda u, v: ((1, 0, 0) if checks(u, 0, 12) else (0, 0, 0))))
    gltf.node(mesh=gltf.mesh(sphere(), gltf.material(
        {"baseColorFactor": [0.6, 0.02, 0.02, 1], "roughnessFactor": 0.7},
        {"KHR_materials_clearcoat": {"clearcoatFactor": 1, "clearcoatTexture": stripes, "clearcoatRoughnessFactor": 0.03}})))
    return gltf.write("clear-coat")


def cloth(folder):
    return one_ball(folder, "cloth", torus(), pbr={"baseColorFactor": [0.15, 0.02, 0.1, 1], "roughnessFactor": 1},
                    extensions={"KHR_materials_sheen": {"sheenColorFactor": [0.9, 0.5, 0.7], "sheenRoughnessFactor": 0.35}})


def glass(folder):
    return one_ball(folder, "glass", torus(), pbr={"roughnessFactor": 0}, extensions={
        "KHR_materials_transmission": {"transmissionFactor": 1}, "KHR_materials_volume": {"thicknessFactor": 0.5}})


def tinted_glass(folder):
    return one_ball(folder, "tinted-glass", torus(0.7, 0.35), pbr={"roughnessFactor": 0.05}, extensions={
        "KHR_materials_transmission": {"transmissionFactor": 1},
        "KHR_materials_volume": {"thicknessFactor": 0.5, "attenuationDistance": 0.3, "attenuationColor": [0.1, 0.75, 0.5]}})


def soap(folder):
    return one_ball(folder, "iridescent", pbr={"baseColorFactor": [0.03, 0.03, 0.03, 1], "roughnessFactor": 0.1}, extensions={
        "KHR_materials_iridescence": {"iridescenceFactor": 1, "iridescenceIor": 1.8, "iridescenceThicknessMinimum": 200,
                                      "iridescenceThicknessMaximum": 480}})


def brushed(folder):
    return one_ball(folder, "brushed", pbr={"metallicFactor": 1, "roughnessFactor": 0.3}, extensions={
        "KHR_materials_anisotropy": {"anisotropyStrength": 0.9, "anisotropyRotation": 0.8}})


def specular_glossiness(folder):
    return one_ball(folder, "specular-glossiness", torus(), extensions={"KHR_materials_pbrSpecularGlossiness": {
        "diffuseFactor": [0.05, 0.2, 0.5, 1], "specularFactor": [0.6, 0.6, 0.5], "glossinessFactor": 0.8}})


def morph(folder):
    gltf = Gltf(folder)
    shape = sphere()
    bulge = [(0, 0.8 * max(p[1], 0), 0) for p in shape["positions"]]
    gltf.node(mesh=gltf.mesh(shape, gltf.material({"baseColorFactor": [0.8, 0.3, 0.2, 1]}), weights=[1.0],
                             primitive={"targets": [{"POSITION": gltf.accessor(bulge, 3, bounds=True)}]}))
    return gltf.write("morph")


def skin(folder):
    """Writes an arm of two bones; the upper one is bent in the rest pose."""
    gltf = Gltf(folder)
    tube = grid_mesh(32, 32, lambda u, v: ((0.2 * math.sin(TAU * u), 2 * v - 1, 0.2 * math.cos(TAU * u)),
                                           (math.sin(TAU * u), 0, math.cos(TAU * u))))
    tube["triangles"] = [(a, c, b) for a, b, c in tube["triangles"]]
    weights = [max(0.0, min(1.0, 0.5 + 2 * p[1])) for p in tube["positions"]]
    mesh = gltf.mesh(tube, gltf.material({"baseColorFactor": [0.85, 0.6, 0.45, 1]}, doubleSided=True), attributes={
        "JOINTS_0": gltf.accessor([(0, 1, 0, 0)] * len(weights), 4, "H"),
        "WEIGHTS_0": gltf.accessor([(1 - w, w, 0, 0) for w in weights], 4)})
    lower = gltf.node(name="lower")
    upper = gltf.node(name="upper", rotation=[0, 0, math.sin(0.5), math.cos(0.5)])
    identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    gltf.json["skins"] = [{"joints": [lower, upper], "inverseBindMatrices": gltf.accessor([identity] * 2, 16)}]
    gltf.node(mesh=mesh, skin=0)
    return gltf.write("skin")


def instances(folder):
    gltf = Gltf(folder)
    mesh = gltf.mesh(box((-0.3, -0.3, -0.3), (0.3, 0.3, 0.3)), gltf.material({"baseColorFactor": [0.3, 0.5, 0.25, 1]}))
    places = [(x, 0.4 * math.sin(x + z), z) for x in range(-5, 6) for z in range(-5, 6)]
    gltf.use("EXT_mesh_gpu_instancing")
    gltf.node(mesh=mesh, extensions={"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": gltf.accessor(places, 3)}}})
    return gltf.write("instances")


def punctual_lights(folder):
    gltf = Gltf(folder)
    gltf.use("KHR_lights_punctual")
    gltf.json["extensions"] = {"KHR_lights_punctual": {"lights": [
        {"type": "spot", "color": [1, 0.6, 0.3], "intensity": 40, "spot": {"outerConeAngle": 0.5}},
        {"type": "point", "color": [0.3, 0.5, 1], "intensity": 12}]}}
    white = gltf.material({"roughnessFactor": 0.8})
    gltf.node(mesh=gltf.mesh(plane(1.6), white))
    gltf.node(mesh=gltf.mesh(sphere(0.6, (0, 0.6, 0)), white))
    gltf.node(translation=[-1.2, 2.4, 0.8], rotation=[-0.653, -0.27, -0.27, 0.653], extensions={"KHR_lights_punctual": {"light": 0}})
    gltf.node(translation=[1.8, 1.6, 1.2], extensions={"KHR_lights_punctual": {"light": 1}})
    return gltf.write("lamps")


def unlit(folder):
    return one_ball(folder, "unlit", box(), pbr={"baseColorFactor": [0.2, 0.6, 0.3, 1]}, extensions={"KHR_materials_unlit": {}})


def write_obj(path, groups, mtl=""):
    """Writes `groups`, (material, mesh) pairs."""
    lines = [f"mtllib {path.stem}.mtl"] if mtl else []
    first = 1
    for material, mesh in groups:
        colors = mesh.get("colors", [()] * len(mesh["positions"]))
        lines += ["v " + " ".join(f"{x:.6g}" for x in (*p, *c)) for p, c in zip(mesh["positions"], colors)]
        lines += [f"vt {u:.6g} {1 - v:.6g}" for u, v in mesh["uvs"]] + [f"vn {x:.6g} {y:.6g} {z:.6g}" for x, y, z in mesh["normals"]]
        lines += [f"usemtl {material}"] if material else []
        lines += ["f " + " ".join(f"{i + first}/{i + first}/{i + first}" for i in t) for t in mesh["triangles"]]
        first += len(mesh["positions"])
    path.write_text("\n".join(lines) + "\n")
    if mtl:
        path.with_suffix(".mtl").write_text(mtl)
    return path


def quad(a, b, c, d):
    """Returns a flat mesh without normals."""
    mesh = grid_mesh(1, 1, lambda u, v: (tuple((1 - v) * ((1 - u) * a[i] + u * b[i]) + v * ((1 - u) * d[i] + u * c[i])
                                               for i in range(3)), (0, 0, 0)))
    ab, ad = [b[i] - a[i] for i in range(3)], [d[i] - a[i] for i in range(3)]
    n = (ad[1] * ab[2] - ad[2] * ab[1], ad[2] * ab[0] - ad[0] * ab[2], ad[0] * ab[1] - ad[1] * ab[0])
    length = math.sqrt(sum(x * x for x in n))
    return mesh | {"normals": [tuple(x / length for x in n)] * 4}


def cornell_box(folder):
    mtl = "newmtl white\nKd .73 .73 .73\nnewmtl red\nKd .63 .06 .05\nnewmtl green\nKd .14 .45 .09\nnewmtl lamp\nKd 0 0 0\nKe 15 12 8\n"
    groups = [("white", quad((0, 0, 0), (5, 0, 0), (5, 0, 5), (0, 0, 5))), ("white", quad((0, 5, 5), (5, 5, 5), (5, 5, 0), (0, 5, 0))),
              ("white", quad((0, 5, 0), (5, 5, 0), (5, 0, 0), (0, 0, 0))), ("red", quad((0, 5, 5), (0, 5, 0), (0, 0, 0), (0, 0, 5))),
              ("green", quad((5, 5, 0), (5, 5, 5), (5, 0, 5), (5, 0, 0))), ("lamp", quad((2, 4.99, 3), (3, 4.99, 3), (3, 4.99, 2), (2, 4.99, 2))),
              ("white", box((1, 0, 2.6), (2.4, 1.5, 4))), ("white", box((2.8, 0, 1), (4.2, 3, 2.4)))]
    return write_obj(folder / "cornell-box.obj", groups, mtl)


def closed_room(folder):
    mtl = "newmtl wall\nKd .75 .7 .62\nnewmtl chair\nKd .4 .2 .1\nKs .5 .5 .5\nNs 80\nillum 2\n"
    groups = [("wall", box((-3, 0, -4), (3, 2.6, 4), inward=True)), ("chair", box((-1, 0, -1.4), (0.2, 0.9, 0))),
              ("chair", moved(sphere(0.5), 1.2, 0.5, -1.2))]
    return write_obj(folder / "closed-room.obj", groups, mtl)


def foliage(folder):
    write_png(folder / "leaf.png", picture(lambda u, v: (0.15 + 0.3 * v, 0.5, 0.1, float(math.hypot(u - 0.5, 1.6 * (v - 0.5)) < 0.4))))
    mtl = "newmtl leaf\nKd 1 1 1\nmap_Kd leaf.png\nmap_d leaf.png\n"
    rng = random.Random(1)
    groups = []
    for _ in range(250):
        a, b, c = rng.uniform(0, TAU), rng.uniform(-0.9, 0.9), rng.uniform(0, TAU)
        r, size = math.sqrt(1 - b * b), 0.2
        at = (r * math.cos(a), b, r * math.sin(a))
        x, y = (math.cos(c), 0, math.sin(c)), (0.3 * math.sin(c), 0.95, -0.3 * math.cos(c))
        groups.append(("leaf", grid_mesh(1, 1, lambda u, v: (tuple(at[i] + size * ((2 * u - 1) * x[i] + (1 - 2 * v) * y[i]) for i in range(3)), at))))
    return write_obj(folder / "foliage.obj", groups, mtl)


def chrome(folder):
    mtl = "newmtl chrome\nKd 0 0 0\nKs .8 .8 .8\nNs 600\nillum 3\n"
    return write_obj(folder / "chrome.obj", [("chrome", torus())], mtl)


def scan_colors(folder):
    return write_obj(folder / "scan.obj", [(None, rainbow(rock()))])


def in_millimetres(folder):
    mesh = torus()
    mesh["positions"] = [tuple(1e4 + 350 * x for x in p) for p in mesh["positions"]]
    return write_obj(folder / "in-millimetres.obj", [(None, mesh)])


def write_ply(path, mesh, colors=False, text=False):
    kind = "ascii" if text else "binary_little_endian"
    names = ["x", "y", "z"]
    header = ["ply", f"format {kind} 1.0", f"element vertex {len(mesh['positions'])}", *(f"property float {n}" for n in names)]
    if colors:
        header += [f"property uchar {n}" for n in ("red", "green", "blue")]
    header += [f"element face {len(mesh['triangles'])}", "property list uchar int vertex_indices", "end_header\n"]
    data = "\n".join(header).encode()
    for i, p in enumerate(mesh["positions"]):
        rgb = [round(255 * c) for c in mesh["colors"][i]] if colors else []
        data += (" ".join(map(str, [*p, *rgb])) + "\n").encode() if text else struct.pack("<3f", *p) + bytes(rgb)
    for t in mesh["triangles"]:
        data += (" ".join(map(str, [3, *t])) + "\n").encode() if text else struct.pack("<B3i", 3, *t)
    path.write_bytes(data)
    return path


def scan(folder):
    return write_ply(folder / "scan.ply", rock(7))


def colored_scan(folder):
    return write_ply(folder / "coloured-scan.ply", rainbow(rock(11)), colors=True)


def text_ply(folder):
    return write_ply(folder / "text.ply", torus(columns=24, rows=12), text=True)


MITSUBA = """<scene version="3.0.0"><integrator type="{integrator}"><integer name="max_depth" value="32"/></integrator>
<sensor type="perspective"><float name="fov" value="36"/><transform name="to_world">
<lookat origin="0, 1.6, 5" target="0, 0.8, 0" up="0, 1, 0"/></transform>
<film type="hdrfilm"><integer name="width" value="768"/><integer name="height" value="768"/></film></sensor>
<shape type="rectangle"><transform name="to_world"><scale value="30"/><rotate x="1" angle="-90"/></transform>
<bsdf type="diffuse"><texture name="reflectance" type="checkerboard"><transform name="to_uv"><scale value="60"/></transform>
</texture></bsdf></shape>{rest}</scene>"""
MITSUBA_BALL = '<shape type="sphere"><point name="center" x="0" y="0.9" z="0"/><float name="radius" value="0.9"/>{}</shape>'
MITSUBA_SKY = '<emitter type="sunsky"><vector name="sun_direction" x="-0.6" y="0.7" z="0.5"/><transform name="to_world">' \
              '<rotate x="1" angle="-90"/></transform></emitter>'


def mitsuba_daylight(folder):
    path = folder / "mitsuba-daylight.xml"
    ball = MITSUBA_BALL.format('<bsdf type="roughconductor"><string name="material" value="Au"/><float name="alpha" value="0.15"/></bsdf>')
    path.write_text(MITSUBA.format(integrator="path", rest=ball + MITSUBA_SKY))
    return path


def mitsuba_spectra(folder):
    path = folder / "mitsuba-spectra.xml"
    ball = MITSUBA_BALL.format('<bsdf type="plastic"><spectrum name="diffuse_reflectance" value="400:0.05, 500:0.1, 570:0.5, 600:0.8, 700:0.85"/></bsdf>')
    lamp = '<shape type="sphere"><point name="center" x="-2" y="4" z="2"/><float name="radius" value="0.6"/>' \
           '<emitter type="area"><spectrum name="radiance" value="400:20, 700:30"/></emitter></shape>'
    path.write_text(MITSUBA.format(integrator="path", rest=ball + lamp))
    return path


def mitsuba_fog(folder):
    path = folder / "mitsuba-fog.xml"
    medium = '<medium name="interior" type="homogeneous"><rgb name="albedo" value="0.95, 0.8, 0.6"/><float name="sigma_t" value="3"/>' \
             '<phase type="hg"><float name="g" value="0.3"/></phase></medium>'
    path.write_text(MITSUBA.format(integrator="volpath", rest=MITSUBA_BALL.format(medium) + '<emitter type="constant"/>'))
    return path


PBRT_REST = """
LightSource "infinite" "rgb L" [ 0.45 0.5 0.6 ]
AttributeBegin
  AreaLightSource "diffuse" "rgb L" [ 12 11 9 ]
  Translate -2 4 2
  Shape "sphere" "float radius" 0.6
AttributeEnd
AttributeBegin
  Material "{kind}" "{slot}" "checks"
  Shape "trianglemesh" "point3 P" [ -30 0 -30  30 0 -30  30 0 30  -30 0 30 ] "integer indices" [ 0 1 2 0 2 3 ] "point2 uv" [ 0 0 1 0 1 1 0 1 ]
AttributeEnd
AttributeBegin
  Translate 0 0.9 0
  {ball}
  Shape "sphere" "float radius" 0.9
AttributeEnd
"""
PBRT_HEAD = """LookAt 0 1.6 5  0 0.8 0  0 1 0
Camera "perspective" "float fov" 36
Film "{film}" "integer xresolution" 768 "integer yresolution" 768
WorldBegin
Texture "checks" "spectrum" "checkerboard" "float uscale" 60 "float vscale" 60 "{rgb} tex1" [ 0.6 0.6 0.6 ] "{rgb} tex2" [ 0.2 0.2 0.2 ]
"""


def pbrt_4(folder):
    path = folder / "pbrt-4.pbrt"
    ball = 'Material "coateddiffuse" "rgb reflectance" [ 0.05 0.3 0.25 ] "float roughness" 0'
    path.write_text(PBRT_HEAD.format(film="rgb", rgb="rgb") + PBRT_REST.format(kind="diffuse", slot="texture reflectance", ball=ball))
    return path


def pbrt_3(folder):
    path = folder / "pbrt-3.pbrt"
    ball = 'Material "glass" "float eta" 1.5'
    path.write_text(PBRT_HEAD.format(film="image", rgb="rgb") + PBRT_REST.format(kind="matte", slot="texture Kd", ball=ball) + "WorldEnd\n")
    return path


KINDS = {
    "glTF: helmet": helmet, "glTF: lantern": lantern, "glTF: textured box": textured_box, "glTF: vertex colours": vertex_colors,
    "glTF: alpha modes": alpha_modes, "glTF: metal, roughness": metal_and_roughness, "glTF: clear coat, its map": clear_coat,
    "glTF: sheen": cloth, "glTF: transmission": glass, "glTF: attenuation": tinted_glass, "glTF: iridescence": soap,
    "glTF: anisotropy": brushed, "glTF: specular-glossiness": specular_glossiness, "glTF: morph target": morph, "glTF: skin": skin,
    "glTF: instances": instances, "glTF: punctual lights": punctual_lights, "glTF: unlit": unlit,
    "OBJ: Cornell box": cornell_box, "OBJ: closed room": closed_room, "OBJ: foliage, map_d": foliage, "OBJ: chrome": chrome,
    "OBJ: colours of a scan": scan_colors, "OBJ: millimetres, far away": in_millimetres,
    "PLY: scan": scan, "PLY: coloured scan": colored_scan, "PLY: text, flat": text_ply,
    "Mitsuba: daylight": mitsuba_daylight, "Mitsuba: spectra": mitsuba_spectra, "Mitsuba: medium": mitsuba_fog,
    "pbrt-v4": pbrt_4, "pbrt-v3": pbrt_3,
}
