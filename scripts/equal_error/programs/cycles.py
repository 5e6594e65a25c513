# SPDX-License-Identifier: MIT
"""Cycles, in Blender's module: makes a scene of Blender's objects, and renders it."""

import pathlib
import tempfile

import numpy

VARIANTS = [{}, {"use_light_tree": False}, {"sampling_pattern": "BLUE_NOISE"}, {"sampling_pattern": "TABULATED_SOBOL"},
            {"use_guiding": True}]
TURN = numpy.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])  # +y up becomes +z up
UNLIMITED = 1024


class Cycles:
    def __init__(self, scene, run):
        import bpy
        self.bpy, self.file = bpy, pathlib.Path(tempfile.mkdtemp()) / "image.exr"
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene = bpy.context.scene
        self.set_up(run)
        self.add_camera(scene.camera)
        self.add_sky(scene.sky)
        materials = {name: self.material(name, own) for name, own in scene.materials.items()}
        for i, thing in enumerate(scene.things):
            mesh = self.mesh(f"mesh{i}", thing.mesh)
            mesh.materials.append(materials[thing.material])
            for k, place in enumerate(thing.places or [numpy.eye(4)]):
                own = bpy.data.objects.new(f"thing{i}_{k}", mesh)
                turn = numpy.eye(4)
                turn[:3, :3] = TURN
                own.matrix_world = self.matrix(turn @ place @ turn.T)
                self.scene.collection.objects.link(own)

    @staticmethod
    def matrix(rows):
        import mathutils
        return mathutils.Matrix(rows.tolist())

    def set_up(self, run):
        render, cycles = self.scene.render, self.scene.cycles
        render.engine = "CYCLES"
        render.resolution_x, render.resolution_y = run["size"]
        render.threads_mode, render.threads = "FIXED", run["threads"]
        render.use_persistent_data = True
        render.filepath = str(self.file)
        render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "32"
        render.dither_intensity = 0
        cycles.device = "CPU"
        cycles.use_adaptive_sampling = cycles.use_denoising = False
        cycles.sample_clamp_direct = cycles.sample_clamp_indirect = cycles.blur_glossy = 0
        cycles.light_sampling_threshold = 0
        cycles.pixel_filter_type = "BOX"
        for kind in ("max", "diffuse", "glossy", "transmission"):
            setattr(cycles, f"{kind}_bounces", UNLIMITED)
        for name, value in run["variant"].items():
            setattr(cycles, name, value)

    def add_camera(self, own):
        import mathutils
        camera = self.bpy.data.cameras.new("camera")
        camera.sensor_fit, camera.angle = "VERTICAL", numpy.radians(own.fov)
        camera.clip_start, camera.clip_end = 0.001, 1e6
        eye, target = (TURN @ numpy.array(point, float) for point in (own.position, own.look_at))
        self.scene.camera = self.bpy.data.objects.new("camera", camera)
        self.scene.camera.location = eye.tolist()
        self.scene.camera.rotation_mode = "QUATERNION"
        self.scene.camera.rotation_quaternion = mathutils.Vector((target - eye).tolist()).to_track_quat("-Z", "Y")
        self.scene.collection.objects.link(self.scene.camera)

    def add_sky(self, sky):
        world = self.scene.world = self.bpy.data.worlds.new("sky")
        world.use_nodes = True
        background = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
        background.inputs["Color"].default_value = (*(sky if isinstance(sky, tuple) else (0, 0, 0)), 1)
        if sky is not None and not isinstance(sky, tuple):
            texture = world.node_tree.nodes.new("ShaderNodeTexEnvironment")
            texture.image = self.image("sky", numpy.roll(sky, sky.shape[1] // 4, 1))
            world.node_tree.links.new(texture.outputs["Color"], background.inputs["Color"])

    def image(self, name, pixels):
        """Makes an image of linear radiance or reflectance; Blender's first row is the lowest."""
        rows, columns, _ = pixels.shape
        image = self.bpy.data.images.new(name, columns, rows, float_buffer=True)
        image.colorspace_settings.name = "Linear Rec.709"
        rgba = numpy.ones((rows, columns, 4), "f4")
        rgba[..., :3] = pixels[::-1]
        image.pixels.foreach_set(rgba.ravel())
        image.update()
        return image

    def material(self, name, own):
        material = self.bpy.data.materials.new(name)
        material.use_nodes = True
        nodes, link = material.node_tree.nodes, material.node_tree.links.new
        nodes.clear()
        surface = nodes.new("ShaderNodeOutputMaterial").inputs["Surface"]
        emission = nodes.new("ShaderNodeEmission")
        if own.kind == "lamp":
            emission.inputs["Color"].default_value = (*own.color, 1)
            material.cycles.emission_sampling = "FRONT"
            link(emission.outputs[0], surface)
            return material
        kinds = {"diffuse": "Diffuse", "furnace": "Diffuse", "metal": "Anisotropic",
                 "mirror": "Anisotropic", "glass": "Glass"}
        bsdf = nodes.new("ShaderNodeBsdf" + kinds[own.kind])
        bsdf.inputs["Color"].default_value = (*own.color, 1)
        if own.kind in ("metal", "mirror", "glass"):
            bsdf.distribution = "GGX"
            bsdf.inputs["Roughness"].default_value = own.alpha**0.5
        if own.kind == "glass":
            bsdf.inputs["IOR"].default_value = own.ior
        if own.texture is not None:
            texture = nodes.new("ShaderNodeTexImage")
            texture.image = self.image(name, own.texture)
            link(texture.outputs["Color"], bsdf.inputs["Color"])
        if own.kind == "furnace":
            add = nodes.new("ShaderNodeAddShader")
            link(bsdf.outputs[0], add.inputs[0])
            link(emission.outputs[0], add.inputs[1])
            emission.inputs["Color"].default_value = (1, 1, 1, 1)
            bsdf = add
        link(bsdf.outputs[0], surface)
        return material

    def mesh(self, name, own):
        mesh = self.bpy.data.meshes.new(name)
        mesh.vertices.add(len(own.vertices))
        mesh.vertices.foreach_set("co", (own.vertices @ TURN.T).astype("f4").ravel())
        mesh.loops.add(3 * len(own.faces))
        mesh.loops.foreach_set("vertex_index", own.faces.astype("i4").ravel())
        mesh.polygons.add(len(own.faces))
        mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * len(own.faces), 3, dtype="i4"))
        if own.uvs is not None:
            layer = mesh.uv_layers.new(name="uv")
            layer.data.foreach_set("uv", own.uvs[own.faces.ravel()].astype("f4").ravel())
        mesh.update(calc_edges=True)
        mesh.polygons.foreach_set("use_smooth", numpy.zeros(len(own.faces), bool))
        return mesh

    def start(self, spp):
        pass

    def render(self, spp, seed):
        self.scene.cycles.samples, self.scene.cycles.seed = spp, seed
        self.bpy.ops.render.render(write_still=True)
        return self.file, spp

    def pixels(self, file):
        image = self.bpy.data.images.load(str(file), check_existing=False)
        width, height = image.size
        pixels = numpy.empty(width * height * 4, "f4")
        image.pixels.foreach_get(pixels)
        self.bpy.data.images.remove(image)
        return pixels.reshape(height, width, 4)[::-1, :, :3]
