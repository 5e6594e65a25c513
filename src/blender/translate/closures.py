# SPDX-License-Identifier: MIT
"""What the nodes of a material add up to: emission, transparency and weighted closures."""

from .axes import added, scaled
from .nodes import Input, active_output

SCATTERING = {
    "BSDF_PRINCIPLED", "BSDF_DIFFUSE", "BSDF_GLOSSY", "BSDF_GLASS", "BSDF_REFRACTION",
    "BSDF_TRANSLUCENT", "BSDF_METALLIC", "BSDF_SHEEN", "SUBSURFACE_SCATTERING", "BSDF_TOON",
    "BSDF_HAIR", "BSDF_HAIR_PRINCIPLED", "EEVEE_SPECULAR"}


class Surface:
    """The closures of a surface.

    scattering   list of (weight, Input of the closure), heaviest first
    emission     colour in W sr^-1 m^-2, of Emission nodes
    transparent  share of light that passes straight through, and its colour
    volume       Input of the Volume socket
    """

    def __init__(self):
        self.scattering, self.emission = [], [0.0, 0.0, 0.0]
        self.transparent, self.transparent_color = 0.0, [1.0, 1.0, 1.0]
        self.volume = None
        self.has_nodes = self.has_surface = False


def read_surface(material, notes):
    """Returns the Surface of a material of Blender."""
    surface = Surface()
    tree = material.node_tree if material.use_nodes else None
    if tree is None:
        return surface
    surface.has_nodes = True
    output = active_output(tree, "OUTPUT_MATERIAL")
    if output is None:
        return surface
    surface.volume = Input(output.inputs["Volume"])
    displacement = output.inputs.get("Displacement")
    if displacement is not None and displacement.is_linked:
        notes.add("no displacement", material.name)
    source = Input(output.inputs["Surface"])
    surface.has_surface = source.node is not None
    _gather(source, 1.0, surface, material, notes)
    surface.scattering.sort(key=lambda item: -item[0])
    return surface


def _gather(source, weight, surface, material, notes):
    if source is None or source.node is None or weight <= 0.0:
        return
    kind = source.kind
    if kind == "MIX_SHADER":
        factor = source.value(0)
        if factor is None:
            notes.add("no Mix Shader whose factor varies; 0.5 counts", material.name)
            factor = 0.5
        factor = min(max(factor, 0.0), 1.0)
        _gather(source.of(1), weight * (1.0 - factor), surface, material, notes)
        _gather(source.of(2), weight * factor, surface, material, notes)
    elif kind == "ADD_SHADER":
        _gather(source.of(0), weight, surface, material, notes)
        _gather(source.of(1), weight, surface, material, notes)
    elif kind in ("EMISSION", "BACKGROUND"):
        color, strength = source.value("Color"), source.value("Strength")
        if color is None or strength is None:
            notes.add("no nodes for emission but in a Principled BSDF", material.name)
        emission = scaled(color or [1.0, 1.0, 1.0], 1.0 if strength is None else strength)
        surface.emission = added(surface.emission, scaled(emission, weight))
    elif kind == "BSDF_TRANSPARENT":
        color = source.value("Color")
        if color is None:
            notes.add("no nodes for the colour of Transparent BSDF", material.name)
        surface.transparent_color = color or [1.0, 1.0, 1.0]
        surface.transparent += weight
    elif kind in SCATTERING:
        surface.scattering.append((weight, source))
    else:
        notes.add(f"no {source.node.bl_label} shader", material.name)
