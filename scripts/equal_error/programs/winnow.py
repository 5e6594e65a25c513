# SPDX-License-Identifier: MIT
"""Winnow: writes a scene as Winnow JSON with PLY and PFM files, and renders it by the command."""

import json
import os
import pathlib
import subprocess
import time

import numpy

from equal_error.measures import peak_memory

VARIANTS = [{}, {"sampler": "hash"}, {"lights": "bvh"}, {"lights": "uniform"}, {"loop": "path"}]
MAX_BOUNCES = 1000  # the program's limit
POLL_SECONDS = 0.002


def write_pfm(path, image):
    image = numpy.asarray(image, "<f4")[::-1]
    path.write_bytes(b"PF\n%d %d\n-1.0\n" % (image.shape[1], image.shape[0]) + image.tobytes())


def read_pfm(path):
    """Reads a color image as [row, column, channel], with the first row at the top."""
    with open(path, "rb") as file:
        kind, size, _ = (file.readline() for _ in range(3))
        if kind.strip() != b"PF":
            raise ValueError(f"{path} is not a PFM file of three channels")
        width, height = map(int, size.split())
        return numpy.frombuffer(file.read(), "<f4").reshape(height, width, 3)[::-1]


def write_ply(path, mesh):
    head = ["ply", "format binary_little_endian 1.0", f"element vertex {len(mesh.vertices)}"]
    names = ["x", "y", "z"] + (["u", "v"] if mesh.uvs is not None else [])
    head += [f"property float {name}" for name in names]
    head += [f"element face {len(mesh.faces)}", "property list uchar int vertex_indices", "end_header\n"]
    vertices = mesh.vertices if mesh.uvs is None else numpy.concatenate([mesh.vertices, mesh.uvs], 1)
    faces = numpy.zeros(len(mesh.faces), [("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, mesh.faces
    path.write_bytes("\n".join(head).encode() + vertices.astype("<f4").tobytes() + faces.tobytes())


def material(own, texture):
    """Returns the material as JSON; `texture` is the name of its texture, if it has one."""
    color = list(own.color)
    if own.kind == "diffuse":
        return {"type": "diffuse", "reflectance": color} if own.texture is None else \
            {"type": "diffuse", "reflectance": 1, "textures": {"reflectance": texture}}
    if own.kind == "furnace":
        return {"type": "diffuse", "reflectance": color, "emission": 1}
    if own.kind == "lamp":
        return {"type": "diffuse", "reflectance": 0, "emission": color}
    if own.kind == "metal":  # k of 1000 reflects 0.996 to 1
        return {"type": "conductor", "reflectance": 1, "roughness": own.alpha**0.5}
    if own.kind == "mirror":
        return {"type": "mirror", "n": 1, "k": 1000, "reflectance": color}
    return {"type": "dielectric", "ior": own.ior}


def write_scene(scene, folder):
    """Writes scene.json with its files into a folder, and returns its path."""
    textures, shapes, meshes = {}, [], {}
    for name, own in scene.materials.items():
        if own.texture is not None:
            write_pfm(folder / f"{name}.pfm", own.texture)
            textures[name] = {"file": f"{name}.pfm", "filter": "bilinear"}
    for i, thing in enumerate(scene.things):
        write_ply(folder / f"mesh{i}.ply", thing.mesh)
        shape = {"type": "ply", "file": f"mesh{i}.ply", "material": thing.material}
        if thing.places is None:
            shapes.append(shape)
        else:
            meshes[f"mesh{i}"] = shape
            shapes.append({"type": "instances", "mesh": f"mesh{i}",
                           "transforms": [[{"matrix": place.tolist()}] for place in thing.places]})
    json_scene = {
        "description": scene.shows,
        "film": {"filter": "box"},
        "render": {"max_bounces": MAX_BOUNCES},
        "camera": {"position": scene.camera.position, "look_at": scene.camera.look_at,
                   "vertical_fov": scene.camera.fov},
        "textures": textures,
        "materials": {name: material(own, name) for name, own in scene.materials.items()},
        "meshes": meshes,
        "shapes": shapes}
    if isinstance(scene.sky, tuple):
        json_scene["sky"] = {"radiance": list(scene.sky)}
    elif scene.sky is not None:
        write_pfm(folder / "sky.pfm", scene.sky)
        json_scene["sky"] = {"file": "sky.pfm"}
    path = folder / "scene.json"
    path.write_text(json.dumps({key: value for key, value in json_scene.items() if value}))
    return path


class Winnow:
    """Each render is a process of its own; `seconds` and `cpu` are those of rendering alone, from --stats."""

    def __init__(self, program, scene, run, folder):
        self.program, self.run, self.folder = program, run, pathlib.Path(folder)
        self.scene = write_scene(scene, self.folder)

    def command(self, spp, seed):
        size = self.run["size"]
        device = ["--device", "cuda"] if self.run["device"] == "gpu" else \
            ["--device", "cpu", "--threads", self.run["threads"]]
        options = [word for name, value in self.run["variant"].items() for word in (f"--{name}", value)]
        words = [self.program, "render", self.scene, "--quiet", "--size", f"{size[0]}x{size[1]}", "--spp", spp,
                 "--seed", seed, *device, *options, "-o", self.folder / "image.pfm", "--stats",
                 self.folder / "stats.json"]
        return [str(word) for word in words]

    def render(self, spp, seed):
        """Returns the image and what the render took; memory and `whole` times are those of the process."""
        start = time.perf_counter()
        process = subprocess.Popen(self.command(spp, seed), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        ended, memory = 0, 0
        while not ended:
            memory = max(memory, peak_memory(process.pid))
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            time.sleep(0 if ended else POLL_SECONDS)
        with process.stderr:
            message = process.stderr.read()
        process.returncode = os.waitstatus_to_exitcode(status)
        if status:
            raise RuntimeError(f"winnow: {message.strip()}")
        whole = time.perf_counter() - start
        seconds = json.loads((self.folder / "stats.json").read_text())["seconds"]
        return read_pfm(self.folder / "image.pfm"), {
            "spp": spp, "seconds": seconds["render"], "cpu": seconds["cpu"], "whole_seconds": whole,
            "whole_cpu": usage.ru_utime + usage.ru_stime, "bytes": memory}

    def first_picture(self):
        return self.render(1, 1)

    def close(self):
        pass
