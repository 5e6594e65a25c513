# SPDX-License-Identifier: MIT
"""Materials as those of Winnow's JSON: what glTF loses replaces what came through it.

A material that came through glTF already has the textures of its closure, which the hook of
gltf_hook.py puts there, and of a Principled BSDF most values.
"""

import math

from .axes import scaled
from .closures import read_surface
from .media import read_medium
from .nodes import is_exported, lost_of
from .principled import principled_json

DEFAULT_MATERIAL = {"type": "diffuse", "reflectance": 0.8}  # of meshes without a material
MAX_CONDUCTOR_ROUGHNESS = 0.5  # conductors that are rougher lose multiple scattering
KEPT_TEXTURES = {  # keys of "textures" that a type of material reads
    "diffuse": {"reflectance", "normal", "normal_scale", "alpha"},
    "conductor": {"reflectance", "roughness_metallic", "normal", "normal_scale", "alpha"}}
KEPT_KEYS = ("alpha", "alpha_cutoff", "vertex_colors", "vertex_alpha")


def material_json(material, exported, media, notes):
    """Returns the material of Winnow that stands for one of Blender.

    exported  what `winnow convert` made of the glTF
    media     media of the scene, by name; receives that of the volume
    """
    surface = read_surface(material, notes)
    if not surface.has_nodes:
        color = [float(channel) for channel in material.diffuse_color][:3]
        return {"type": "diffuse", "reflectance": color}
    medium = read_medium(surface.volume, material, notes)
    if not surface.has_surface and medium:
        json = {"type": "null"}
    elif surface.scattering:
        json = _scattering(surface, material, exported, notes)
    else:
        json = {"type": "diffuse", "reflectance": 0}
        if surface.transparent > 0.0:
            json = _transparent(surface, exported, notes, material)
    if max(surface.emission) > 0.0:
        coverage = max(1.0 - surface.transparent, 1e-6)
        json["emission"] = [e + max(s, 0.0) / coverage for e, s in
                            zip(_color(json.get("emission", 0.0)), surface.emission)]
    if medium:
        name = f"medium of {material.name}"
        media[name] = medium
        json["interior"] = name
        if json["type"] not in ("null", "dielectric", "rough-dielectric") and not (
                json.get("transmission", 0.0) > 0.0 and not json.get("thin", False)):
            notes.add("no volumes below opaque surfaces", material.name)
            del json["interior"]
    return json


def _color(value):
    return list(value) if isinstance(value, list) else [value] * 3


def _scattering(surface, material, exported, notes):
    """Returns the material of the heaviest closure, weighted by what it shares with others."""
    total = sum(weight for weight, _ in surface.scattering)
    pair = _diffuse_pair(surface, exported)
    if pair is not None:
        json = pair
    else:
        weight, source = surface.scattering[0]
        if len(surface.scattering) > 1:
            notes.add("no mixed BSDFs but diffuse and translucent; the heaviest counts",
                      material.name)
            weight = total
        json = closure_json(source, exported, material, notes)
        coverage = max(1.0 - surface.transparent, 1e-6)
        if weight < coverage - 1e-4:  # the rest is emission or black
            for key in ("reflectance", "specular"):
                if key in json or key == "reflectance":
                    json[key] = scaled(_color(json.get(key, 1.0)), weight / coverage)
    if surface.transparent > 0.0:
        if surface.transparent_color != [1.0, 1.0, 1.0]:
            notes.add("no coloured Transparent BSDF in a mix", material.name)
        json["alpha"] = json.get("alpha", 1.0) * max(1.0 - surface.transparent, 0.0)
    return json


def _diffuse_pair(surface, exported):
    """Returns a surface that reflects and transmits diffusely, if that is what is mixed."""
    kinds = {source.kind: (weight, source) for weight, source in surface.scattering}
    if len(surface.scattering) != 2 or set(kinds) != {"BSDF_DIFFUSE", "BSDF_TRANSLUCENT"}:
        return None
    reflected, transmitted = kinds["BSDF_DIFFUSE"], kinds["BSDF_TRANSLUCENT"]
    total = reflected[0] + transmitted[0]
    # Both keys are albedos of a share: (1 - t) reflectance and t diffuse_transmission_color.
    return _with_kept(exported, "diffuse", {
        "type": "principled", "specular": 0, "roughness": 1,
        "reflectance": scaled(reflected[1].value("Color", [1.0, 1.0, 1.0]), total),
        "diffuse_transmission": transmitted[0] / total,
        "diffuse_transmission_color": scaled(transmitted[1].value("Color", [1.0] * 3), total)})


def _transparent(surface, exported, notes, material):
    if max(abs(1.0 - channel) for channel in surface.transparent_color) < 1e-6:
        return {"type": "diffuse", "reflectance": 0, "alpha": 1.0 - surface.transparent}
    notes.add("coloured Transparent BSDF casts a black shadow", material.name)
    return {"type": "thin-dielectric", "ior": 1.0001, "specular": 0,
            "reflectance": surface.transparent_color}


def _with_kept(exported, kind, json):
    """Adds the coverage, vertex colours and textures that came through glTF."""
    for key in KEPT_KEYS:
        if key in exported:
            json[key] = exported[key]
    textures = exported.get("textures", {})
    kept = {key: value for key, value in textures.items()
            if kind == "principled" or key in KEPT_TEXTURES[kind]}
    second = [key for key in textures.get("on_second_uvs", []) if key in kept]
    if second:
        kept["on_second_uvs"] = second
    if kept:
        json["textures"] = kept
    return json


def closure_json(source, exported, material, notes):
    """Returns the material of a single closure, whose textures are those of `exported`."""
    kind, name = source.kind, material.name
    textures = exported.get("textures", {})

    def constant(socket, default, texture=None):
        value = source.value(socket)
        if value is not None:
            return value
        if texture not in textures or not is_exported(source.of(socket)):
            notes.add(f"no nodes but image textures for {socket} of {source.node.bl_label}", name)
            return default
        for fact in lost_of(source.of(socket)):
            notes.add(fact, name)
        return [1.0, 1.0, 1.0] if isinstance(default, list) else 1.0

    if kind == "BSDF_PRINCIPLED":
        return principled_json(source, exported, material, notes)
    color = "Base Color" if kind == "BSDF_METALLIC" else "Color"
    reflectance = constant(color, [0.8, 0.8, 0.8], "reflectance")
    roughness = 0.0
    if source.of("Roughness") is not None:
        roughness = constant("Roughness", 0.5, "roughness_metallic")
    _note_inputs(source, material, notes)
    if kind in ("BSDF_GLOSSY", "BSDF_METALLIC"):
        return _metal(source, reflectance, roughness, exported, material, notes)
    if kind in ("BSDF_GLASS", "BSDF_REFRACTION"):
        return _glass(source, reflectance, roughness, exported, material, notes)
    if kind == "BSDF_TRANSLUCENT":
        return _with_kept(exported, "diffuse", {
            "type": "principled", "specular": 0, "roughness": 1, "reflectance": 1,
            "diffuse_transmission": 1, "diffuse_transmission_color": reflectance})
    if kind == "BSDF_SHEEN":
        return {"type": "principled", "specular": 0, "roughness": 1, "reflectance": 0,
                "sheen": reflectance, "sheen_roughness": roughness}
    if kind != "BSDF_DIFFUSE":
        notes.add(f"no {source.node.bl_label}; a diffuse surface takes its place", name)
    elif roughness > 0.0:
        notes.add("no roughness of diffuse surfaces (Oren-Nayar)", name)
    return _with_kept(exported, "diffuse", {"type": "diffuse", "reflectance": reflectance})


def _note_inputs(source, material, notes):
    normal = source.of("Normal")
    if normal is not None and normal.kind == "BUMP":
        notes.add("no bump maps", material.name)
    if source.value("Thin Film Thickness", default=0.0) > 0.0 and source.kind != "BSDF_PRINCIPLED":
        notes.add("no thin films but of Principled BSDF", material.name)


def anisotropy_of(value):
    """Returns Winnow's anisotropy for Blender's: that of the same ratio of roughnesses."""
    aspect = math.sqrt(1.0 - 0.9 * min(max(value, 0.0), 1.0))
    return (1.0 - aspect * aspect) / (1.0 + aspect * aspect)


def _metal(source, reflectance, roughness, exported, material, notes):
    if source.value("Anisotropy", default=0.0) != 0.0:
        notes.add("no anisotropy but of Principled BSDF", material.name)
    if source.kind == "BSDF_METALLIC" and source.node.fresnel_type == "PHYSICAL_CONDUCTOR":
        n, k = source.value("IOR"), source.value("Extinction")
        if n and k:
            return _with_kept(exported, "conductor", {
                "type": "conductor", "n": n, "k": k, "roughness": roughness})
    if source.kind == "BSDF_METALLIC" or roughness > MAX_CONDUCTOR_ROUGHNESS:
        tint = source.value("Edge Tint", default=[1.0, 1.0, 1.0])
        if source.kind == "BSDF_METALLIC" and min(tint) < 1.0:
            notes.add("no Edge Tint", material.name)
        return _with_kept(exported, "principled", {
            "type": "principled", "metallic": 1, "reflectance": reflectance,
            "roughness": roughness})
    # Glossy BSDF reflects the same at all angles: so does an index without a real part.
    return _with_kept(exported, "conductor", {
        "type": "conductor", "reflectance": reflectance, "n": 0, "k": 1, "roughness": roughness})


def _glass(source, tint, roughness, exported, material, notes):
    ior = source.value("IOR")
    if ior is None:
        notes.add("no nodes for IOR", material.name)
        ior = 1.5
    if source.kind == "BSDF_REFRACTION":
        notes.add("no Refraction BSDF; glass takes its place", material.name)
    ior = min(max(ior, 1e-4), 1e4)
    glass = {"reflectance": tint, "specular": tint, "ior": ior}
    kept = {key: exported[key] for key in KEPT_KEYS if key in exported}
    if roughness == 0.0:
        return {"type": "dielectric"} | glass | kept
    if ior <= 1.0:
        return {"type": "rough-dielectric", "roughness": roughness} | glass | kept
    return _with_kept(exported, "principled", {
        "type": "principled", "transmission": 1, "thin": False, "roughness": roughness} | glass)


