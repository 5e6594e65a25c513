# SPDX-License-Identifier: MIT
"""Lamps as lights and emissive shapes of Winnow's JSON.

A lamp has a power in W, a sun an irradiance in W m^-2. Lamps of Blender are not seen by the camera
unless they are told to; emissive shapes of Winnow are.
"""

import math

from .axes import added, column, length, normalized, scaled, to_y_up
from .nodes import Input, active_output

CLUSTER_SIZE = 64  # points that stand for a lamp with a radius where Winnow has only points
DISK_SIDES = 64


def emission_of_nodes(lamp, notes):
    """Returns the colour that the nodes of a lamp multiply its own with."""
    if not getattr(lamp, "use_nodes", False) or not lamp.node_tree:
        return [1.0, 1.0, 1.0]
    output = active_output(lamp.node_tree, "OUTPUT_LIGHT")
    surface = Input(output.inputs["Surface"]) if output else None
    if surface is None or surface.node is None:
        return [0.0, 0.0, 0.0]
    if surface.kind != "EMISSION":
        notes.add("no nodes of lamps but Emission", lamp.name)
        return [1.0, 1.0, 1.0]
    color, strength = surface.value("Color"), surface.value("Strength")
    if color is None:
        notes.add("no textures of lamps, such as IES", lamp.name)
        color = [1.0, 1.0, 1.0]
    if strength is None:
        source = surface.of("Strength")
        if source.kind == "LIGHT_FALLOFF":
            strength = source.value("Strength", default=1.0)
            if source.output.name != "Quadratic" or source.value("Smooth", default=1.0) != 0.0:
                notes.add("no falloff of lamps but the square of the distance", lamp.name)
        else:
            notes.add("no textures of lamps, such as IES", lamp.name)
            strength = 1.0
    return scaled(color, strength)


def power_of(lamp, notes):
    """Returns the power of a lamp in W per channel, of a sun its irradiance."""
    color = [float(channel) for channel in lamp.color]
    if getattr(lamp, "use_temperature", False):
        color = [c * t for c, t in zip(color, lamp.temperature_color)]
    factor = lamp.energy * 2.0 ** getattr(lamp, "exposure", 0.0)
    return [factor * c * n for c, n in zip(color, emission_of_nodes(lamp, notes))]


def add_lamp(scene, lamp, name, matrix, is_seen, is_in_view, notes):
    """Adds a lamp to a scene of Winnow.

    scene       with the lists "shapes" and "lights" and the object "materials"
    matrix      from the lamp to the world, rows of numbers
    is_seen     whether Blender's camera sees it
    is_in_view  tells whether the camera sees a ball, by its centre and radius
    """
    power = power_of(lamp, notes)
    if max(power) <= 0.0:
        if min(power) < 0.0:
            notes.add("no lamps of negative strength", name)
        return
    power = [max(channel, 0.0) for channel in power]
    if not getattr(lamp, "use_shadow", True):
        notes.add("no lamps without shadows", name)
    position = column(matrix, 3)
    axis = scaled(normalized(column(matrix, 2)), -1.0)
    if lamp.type == "SUN":
        scene["lights"].append({"type": "directional", "direction": to_y_up(axis),
                                "irradiance": power, "angle": math.degrees(lamp.angle)})
    elif lamp.type == "AREA":
        _add_area(scene, lamp, name, matrix, power, notes)
        if not is_seen and is_in_view(position, 0.5 * max(lamp.size, getattr(lamp, "size_y", 0.0))):
            notes.add("area lamps that the camera looks at are visible", name)
    else:
        hidden = not is_seen and is_in_view(position, lamp.shadow_soft_size)
        _add_point(scene, lamp, name, position, axis, power, hidden, notes)


def _add_point(scene, lamp, name, position, axis, power, is_hidden, notes):
    radius = lamp.shadow_soft_size
    if radius > 0.0 and getattr(lamp, "use_soft_falloff", False):
        notes.add("lamps with Soft Falloff are balls, brighter by (radius / distance)^2", name)
    if not getattr(lamp, "normalize", True) and radius > 0.0:
        power = scaled(power, math.pi * radius * radius)
    if lamp.type == "POINT" and radius > 0.0 and not is_hidden:
        scene["lights"].append({"type": "sphere", "center": to_y_up(position), "radius": radius,
                                "power": power})
        return
    light = {"type": "point"}
    if lamp.type == "SPOT":
        half = math.cos(0.5 * lamp.spot_size)
        full = half + (1.0 - half) * lamp.spot_blend
        light = {"type": "spot", "direction": to_y_up(axis),
                 "cone_angle": math.degrees(0.5 * lamp.spot_size), "falloff": "smooth",
                 "falloff_start": math.degrees(math.acos(min(full, 1.0)))}
        if lamp.use_square:
            notes.add("square spots are round", name)
    offsets = ball_offsets(CLUSTER_SIZE) if radius > 0.0 else [[0.0, 0.0, 0.0]]
    intensity = scaled(power, 1.0 / (4.0 * math.pi * len(offsets)))
    for offset in offsets:
        place = added(position, scaled(offset, radius))
        scene["lights"].append(light | {"position": to_y_up(place), "intensity": intensity})


def ball_offsets(count):
    """Returns points in the unit ball that a viewer on any side sees evenly spread over a disk.

    The density of such points is proportional to 1 / sqrt(1 - r^2). `count` is even; each point
    has an opposite one.
    """
    golden = math.pi * (3.0 - math.sqrt(5.0))
    points = []
    for index in range(count // 2):
        # The share of points within sin(t) is (2 t - sin 2 t) / pi.
        share = ((index + 0.5) * math.sqrt(2.0)) % 1.0  # independent of the golden angle
        low, high = 0.0, 0.5 * math.pi
        for _ in range(40):
            middle = 0.5 * (low + high)
            if (2.0 * middle - math.sin(2.0 * middle)) / math.pi < share:
                low = middle
            else:
                high = middle
        z = (2.0 * index + 1.0) / count
        around, radius = math.sqrt(1.0 - z * z), math.sin(low)
        point = [radius * around * math.cos(golden * index),
                 radius * around * math.sin(golden * index), radius * z]
        points += [point, scaled(point, -1.0)]
    return points


def _add_area(scene, lamp, name, matrix, power, notes):
    is_round = lamp.shape in ("DISK", "ELLIPSE")
    size_y = lamp.size_y if lamp.shape in ("RECTANGLE", "ELLIPSE") else lamp.size
    x, y = scaled(column(matrix, 0), lamp.size), scaled(column(matrix, 1), size_y)
    area = length(x) * length(y) * (0.25 * math.pi if is_round else 1.0)
    if area <= 0.0:
        notes.add("no area lamps of no size", name)
        return
    if getattr(lamp, "spread", math.pi) < math.pi - 1e-3:
        notes.add("no spread of area lamps below 180 degrees", name)
    if getattr(lamp, "normalize", True):
        power = scaled(power, 1.0 / area)
    material = f"lamp {name}"
    scene["materials"][material] = {"type": "diffuse", "reflectance": 0, "two_sided": False,
                                    "emission": scaled(power, 1.0 / math.pi)}
    center = column(matrix, 3)
    x, y = to_y_up(x), to_y_up(y)  # x cross y points away from the lit side: the axis is -z
    if is_round:
        points = [added(scaled(x, 0.5 * math.cos(t)), scaled(y, -0.5 * math.sin(t)))
                  for t in (2.0 * math.pi * side / DISK_SIDES for side in range(DISK_SIDES))]
        # The polygon has the area of the ellipse.
        sides = 2.0 * math.pi / DISK_SIDES
        grown = math.sqrt(sides / math.sin(sides))
        scene["shapes"].append({
            "type": "mesh", "material": material, "faces": [list(range(DISK_SIDES))],
            "vertices": [added(to_y_up(center), scaled(point, grown)) for point in points]})
        return
    corner = added(to_y_up(center), scaled(added(y, scaled(x, -1.0)), 0.5))
    scene["shapes"].append({"type": "rectangle", "material": material, "corner": corner,
                            "edge_u": x, "edge_v": scaled(y, -1.0)})
