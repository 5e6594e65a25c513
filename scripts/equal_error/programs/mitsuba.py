# SPDX-License-Identifier: MIT
"""Mitsuba 3: makes a scene from dictionaries and arrays, and renders it with one of its samplers."""

VARIANTS = [{"sampler": name} for name in ("multijitter", "stratified", "independent", "orthogonal", "ldsampler")]


def bsdf(own, texture):
    """Returns a material as a dictionary for mitsuba.load_dict. `texture` makes its texture from an array."""
    color = {"type": "rgb", "value": list(own.color)}
    if own.kind in ("diffuse", "furnace", "lamp"):
        reflectance = texture(own.texture) if own.texture is not None else color
        if own.kind == "lamp":
            reflectance = {"type": "rgb", "value": 0.0}
        return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": reflectance}}
    if own.kind == "metal":
        return {"type": "twosided", "bsdf": {"type": "roughconductor", "material": "none", "distribution": "ggx",
                                             "alpha": own.alpha}}
    if own.kind == "mirror":
        return {"type": "twosided", "bsdf": {"type": "conductor", "material": "none", "specular_reflectance": color}}
    return {"type": "dielectric", "int_ior": own.ior, "ext_ior": 1.0}


def emission(own):
    """Returns the radiance of a material that shines, else None."""
    return {"lamp": list(own.color), "furnace": [1.0, 1.0, 1.0]}.get(own.kind)


class Mitsuba:
    def __init__(self, scene, run):
        import mitsuba
        mitsuba.set_variant("cuda_ad_rgb" if run["device"] == "gpu" else "llvm_ad_rgb")
        import drjit
        if run["device"] == "cpu":
            drjit.set_thread_count(run["threads"])
        self.mitsuba, self.drjit = mitsuba, drjit
        self.scene, self.is_warm = mitsuba.load_dict(self.dictionary(scene, run["variant"], run["size"])), set()

    def dictionary(self, scene, variant, size):
        mi, to_world = self.mitsuba, self.mitsuba.ScalarTransform4f
        camera = scene.camera
        top = {"type": "scene", "integrator": {"type": "path", "max_depth": -1},
               "sensor": {"type": "perspective", "fov": camera.fov, "fov_axis": "y", "near_clip": 0.001,
                          "to_world": to_world().look_at(camera.position, camera.look_at, [0, 1, 0]),
                          "film": {"type": "hdrfilm", "width": size[0], "height": size[1], "rfilter": {"type": "box"},
                                   "pixel_format": "rgb", "component_format": "float32"},
                          "sampler": {"type": variant["sampler"]}}}
        if isinstance(scene.sky, tuple):
            top["sky"] = {"type": "constant", "radiance": {"type": "rgb", "value": list(scene.sky)}}
        elif scene.sky is not None:
            top["sky"] = {"type": "envmap", "bitmap": mi.Bitmap(scene.sky.astype("f4"))}
        texture = lambda image: {"type": "bitmap", "bitmap": mi.Bitmap(image.astype("f4")), "raw": True}
        top |= {name: bsdf(own, texture) for name, own in scene.materials.items()}
        for i, thing in enumerate(scene.things):
            own = scene.materials[thing.material]
            shape = self.mesh(thing.mesh, f"mesh{i}", top[thing.material], emission(own))
            if thing.places is None:
                top[f"shape{i}"] = shape
            else:
                top[f"group{i}"] = {"type": "shapegroup", "mesh": shape}
                for k, place in enumerate(thing.places):
                    top[f"shape{i}_{k}"] = {"type": "instance", "to_world": to_world(place),
                                            "group": {"type": "ref", "id": f"group{i}"}}
        return top

    def mesh(self, own, name, material, radiance):
        mi = self.mitsuba
        props = mi.Properties()
        props["bsdf"] = mi.load_dict(material)
        props["face_normals"] = True
        if radiance is not None:
            props["emitter"] = mi.load_dict({"type": "area", "radiance": {"type": "rgb", "value": radiance}})
        mesh = mi.Mesh(name, len(own.vertices), len(own.faces), has_vertex_texcoords=own.uvs is not None, props=props)
        params = mi.traverse(mesh)
        params["vertex_positions"] = own.vertices.astype("f4").ravel()
        params["faces"] = own.faces.astype("u4").ravel()
        if own.uvs is not None:
            params["vertex_texcoords"] = own.uvs.astype("f4").ravel()
        params.update()
        return mesh

    def move_camera(self):
        """Moves the camera in place, since the first move makes Mitsuba compile again."""
        params = self.mitsuba.traverse(self.scene)
        params["sensor.to_world"] = params["sensor.to_world"]
        params.update()

    def start(self, spp):
        """Renders once with the same size and samples, which compiles the kernels."""
        if spp not in self.is_warm:
            if not self.is_warm:
                self.mitsuba.render(self.scene, spp=spp, seed=1)
                self.move_camera()
            self.drjit.eval(self.mitsuba.render(self.scene, spp=spp, seed=2))
            self.is_warm.add(spp)
        self.drjit.sync_thread()

    def render(self, spp, seed):
        """Returns the finished image as [row, column, channel], and the samples per pixel."""
        image = self.mitsuba.render(self.scene, spp=spp, seed=seed)
        self.drjit.eval(image)
        self.drjit.sync_thread()
        return image, self.scene.sensors()[0].sampler().sample_count()  # orthogonal arrays may have more

    def pixels(self, image):
        import numpy
        return numpy.array(image)
