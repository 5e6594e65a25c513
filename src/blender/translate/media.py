# SPDX-License-Identifier: MIT
"""Homogeneous volumes as media of Winnow's JSON."""

import math

from .axes import added, scaled


def read_medium(volume, material, notes):
    """Returns the medium of a Volume socket; None if there is none."""
    if volume is None or volume.node is None:
        return None
    medium = {"absorption": [0.0] * 3, "scattering": [0.0] * 3, "asymmetry": 0.0}
    _gather(volume, 1.0, medium, material, notes)
    if max(medium["absorption"]) <= 0.0 and max(medium["scattering"]) <= 0.0:
        return None
    medium["asymmetry"] = min(max(medium["asymmetry"], -0.999), 0.999)
    return medium


def _gather(source, weight, medium, material, notes):
    name = material.name
    if source is None or source.node is None:
        return
    if source.kind == "ADD_SHADER":
        _gather(source.of(0), weight, medium, material, notes)
        _gather(source.of(1), weight, medium, material, notes)
        return
    if source.kind == "MIX_SHADER" and source.value(0) is not None:
        factor = source.value(0)
        _gather(source.of(1), weight * (1.0 - factor), medium, material, notes)
        _gather(source.of(2), weight * factor, medium, material, notes)
        return
    if source.kind not in ("VOLUME_ABSORPTION", "VOLUME_SCATTER", "PRINCIPLED_VOLUME"):
        notes.add("no volumes but of Volume Absorption, Volume Scatter and Principled Volume", name)
        return
    color, density = source.value("Color"), source.value("Density")
    if color is None or density is None:
        notes.add("no volumes that vary", name)
        return
    density = max(density, 0.0) * weight
    rest = [max(1.0 - channel, 0.0) for channel in color]
    if source.kind == "VOLUME_ABSORPTION":
        medium["absorption"] = added(medium["absorption"], scaled(rest, density))
        return
    medium["scattering"] = added(medium["scattering"], scaled(color, density))
    medium["asymmetry"] = source.value("Anisotropy", default=0.0)
    if source.kind == "PRINCIPLED_VOLUME":
        absorbed = source.value("Absorption Color", default=[0.0] * 3)
        absorption = [r * (1.0 - math.sqrt(max(a, 0.0))) for r, a in zip(rest, absorbed)]
        medium["absorption"] = added(medium["absorption"], scaled(absorption, density))
        if (source.value("Emission Strength", default=1.0) > 0.0
                or source.value("Blackbody Intensity", default=1.0) > 0.0):
            notes.add("no emission of volumes", name)
    elif getattr(source.node, "phase", "HENYEY_GREENSTEIN") != "HENYEY_GREENSTEIN":
        notes.add("no phase functions but Henyey-Greenstein", name)
