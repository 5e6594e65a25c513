# SPDX-License-Identifier: MIT
"""LuxCore: makes a scene from properties and lists, and renders it with an engine and a sampler."""

import time

import numpy

PATH = {"renderengine.type": "PATHCPU", "sampler.type": "SOBOL", "lightstrategy.type": "LOG_POWER"}
VARIANTS = [PATH, PATH | {"lightstrategy.type": "POWER"}, PATH | {"lightstrategy.type": "UNIFORM"},
            PATH | {"sampler.type": "RANDOM"}, PATH | {"sampler.type": "METROPOLIS"},
            PATH | {"renderengine.type": "BIDIRCPU"},
            PATH | {"renderengine.type": "BIDIRCPU", "sampler.type": "METROPOLIS"}]
TURN = numpy.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # +y up becomes +z up
SEED_FACTOR = 7919
UNLIMITED = 1024


def turned(vertices):
    return numpy.asarray(vertices, float) @ TURN.T


def material(name, own):
    """Returns the properties of a material."""
    key = f"scene.materials.{name}."
    if own.kind in ("diffuse", "lamp", "furnace"):
        kd = [0.0, 0.0, 0.0] if own.kind == "lamp" else f"texture_{name}" if own.texture is not None else list(own.color)
        return {key + "type": "matte", key + "kd": kd} | \
            ({} if own.kind == "diffuse" else {key + "emission": list(own.color) if own.kind == "lamp" else [1.0] * 3})
    if own.kind == "metal":  # Schlick's distribution is GGX; k of 1000 reflects 0.996 to 1
        return {key + "type": "metal2", key + "n": [1.0] * 3, key + "k": [1000.0] * 3, key + "uroughness": own.alpha,
                key + "vroughness": own.alpha}
    if own.kind == "mirror":
        return {key + "type": "mirror", key + "kr": list(own.color)}
    return {key + "type": "glass", key + "kr": [1.0] * 3, key + "kt": [1.0] * 3, key + "interiorior": own.ior,
            key + "exteriorior": 1.0}


def scene_properties(scene, size):
    """Returns all properties of the scene but those of meshes and images."""
    camera, aspect = scene.camera, size[0] / size[1]
    width, height = max(aspect, 1.0), max(1 / aspect, 1.0)
    fov = numpy.degrees(2 * numpy.arctan(numpy.tan(numpy.radians(camera.fov / 2)) / height))
    up = -2 / min(size)  # its pictures are a pixel too low
    props = {"scene.camera.type": "perspective", "scene.camera.lookat.orig": turned(camera.position).tolist(),
             "scene.camera.lookat.target": turned(camera.look_at).tolist(), "scene.camera.up": [0.0, 0.0, 1.0],
             "scene.camera.fieldofview": float(fov), "scene.camera.cliphither": 0.001, "scene.camera.clipyon": 1e6,
             "scene.camera.screenwindow": [-width, width, -height + up, height + up]}
    if isinstance(scene.sky, tuple):
        props |= {"scene.lights.sky.type": "constantinfinite", "scene.lights.sky.color": list(scene.sky)}
    elif scene.sky is not None:
        props |= {"scene.lights.sky.type": "infinite", "scene.lights.sky.file": "sky",
                  "scene.lights.sky.gamma": 1.0}
    for name, own in scene.materials.items():
        if own.texture is not None:
            props |= {f"scene.textures.texture_{name}.type": "imagemap", f"scene.textures.texture_{name}.file": name,
                      f"scene.textures.texture_{name}.gamma": 1.0}
        props |= material(name, own)
    for i, thing in enumerate(scene.things):
        for k in range(len(thing.places or [None])):
            key = f"scene.objects.thing{i}_{k}."
            props |= {key + "shape": f"mesh{i}", key + "material": thing.material}
            if thing.places is not None:
                turn = numpy.eye(4)
                turn[:3, :3] = TURN
                props[key + "transformation"] = (turn @ thing.places[k] @ turn.T).T.ravel().tolist()
    return props


def sky_image(sky):
    """Returns a sky with the columns as LuxCore reads them: mirrored, a quarter further."""
    return numpy.roll(sky[:, ::-1], sky.shape[1] // 4, 1)


def roulette_cap(scene):
    """Returns the least probability of survival with which roulette loses and gains no light.

    LuxCore's MIS weights take another probability of survival than its roulette, unless both are this limit, so it is at
    least the albedo of all surfaces: findings/luxcore-roulette-gains-light.sh.
    """
    albedos = [float(numpy.max(own.color if own.texture is None else own.texture))
               for own in scene.materials.values() if own.kind in ("diffuse", "furnace")]
    return max([0.5] + albedos)


class Luxcore:
    def __init__(self, scene, run):
        import pyluxcore
        pyluxcore.Init(lambda message: None)
        self.lux, self.size, self.variant, self.run = pyluxcore, run["size"], run["variant"], run
        self.cap = roulette_cap(scene)
        self.scene = pyluxcore.Scene()
        if scene.sky is not None and not isinstance(scene.sky, tuple):
            self.image("sky", sky_image(scene.sky))
        for name, own in scene.materials.items():
            if own.texture is not None:
                self.image(name, own.texture)
        for i, thing in enumerate(scene.things):
            mesh = thing.mesh
            self.scene.DefineMesh(f"mesh{i}", [tuple(v) for v in turned(mesh.vertices).tolist()],
                                  [tuple(f) for f in mesh.faces.tolist()], None,
                                  None if mesh.uvs is None else [tuple(uv) for uv in mesh.uvs.tolist()], None, None)
        self.scene.Parse(self.properties(scene_properties(scene, self.size)))

    def image(self, name, pixels):
        rows, columns, channels = pixels.shape
        self.scene.DefineImageMap(name, numpy.ascontiguousarray(pixels, "f4").ravel(), 1.0, channels, columns, rows)

    def properties(self, values):
        props = self.lux.Properties()
        for key, value in values.items():
            props.Set(self.lux.Property(key, value))
        return props

    def start(self, spp):
        pass

    def config(self, spp, seed):
        depths = {f"path.pathdepth.{kind}": UNLIMITED for kind in ("total", "diffuse", "glossy", "specular")}
        depths |= {"light.maxdepth": UNLIMITED, "path.maxdepth": UNLIMITED} \
            if self.variant["renderengine.type"] == "BIDIRCPU" else {}
        return self.variant | depths | {
            "film.width": self.size[0], "film.height": self.size[1], "film.filter.type": "BOX",
            "film.filter.width": 0.5, "renderengine.seed": 1 + seed * SEED_FACTOR,
            "native.threads.count": self.run["threads"], "batch.haltspp": [spp, 0],
            "sampler.sobol.adaptive.strength": 0.0, "sampler.random.adaptive.strength": 0.0,
            "path.clamping.variance.maxvalue": 0.0,
            "path.russianroulette.cap": self.cap,
            "film.outputs.0.type": "RGB", "film.outputs.0.filename": "rgb.exr",
            "film.outputs.1.type": "SAMPLECOUNT", "film.outputs.1.filename": "count.exr"}

    def render(self, spp, seed):
        config = self.lux.RenderConfig(self.properties(self.config(spp, seed)), self.scene)
        session = self.lux.RenderSession(config)
        session.Start()
        while not session.HasDone():
            time.sleep(0.002)
            session.UpdateStats()
        session.Stop()
        width, height = self.size
        count = numpy.zeros(width * height, "u4")
        session.GetFilm().GetOutputUInt(self.lux.FilmOutputType.SAMPLECOUNT, count, 0)
        return session, float(count.mean())

    def pixels(self, session):
        width, height = self.size
        image = numpy.zeros(width * height * 3, "f4")
        session.GetFilm().GetOutputFloat(self.lux.FilmOutputType.RGB, image, 0)
        return image.reshape(height, width, 3)[::-1]
