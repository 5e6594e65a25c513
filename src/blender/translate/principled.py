# SPDX-License-Identifier: MIT
"""A Principled BSDF: corrects what glTF loses of it."""

import math

from .axes import scaled
from .nodes import is_exported, lost_of

# Inputs that glTF holds as image textures, and the key of "textures" of a material of Winnow.
TEXTURED = {"Base Color": "reflectance", "Roughness": "roughness_metallic",
            "Metallic": "roughness_metallic", "Alpha": "alpha", "Emission Color": "emission",
            "Specular Tint": "specular_tint", "Transmission Weight": "transmission",
            "Coat Weight": "coat", "Coat Roughness": "coat", "Sheen Tint": "sheen",
            "Sheen Roughness": "sheen", "Specular IOR Level": "specular_tint",
            "Anisotropic": "anisotropy", "Anisotropic Rotation": "anisotropy"}
# What glTF holds beside the image of an input, as for nodes.lost_of; of others a constant factor.
FACTORS = {"Base Color": {"constant", "colors"}, "Alpha": {"constant", "colors", "cutoff"}}
# Inputs that Winnow lacks, with the value at which they do nothing.
LACKING = {"Subsurface Weight": 0.0, "Diffuse Roughness": 0.0,
           "Transmission Dispersion Scale": 0.0}
METALS_HAVE_FILMS = True  # since Blender 5.0; scene.py sets it
CONSTANT = ("IOR", "Sheen Weight", "Emission Strength")  # inputs without textures in glTF


def reflectance_of(ior):
    """Returns the reflectance at normal incidence of an index."""
    return ((ior - 1.0) / (ior + 1.0)) ** 2


def index_of(reflectance):
    """Returns the index, at least 1, of a reflectance at normal incidence."""
    root = math.sqrt(min(max(reflectance, 0.0), 0.99))
    return (1.0 + root) / (1.0 - root)


def principled_json(source, exported, material, notes):
    """Returns `exported` with what glTF loses."""
    json = dict(exported)
    json["type"] = "principled"
    textures = exported.get("textures", {})
    _note_inputs(source, textures, material, notes)
    roughness = source.value("Roughness")
    if roughness is not None and "roughness_metallic" not in textures:
        json["roughness"] = min(max(roughness, 0.0), 1.0)
    transmission = source.value("Transmission Weight", default=json.get("transmission", 0.0))
    _set_index(source, json, textures, transmission, material, notes)
    _set_sheen(source, json, textures)
    _set_coat(source, json, textures, material, notes)
    _set_film(source, json, textures, material, notes)
    if transmission > 0.0:
        json["thin"] = False
        _set_tint(source, json, transmission, material, notes)
    if source.value("Thin Wall", default=0.0) and transmission > 0.0:
        json["thin"] = True
    json.pop("interior", None)  # materials.py adds Blender's own volume
    json.pop("exterior", None)
    return json


def _note_inputs(source, textures, material, notes):
    name = material.name
    for socket in source.node.inputs:
        value = source.value(socket.name)
        if socket.name in LACKING:
            if value is None or value != LACKING[socket.name]:
                notes.add(f"no {socket.name} of Principled BSDF", name)
        elif value is None and socket.is_linked:
            feed = source.of(socket.name)
            for fact in lost_of(feed, FACTORS.get(socket.name, {"constant"})):
                notes.add(fact, name)
            if socket.name in ("Normal", "Coat Normal"):
                if feed.kind != "NORMAL_MAP":
                    notes.add("no bump maps", name)
            elif socket.name in CONSTANT:
                notes.add(f"no nodes for {socket.name} of Principled BSDF", name)
            elif socket.name in TEXTURED and not _is_held(feed, socket.name, textures):
                notes.add(f"no nodes but image textures for {socket.name} of Principled BSDF",
                          name)


def _is_held(feed, name, textures):
    """Tells whether glTF holds what feeds an input: an image, or colours of vertices."""
    if feed.kind in ("VERTEX_COLOR", "ATTRIBUTE"):
        return "colors" in FACTORS.get(name, ())
    return is_exported(feed) and TEXTURED[name] in textures


def _set_index(source, json, textures, transmission, material, notes):
    """The level of Specular changes the index of what lies on top, not that of glass."""
    ior = source.value("IOR", default=1.5)
    level = source.value("Specular IOR Level")
    has_texture = "specular_tint" in textures or "specular" in textures
    if level is None or has_texture:
        json["ior"] = max(ior, 1.0001)
        feed = source.of("Specular IOR Level")
        kind = feed.kind if feed is not None and has_texture else ""
        if kind in ("TEX_IMAGE", "SEPARATE_COLOR", "SEPRGB"):
            # A level of 0.5 is 1 in glTF, but the exporter doubles only factors of images.
            json["specular_tint"] = [2.0 * tint for tint in json.get("specular_tint", [1.0] * 3)]
        return
    json.pop("specular", None)
    tint = source.value("Specular Tint")
    if tint is not None:  # glTF holds what exceeds a level of 0.5 as a tint
        json["specular_tint"] = list(tint)
    if transmission >= 1.0 or level == 0.5:
        json["ior"] = ior
    else:
        json["ior"] = index_of(2.0 * max(level, 0.0) * reflectance_of(ior))
        if transmission > 0.0:
            notes.add("Specular IOR Level also bends light in mixed glass", material.name)
    if json["ior"] <= 1.0001:  # Winnow's index is above 1
        json["specular"] = 0
        if json["ior"] < 1.0 and transmission > 0.0:
            notes.add("no index of Principled BSDF below 1", material.name)
        json["ior"] = 1.0001


def _set_sheen(source, json, textures):
    weight = source.value("Sheen Weight")
    if weight is None:
        return
    tint = source.value("Sheen Tint")
    if weight <= 0.0:
        json.pop("sheen", None)
    elif tint is not None:
        json["sheen"] = scaled(tint, weight)
    elif "sheen" in textures:
        json["sheen"] = [weight] * 3
    roughness = source.value("Sheen Roughness")
    if "sheen" in json and roughness is not None:
        json["sheen_roughness"] = roughness


def _set_coat(source, json, textures, material, notes):
    weight = source.value("Coat Weight")
    if weight is None or weight <= 0.0:
        return
    if abs(source.value("Coat IOR", default=1.5) - 1.5) > 1e-4:
        notes.add("no index of coats but 1.5", material.name)
    if min(source.value("Coat Tint", default=[1.0, 1.0, 1.0])) < 1.0:
        notes.add("no tint of coats", material.name)
    if "coat" not in textures:
        json["coat"] = min(weight, 1.0)


def _set_film(source, json, textures, material, notes):
    thickness = source.value("Thin Film Thickness", default=0.0)
    if thickness <= 0.0:
        return
    notes.add("thin films are approximated", material.name)
    if source.value("Metallic", default=0.0) >= 1.0 and not METALS_HAVE_FILMS:
        return
    if "iridescence" not in textures:
        json["iridescence"] = 1
        json["iridescence_ior"] = max(source.value("Thin Film IOR", default=1.33), 1.0)
        json["film_thickness"] = thickness


def _set_tint(source, json, transmission, material, notes):
    """Blender's glass has the square root of the base colour at each crossing."""
    color = source.value("Base Color")
    if color is None or transmission < 1.0:
        if color is None or min(color) < 1.0:
            notes.add("tints of textured or mixed glass count twice", material.name)
    else:
        json["reflectance"] = [math.sqrt(max(channel, 0.0)) for channel in color]
