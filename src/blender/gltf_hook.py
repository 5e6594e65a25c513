# SPDX-License-Identifier: MIT
"""What Blender's glTF exporter calls while Winnow exports; at other times it does nothing.

It gives materials without a Principled BSDF their textures, marks each material with its number,
and converts images whose colour space is not the one that glTF takes them in.
"""

import contextlib

import bpy

from .images import is_known, linear_pixels, png_bytes, to_srgb
from .program import WinnowError
from .translate.closures import read_surface
from .translate.nodes import Input, image_of
from .translate.notes import Notes

SEPARATOR = ":"  # between the number of a material and its name
ALPHA = 3  # channel of an image
LUMINANCE = (0.2126, 0.7152, 0.0722)
# Inputs of numbers that a colour may feed, and their channels in textures of glTF.
NUMBERS = {"Metallic": 2, "Roughness": 1, "Coat Weight": 0, "Coat Roughness": 1,
           "Transmission Weight": 0, "Specular IOR Level": ALPHA, "Sheen Roughness": ALPHA}
COLOR_SOCKETS = {"Base Color", "Color", "Emission Color", "Specular Tint", "Sheen Tint"}


class Export:
    """The export that runs: its materials, by number, and the objects that are rendered."""

    current = None

    def __init__(self, notes, objects):
        self.notes, self.materials, self.objects = notes, [], objects

    def __enter__(self):
        Export.current = self
        return self

    def __exit__(self, *_):
        Export.current = None

    def material_of(self, name):
        """Returns the material that a name in the exported file marks; None if it marks none."""
        number = name.split(SEPARATOR)[0]
        if not number.isdigit() or int(number) >= len(self.materials):
            return None
        return self.materials[int(number)]


class glTF2ExportUserExtension:  # the name that the exporter looks for
    """Hooks of the exporter, which calls them for every export of the user, too."""

    def gather_material_hook(self, gltf_material, material, settings):
        export = Export.current
        if export is None:
            return
        original = material.original if material.is_evaluated else material
        if original not in export.materials:
            export.materials.append(original)
        number = export.materials.index(original)
        gltf_material.name = f"{number}{SEPARATOR}{original.name}"
        try:
            add_textures(gltf_material, original, settings)
        except Exception as error:  # the exporter's functions have changed
            export.notes.add(f"no textures of nodes but Principled BSDF ({error})", original.name)

    def gather_node_hook(self, gltf_node, item, settings):
        export = Export.current
        if export is not None and isinstance(item, bpy.types.Object) and (
                item.original not in export.objects):
            gltf_node.mesh = None

    def gather_image_hook(self, gltf_image, export_image, sockets, settings):
        if Export.current is None or not export_image.fills:
            return
        try:
            convert_image(gltf_image, export_image, sockets, Export.current.notes)
        except Exception as error:
            Export.current.notes.add(f"no colour spaces of images ({error})", gltf_image.name)


def add_textures(gltf_material, material, settings):
    """Adds the textures of the heaviest closure if it is not a Principled BSDF."""
    scattering = read_surface(material, Notes()).scattering
    if not scattering or scattering[0][1].kind == "BSDF_PRINCIPLED":
        return
    from io_scene_gltf2.blender.exp.material import texture_info
    from io_scene_gltf2.blender.exp.material.search_node_tree import NodeSocket
    from io_scene_gltf2.io.com.gltf2_io import MaterialPBRMetallicRoughness

    source = scattering[0][1]

    def texture_of(name, gather):
        if name not in source.node.inputs:
            return None
        socket = NodeSocket(source.node.inputs[name], [material.node_tree, *source.groups])
        return gather(socket, (socket,), settings)[0]

    color = "Base Color" if source.kind == "BSDF_METALLIC" else "Color"
    gltf_material.pbr_metallic_roughness = MaterialPBRMetallicRoughness(
        base_color_factor=[1.0, 1.0, 1.0, 1.0],
        base_color_texture=texture_of(color, texture_info.gather_texture_info),
        extensions=None, extras=None, metallic_factor=None, roughness_factor=None,
        metallic_roughness_texture=texture_of("Roughness", texture_info.gather_texture_info))
    gltf_material.normal_texture = texture_of(
        "Normal", texture_info.gather_material_normal_texture_info_class)
    extensions = gltf_material.extensions or {}
    extensions.pop("KHR_materials_unlit", None)


def alpha_mode_of(image):
    """Returns the alpha mode by which Cycles reads an image. Before Blender 5, colours of floats
    are multiplied by alpha and those of bytes are not, whatever their mode says."""
    if image.alpha_mode in ("STRAIGHT", "PREMUL") and bpy.app.version < (5, 0, 0):
        return "PREMUL" if image.is_float else "STRAIGHT"
    return image.alpha_mode


def has_other_alpha(image, has_alpha, is_covered):
    """Tells whether Winnow reads a colour of an image by its alpha otherwise than Blender.

    has_alpha   whether the alpha of the image is used, too. If not, it multiplies the colour of
                images whose alpha mode is Straight.
    is_covered  whether the surface has an image of alpha, of this image or another one
    """
    if image.channels < 4:
        return False
    if alpha_mode_of(image) == "STRAIGHT":
        return is_covered and not has_alpha and linear_pixels(image)[:, :, ALPHA].min() < 1.0
    return alpha_mode_of(image) != "CHANNEL_PACKED" or not has_alpha


def luminance_channels(sockets):
    """Returns the channels of a texture that hold the luminance of an image: Blender takes it where
    a colour feeds a number, and its exporter one channel of the image."""
    feeds = [(NUMBERS[socket.socket.name], image_of(Input(socket.socket, socket.group_path[1:])))
             for socket in sockets if socket.socket.name in NUMBERS]
    return {channel for channel, feed in feeds
            if feed.kind == "TEX_IMAGE" and feed.output.name == "Color"}


def is_luminance(fill):
    """Tells whether the channel that Blender's exporter takes of an image is its luminance."""
    pixels = linear_pixels(fill.image)
    is_grey = fill.image.channels < 3 or bool((pixels[:, :, :2] == pixels[:, :, 1:3]).all())
    return is_grey and int(fill.src_chan) != ALPHA


def convert_image(gltf_image, export_image, sockets, notes):
    """Encodes an image again if glTF would read its pixels in another colour space, or one channel
    for its luminance."""
    is_color = any(socket.socket.name in COLOR_SOCKETS for socket in sockets)
    fills = {int(channel): fill for channel, fill in export_image.fills.items()}
    images = {fill.image for fill in fills.values() if hasattr(fill, "image")}
    for image in images:
        if not is_known(image):
            notes.add(f"no colour space {image.colorspace_settings.name}", image.name)
    numbers = luminance_channels(sockets)
    reduced = {fill.image for channel, fill in fills.items()
               if channel in numbers and hasattr(fill, "src_chan") and not is_luminance(fill)}
    is_covered = any(socket.socket.name == "Alpha" for socket in sockets)
    opacity = fills.get(ALPHA)
    has_alpha = {image: is_covered and getattr(opacity, "image", None) == image
                 and getattr(opacity, "src_chan", None) == ALPHA for image in images}
    wrong = [image for image in images if is_known(image) and (
        image.is_float or (image.colorspace_settings.name == "sRGB") != is_color
        or (is_color and has_other_alpha(image, has_alpha[image], is_covered))
        or image in reduced)]
    if not wrong or gltf_image.buffer_view is None:
        return
    import numpy
    pixels = {}
    for image in images:
        mode = alpha_mode_of(image)
        powers = {"STRAIGHT": int(not has_alpha[image]), "PREMUL": -int(has_alpha[image])}
        pixels[image] = linear_pixels(image, powers.get(mode, 0) if is_color else 0)
        if is_color and (not has_alpha[image] or mode == "NONE"):
            pixels[image][:, :, 3] = 1.0
    for image in wrong:
        if is_color and pixels[image][:, :, :3].max() > 1.0:
            notes.add("no image textures above 1", image.name)
    height, width = max(pixels[image].shape[:2] for image in images)
    if any(values.shape[:2] != (height, width) for values in pixels.values()):
        return notes.add("no colour spaces of images that are combined", gltf_image.name)
    result = numpy.ones((height, width, 4), numpy.float32)
    for channel, fill in fills.items():
        if hasattr(fill, "src_chan") and channel not in numbers:
            result[:, :, channel] = pixels[fill.image][:, :, min(int(fill.src_chan), ALPHA)]
        elif hasattr(fill, "image"):  # a colour that is used as a number
            result[:, :, channel] = pixels[fill.image][:, :, :3] @ LUMINANCE
        elif hasattr(fill, "value"):
            result[:, :, channel] = fill.value
    if is_color:
        result[:, :, :3] = to_srgb(result[:, :, :3])
    gltf_image.buffer_view.data = png_bytes(result)
    gltf_image.mime_type = "image/png"
    return None


@contextlib.contextmanager
def exporter_errors():
    """Turns a traceback of the exporter into its last line."""
    try:
        yield
    except RuntimeError as error:
        lines = [line.strip() for line in str(error).splitlines()]
        lines = [line for line in lines if line and not line.startswith("Location: ")]
        raise WinnowError(f"the glTF export failed: {lines[-1] if lines else error}") from error


def export_glb(path, scene, view_layer):
    """Exports the meshes and materials of the current frame."""
    with bpy.context.temp_override(scene=scene, view_layer=view_layer), exporter_errors():
        bpy.ops.export_scene.gltf(
            filepath=str(path), export_format="GLB", export_current_frame=True,
            export_animations=False, export_apply=True, export_skins=False, export_morph=True,
            export_cameras=False, export_lights=False, use_renderable=True, use_active_scene=True,
            export_gn_mesh=True)
