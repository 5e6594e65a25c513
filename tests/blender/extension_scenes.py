# SPDX-License-Identifier: MIT
"""Scenes that the extension renders as Cycles does, for extension.py.

Each scene is a function. Its tolerance is the largest difference of a region's mean, relative to
the mean of Cycles there or, in dark regions, to a tenth of the picture's mean.
"""

from blender_scenes import *

SCENES = {}
SIZE = 32  # pixels of a picture
TOLERANCE = 0.02


def scene(tolerance=TOLERANCE, cause="", samples=256):
    """@param cause  why a scene has a larger tolerance; the README of the extension quotes it"""
    def add(function):
        SCENES[function.__name__] = (tolerance, cause, samples, function)
        return function

    return add


def diffuse(color=(0.7, 0.7, 0.7)):
    return shader_alone("BsdfDiffuse", Color=(*color, 1))


def look_in_daylight():
    """Adds a camera that sees the origin from above, a sky and a sun."""
    add_camera((0, -7, 4), target=(0, 0, 0.5), degrees=35)
    set_world((0.5, 0.6, 0.8))
    add_lamp("SUN", 3, angle=0.05).rotation_euler = (0.7, 0.3, 0)


def room(material=None):
    """A floor with a ball and a box on it, seen from above."""
    plane(material or diffuse(), size=12)
    item = ball(diffuse((0.7, 0.2, 0.1)), radius=0.8)
    item.location = (-0.8, 0, 0.8)
    bpy.ops.mesh.primitive_cube_add(size=1, location=(1.2, 0.3, 0.5))
    bpy.context.object.data.materials.append(diffuse((0.2, 0.3, 0.7)))
    return add_camera((0, -7, 4), target=(0, 0, 0.5), degrees=35)


def image(name, values, space, is_float=False):
    """An image of RGB values, [height][width][3], bottom row first."""
    values = numpy.asarray(values, numpy.float32)
    height, width = values.shape[:2]
    result = bpy.data.images.new(name, width, height, float_buffer=is_float)
    result.colorspace_settings.name = space
    alpha = numpy.ones((height, width), numpy.float32)
    result.pixels.foreach_set(numpy.dstack([values, alpha]).ravel())
    result.pack()
    return result


def gradient(width=64, height=32):
    """Values from 0 to 1 that meet at the left and right edges."""
    x = 2 * math.pi * (numpy.arange(width) + 0.5) / width
    y = (numpy.arange(height) + 0.5) / height
    return 0.5 + 0.5 * numpy.stack(
        numpy.broadcast_arrays(numpy.sin(x), 2 * y[:, None] - 1, numpy.cos(x)), 2)


def add_node(tree, kind, **values):
    node = tree.nodes.new(f"ShaderNode{kind}")
    for name, value in values.items():
        setattr(node, name, value)
    return node


def world_image(values, space, turn=(0, 0, 0), strength=1.0, is_float=True):
    tree = bpy.context.scene.world.node_tree
    texture = add_node(tree, "TexEnvironment", image=image("sky", values, space, is_float))
    mapping, place = add_node(tree, "Mapping"), add_node(tree, "TexCoord")
    mapping.inputs["Rotation"].default_value = turn
    tree.links.new(place.outputs["Generated"], mapping.inputs["Vector"])
    tree.links.new(mapping.outputs["Vector"], texture.inputs["Vector"])
    tree.links.new(texture.outputs["Color"], background().inputs["Color"])
    background().inputs["Strength"].default_value = strength


def texture(material, socket, picture, mapping=None):
    """Links an image to an input of the shader of a material."""
    tree = material.node_tree
    shader = next(node for node in tree.nodes if socket in node.inputs)
    node = add_node(tree, "TexImage", image=picture, interpolation="Linear")
    if mapping:
        place, uv = add_node(tree, "Mapping"), add_node(tree, "UVMap")
        place.inputs["Scale"].default_value = mapping
        tree.links.new(uv.outputs["UV"], place.inputs["Vector"])
        tree.links.new(place.outputs["Vector"], node.inputs["Vector"])
    tree.links.new(node.outputs["Color"], shader.inputs[socket])
    return material


# ---- The world. ----


@scene()
def world_colour():
    room()
    set_world((0.9, 0.5, 0.3))
    background().inputs["Strength"].default_value = 1.7


@scene()
def world_image_turned_about_all_axes():
    room()
    world_image(2.0 * gradient(), "Linear Rec.709", turn=(0.4, -0.7, 2.1), strength=1.5)


@scene()
def world_image_of_bytes():
    room()
    world_image(gradient(), "sRGB", turn=(0, 0, 1.0), is_float=False)


# ---- Lamps. ----


@scene()
def lamp_with_a_radius():
    room()
    add_lamp("POINT", 300, (1.5, -2, 3), shadow_soft_size=0.6, use_soft_falloff=False)


@scene(0.06, "Soft Falloff")
def lamp_with_soft_falloff():
    room()
    add_lamp("POINT", 300, (1.5, -2, 3), shadow_soft_size=0.6)


@scene()
def lamp_of_no_size():
    room()
    add_lamp("POINT", 300, (1.5, -2, 3), shadow_soft_size=0, color=(1, 0.6, 0.2))


@scene(samples=1024)
def spot_with_a_radius():
    room()
    lamp = add_lamp("SPOT", 800, (1.5, -2, 4), shadow_soft_size=0.3, spot_size=math.radians(50),
                    spot_blend=0.4, use_soft_falloff=False)
    lamp.rotation_euler = (0.45, 0.3, 0)


@scene()
def sun_with_an_angle():
    room()
    lamp = add_lamp("SUN", 4, angle=math.radians(25))
    lamp.rotation_euler = (0.6, 0.5, 0)


@scene()
def rectangular_area_lamp():
    room()
    lamp = add_lamp("AREA", 200, (1.5, -2.5, 4), shape="RECTANGLE", size=1.2, size_y=0.5)
    lamp.rotation_euler = (0.5, 0.4, 0.3)
    lamp.scale = (1.5, 2, 1)


@scene()
def elliptic_area_lamp():
    room()
    lamp = add_lamp("AREA", 200, (-2.5, -2, 3), shape="ELLIPSE", size=1.0, size_y=2.0)
    lamp.rotation_euler = (0.4, -0.6, 0)


@scene()
def lamps_with_nodes_temperature_and_exposure():
    room()
    lamp = add_lamp("POINT", 100, (1.5, -2, 3), shadow_soft_size=0.3, use_nodes=True)
    tree = lamp.data.node_tree
    emission = next(node for node in tree.nodes if node.type == "EMISSION")
    emission.inputs["Color"].default_value = (1, 0.3, 0.2, 1)
    emission.inputs["Strength"].default_value = 2.5
    add_lamp("AREA", 60, (-3, -1, 4), size=1.0, use_temperature=True, temperature=3000,
             exposure=1.0)


# ---- The camera. ----


@scene()
def shifted_lens():
    camera = room()
    camera.data.shift_x, camera.data.shift_y = 0.15, -0.1
    bpy.context.scene.render.resolution_x = 48
    set_world((0.2, 0.3, 0.5))
    add_lamp("SUN", 3, angle=0.1)


@scene()
def depth_of_field():
    camera = room()
    camera.data.lens = 85
    camera.data.dof.use_dof = True
    camera.data.dof.aperture_fstop, camera.data.dof.focus_distance = 0.12, 5.5
    camera.data.dof.aperture_blades, camera.data.dof.aperture_rotation = 3, 0.4
    camera.location = (0, -12, 6)
    set_world((0.5, 0.5, 0.5))
    plane(shader_alone("Emission", Strength=5.0), size=0.5, location=(0.8, 0.5, 2.5))


@scene()
def orthographic_camera():
    camera = room()
    camera.data.type, camera.data.ortho_scale, camera.data.sensor_fit = "ORTHO", 5.0, "VERTICAL"
    bpy.context.scene.render.resolution_y = 24
    set_world((0.6, 0.5, 0.4))
    add_camera((9, 0, 9), name="another")


# ---- Materials. ----


def balls(*materials):
    """Balls in a row in front of a floor and a world with a gradient."""
    plane(diffuse(), size=12, location=(0, 0, -0.9))
    for place, material in enumerate(materials):
        ball(material, radius=0.8).location = (1.8 * (place - 0.5 * (len(materials) - 1)), 0, 0)
    camera = add_camera((0, -8, 2.5), degrees=18 * len(materials) - 8)
    bpy.context.scene.render.resolution_x = SIZE * len(materials)
    world_image(gradient() + 0.2, "Linear Rec.709", turn=(0, 0, 0.5))
    return camera


@scene()
def closures_of_their_own():
    balls(diffuse((0.6, 0.3, 0.1)), shader_alone("BsdfGlossy", Color=(0.8, 0.6, 0.3, 1), Roughness=0.25),
          shader_alone("BsdfMetallic", **{"Base Color": (0.9, 0.7, 0.3, 1), "Edge Tint": (1, 1, 1, 1)},
                       Roughness=0.3))


@scene()
def glass():
    balls(shader_alone("BsdfGlass", Color=(0.9, 0.8, 0.6, 1), IOR=1.45, Roughness=0.0),
          shader_alone("BsdfGlass", Color=(1, 1, 1, 1), IOR=1.3, Roughness=0.0),
          principled(Transmission_Weight=1.0, IOR=1.6, Roughness=0.0, Base_Color=(0.5, 0.8, 0.9, 1)))


def volume(material, kind, **inputs):
    tree = material.node_tree
    node = add_node(tree, kind)
    for name, value in inputs.items():
        node.inputs[name].default_value = value
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    tree.links.new(node.outputs[0], output.inputs["Volume"])
    return material


def emptied(material):
    """A material without a surface."""
    tree = material.node_tree
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    for link in list(output.inputs["Surface"].links):
        tree.links.remove(link)
    return material


@scene()
def absorbing_glass():
    balls(volume(principled(Transmission_Weight=1.0, Roughness=0.0, Base_Color=(1, 1, 1, 1)),
                 "VolumeAbsorption", Color=(0.8, 0.3, 0.1, 1), Density=1.2),
          volume(shader_alone("BsdfGlass", IOR=1.33, Roughness=0.0), "VolumeAbsorption",
                 Color=(0.1, 0.6, 0.7, 1), Density=0.8))


@scene()
def smoke_without_a_surface():
    balls(volume(emptied(principled()), "VolumeScatter", Color=(0.7, 0.5, 0.3, 1), Density=1.5,
                 Anisotropy=0.4),
          volume(emptied(principled()), "VolumePrincipled", Color=(0.4, 0.5, 0.6, 1), Density=2.0))


@scene()
def indices_of_opaque_surfaces():
    balls(principled(IOR=2.2, Roughness=0.2, Base_Color=(0.1, 0.1, 0.1, 1)),
          principled(IOR=1.8, Specular_IOR_Level=0.2, Roughness=0.3, Base_Color=(0.3, 0.1, 0.1, 1)),
          principled(Specular_IOR_Level=0.0, Base_Color=(0.3, 0.5, 0.1, 1)))


@scene()
def sheen_with_a_weight():
    balls(principled(Sheen_Weight=0.3, Sheen_Tint=(0.9, 0.5, 0.3, 1), Base_Color=(0.2, 0.1, 0.3, 1)),
          principled(Sheen_Weight=0.0, Base_Color=(0.2, 0.1, 0.3, 1)))


@scene()
def mixed_shaders():
    glow = shader_alone("Emission", Color=(1, 0.6, 0.3, 1), Strength=2.0)
    half = mixed("BsdfTransparent", "BsdfDiffuse", 0.6)
    leaf = mixed("BsdfDiffuse", "BsdfTranslucent", 0.4)
    balls(glow, half, leaf)


def mixed(first, second, factor):
    material = shader_alone(first)
    tree = material.node_tree
    mix, other = add_node(tree, "MixShader"), add_node(tree, second)
    shader = next(node for node in tree.nodes if node.bl_idname == f"ShaderNode{first}")
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    mix.inputs[0].default_value = factor
    tree.links.new(shader.outputs[0], mix.inputs[1])
    tree.links.new(other.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], output.inputs["Surface"])
    return material


@scene()
def images_in_their_colour_spaces():
    picture = gradient(32, 32)
    for place, material in enumerate((
            texture(principled(Specular_IOR_Level=0.0), "Base Color", image("data", picture, "Non-Color")),
            texture(diffuse(), "Color", image("srgb", picture, "sRGB"), mapping=(2, 3, 1)),
            texture(principled(Specular_IOR_Level=0.0), "Base Color",
                    image("floats", picture, "Linear Rec.709", is_float=True)),
            texture(principled(Metallic=1.0), "Roughness", image("rough", picture[:, :, :1] * [1, 1, 1], "sRGB")))):
        plane(material, size=1.8, location=(2.0 * place - 3.0, 0, 0))
    add_camera((0, -2, 8), degrees=60)
    bpy.context.scene.render.resolution_x = 4 * SIZE
    world_image(gradient() + 0.3, "Linear Rec.709")


def feed_number(material, name, picture, factor=None):
    """Links an image, or a factor times it, to an input of a material."""
    texture(material, name, picture)
    if factor is not None:
        tree = material.node_tree
        link = next(link for link in tree.links if link.to_socket.name == name)
        source, target = link.from_socket, link.to_socket
        node = add_node(tree, "Math", operation="MULTIPLY")
        node.inputs[1].default_value = factor
        tree.links.new(source, node.inputs[0])
        tree.links.new(node.outputs[0], target)
    return material


def look_at_four_planes(materials):
    for place, material in enumerate(materials):
        plane(material, size=2.0, location=(2.0 * (place % 2) - 1.0, 2.0 * (place // 2) - 1.0, 0))
    add_camera((0, -1.5, 4), degrees=35)
    world_image(gradient() + 0.3, "Linear Rec.709")


@scene()
def colours_that_feed_numbers():
    green = image("green", gradient(32, 32) * [0, 1, 0], "Non-Color")
    look_at_four_planes([
        feed_number(principled(Metallic=1.0), "Roughness", green),
        feed_number(principled(Roughness=0.3), "Metallic", green),
        feed_number(principled(Metallic=1.0), "Roughness", green, 0.6),
        feed_number(principled(Roughness=0.3), "Metallic", green, 0.6)])


@scene()
def colours_that_feed_coats():
    green, base = image("green", gradient(32, 32) * [0, 1, 0], "Non-Color"), (0.3, 0.3, 0.3, 1)
    look_at_four_planes([
        feed_number(principled(Base_Color=base, Roughness=0.9), "Coat Weight", green),
        feed_number(principled(Base_Color=base, Coat_Weight=1.0), "Coat Roughness", green),
        feed_number(principled(Base_Color=base, Roughness=0.9), "Coat Weight", green, 0.5),
        feed_number(principled(Base_Color=base, Coat_Weight=1.0), "Coat Roughness", green, 0.5)])


@scene(0.03, "also scales what is reflected at grazing angles")
def colours_that_feed_levels():
    green, base = image("green", gradient(32, 32) * [0, 1, 0], "Non-Color"), (0.1, 0.1, 0.1, 1)
    look_at_four_planes([
        feed_number(principled(Base_Color=base, Roughness=roughness), "Specular IOR Level", green,
                    factor) for roughness in (0.2, 0.5) for factor in (None, 0.5)])


@scene()
def exposure_of_the_film():
    plane(diffuse(), size=4)
    look_in_daylight()
    bpy.context.scene.cycles.film_exposure = 2.5


# ---- Objects. ----


def with_alpha(mode, is_used, is_float=False, mask=None):
    """A matte surface with an image whose alpha has this mode, and is used by the surface or not.

    mask  the output of another image that is used instead
    """
    values = numpy.ones((8, 8, 4), numpy.float32)
    values[:, :, :3] = gradient(8, 8)
    values[:, :, 3] = 0.3 + 0.6 * (numpy.indices((8, 8)).sum(0) % 2)
    if mode == "PREMUL":
        values[:, :, :3] *= values[:, :, 3:]
    picture = bpy.data.images.new(mode, 8, 8, alpha=True, float_buffer=is_float)
    picture.alpha_mode = mode
    picture.colorspace_settings.name = "Linear Rec.709" if is_float else "sRGB"
    picture.pixels.foreach_set(values.ravel())
    picture.pack()
    material = principled(Roughness=1.0, Specular_IOR_Level=0.0)
    tree = material.node_tree
    node = add_node(tree, "TexImage", image=picture, interpolation="Closest")
    shader = next(each for each in tree.nodes if each.type == "BSDF_PRINCIPLED")
    tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    if is_used:
        tree.links.new(node.outputs["Alpha"], shader.inputs["Alpha"])
    if mask:
        other = bpy.data.images.new("mask", 8, 8, alpha=True)
        steps = 0.3 + 0.5 * (numpy.indices((8, 8, 4))[0] % 2)
        other.pixels.foreach_set(steps.astype(numpy.float32).ravel())
        other.pack()
        node = add_node(tree, "TexImage", image=other, interpolation="Closest")
        tree.links.new(node.outputs[mask], shader.inputs["Alpha"])
    return material


@scene()
def alpha_modes_of_images():
    plane(diffuse(), size=12)
    cards = [("PREMUL", True), ("PREMUL", True, True), ("PREMUL", False), ("CHANNEL_PACKED", False),
             ("NONE", False), ("STRAIGHT", False, True), ("CHANNEL_PACKED", True)]
    for place, card in enumerate(cards):
        plane(with_alpha(*card), size=0.9, location=(place - 3.0, 0, 0.8))
        bpy.context.object.rotation_euler = (1.2, 0, 0)
    add_camera((0, -9, 3), target=(0, 0, 0.5), degrees=42)
    set_world((0.5, 0.6, 0.8))


@scene()
def alpha_of_another_image():
    plane(diffuse(), size=12)
    modes = ("PREMUL", "NONE", "STRAIGHT", "CHANNEL_PACKED")
    cards = [(mode, mask) for mode in modes for mask in ("Alpha", "Color")]
    for place, (mode, mask) in enumerate(cards):
        plane(with_alpha(mode, False, mask=mask), size=1.4,
              location=(1.5 * (place % 4) - 2.25, 1.5 * (place // 4) - 0.75, 0.5))
    add_camera((0, 0, 9), degrees=39)
    set_world((0.5, 0.6, 0.8))


@scene()
def instances_and_modifiers():
    plane(diffuse(), size=12)
    bpy.ops.mesh.primitive_cube_add(size=1.4, location=(-1.3, 0, 0.7))
    smooth = bpy.context.object
    smooth.data.materials.append(diffuse((0.7, 0.3, 0.2)))
    smooth.modifiers.new("smooth", "SUBSURF").levels = 0
    smooth.modifiers["smooth"].render_levels = 3
    hidden = ball(diffuse(), radius=1.5)
    hidden.hide_render = True
    members = bpy.data.collections.new("members")
    bpy.ops.mesh.primitive_cone_add(radius1=0.3, depth=0.9, location=(0, 0, 0.45))
    cone = bpy.context.object
    bpy.context.scene.collection.objects.unlink(cone)
    members.objects.link(cone)
    cone.data.materials.append(diffuse((0.2, 0.5, 0.2)))
    for place in range(3):
        copy = bpy.data.objects.new("copy", None)
        copy.instance_type, copy.instance_collection = "COLLECTION", members
        copy.location, copy.scale = (0.6 + 0.9 * place, 0.5 * place, 0), (1, 1, 1 + 0.4 * place)
        bpy.context.scene.collection.objects.link(copy)
    look_in_daylight()


@scene()
def modifiers_and_materials_of_instanced_objects():
    plane(diffuse(), size=12)
    members = bpy.data.collections.new("members")  # not a part of the scene
    bpy.ops.mesh.primitive_cube_add(size=1.4, location=(0, 0, 0.7))
    cube = bpy.context.object
    cube.data.materials.append(diffuse((0.7, 0.2, 0.1)))
    twin = bpy.data.objects.new("twin", cube.data)
    twin.location = (1.8, 0, 0.7)
    for item, color in ((cube, (0.1, 0.2, 0.8)), (twin, (0.1, 0.6, 0.2))):
        item.material_slots[0].link = "OBJECT"
        item.material_slots[0].material = diffuse(color)
        item.modifiers.new("smooth", "SUBSURF").levels = 0
        item.modifiers["smooth"].render_levels = 3
        members.objects.link(item)
    bpy.context.scene.collection.objects.unlink(cube)
    copy = bpy.data.objects.new("copy", None)
    copy.instance_type, copy.instance_collection = "COLLECTION", members
    copy.location, copy.scale = (-0.9, 0, 0), (1, -1, 1)
    bpy.context.scene.collection.objects.link(copy)
    look_in_daylight()


@scene()
def objects_that_the_viewport_hides():
    plane(diffuse(), size=12)
    hidden = bpy.data.collections.new("hidden")
    bpy.context.scene.collection.children.link(hidden)
    for place in range(3):
        item = ball(diffuse((0.8, 0.3 * place, 0.1)), radius=0.6)
        item.location = (1.5 * (place - 1), 0, 0.6)
        item.hide_viewport = place == 0
        item.hide_set(place == 1)
        if place == 2:
            bpy.context.scene.collection.objects.unlink(item)
            hidden.objects.link(item)
    hidden.hide_viewport = True
    look_in_daylight()


@scene()
def resolutions_of_renders():
    plane(diffuse(), size=12)
    bpy.ops.curve.primitive_bezier_circle_add(radius=0.8, location=(-1.6, 0, 0.2))
    disk = bpy.context.object.data
    disk.dimensions, disk.fill_mode, disk.extrude = "2D", "BOTH", 0.2
    disk.resolution_u, disk.render_resolution_u = 1, 16
    disk.materials.append(diffuse((0.8, 0.3, 0.2)))
    bpy.ops.object.metaball_add(type="BALL", radius=1.2, location=(0, 0, 0.7))
    ball_data = bpy.context.object.data
    ball_data.resolution, ball_data.render_resolution = 0.9, 0.1
    ball_data.materials.append(diffuse((0.2, 0.3, 0.8)))
    bpy.ops.mesh.primitive_cube_add(size=1.4, location=(1.7, 0, 0.7))
    cube = bpy.context.object
    cube.data.materials.append(diffuse((0.2, 0.7, 0.3)))
    cube.modifiers.new("smooth", "SUBSURF").render_levels = 3
    render = bpy.context.scene.render
    render.use_simplify = True
    render.simplify_subdivision, render.simplify_subdivision_render = 6, 1
    look_in_daylight()


@scene()
def mesh_without_a_material():
    plane(diffuse((0.3, 0.3, 0.3)), size=12)
    bpy.ops.mesh.primitive_cube_add(size=1.5, location=(0, 0, 0.75))
    add_camera((0, -7, 4), target=(0, 0, 0.5), degrees=35)
    set_world((0.9, 0.9, 0.9))


@scene()
def geometry_nodes_text_and_curves():
    plane(diffuse(), size=12)
    bpy.ops.mesh.primitive_cube_add(size=0.6, location=(9, 9, 9))
    member = bpy.context.object
    member.data.materials.append(diffuse((0.2, 0.3, 0.7)))
    member.hide_render = True
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=2, y_subdivisions=2, size=2.4, location=(0, 0.5, 0.4))
    points = bpy.context.object
    tree = bpy.data.node_groups.new("scatter", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    begin, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    copy, info = tree.nodes.new("GeometryNodeInstanceOnPoints"), tree.nodes.new("GeometryNodeObjectInfo")
    info.inputs["Object"].default_value = member
    tree.links.new(begin.outputs[0], copy.inputs["Points"])
    tree.links.new(info.outputs["Geometry"], copy.inputs["Instance"])
    tree.links.new(copy.outputs[0], end.inputs[0])
    points.modifiers.new("scatter", "NODES").node_group = tree
    bpy.ops.object.text_add(location=(-1.6, -1.5, 0.05))
    bpy.context.object.data.extrude = 0.2
    bpy.context.object.data.materials.append(diffuse((0.7, 0.2, 0.1)))
    add_camera((0, -7, 4), target=(0, 0, 0.3), degrees=35)
    set_world((0.6, 0.6, 0.7))


def blurred(position="CENTER", shutter=1.0):
    """Opens the shutter at frame 5 of the motions of moved()."""
    render, scene_ = bpy.context.scene.render, bpy.context.scene
    render.use_motion_blur = True
    render.motion_blur_shutter, render.motion_blur_position = shutter, position
    scene_.frame_set(5)


def moved(item, path, first, last):
    """Moves a property evenly from frame 4 to frame 6."""
    for frame, value in ((4, first), (6, last)):
        setattr(item, path, value)
        item.keyframe_insert(path, frame=frame)
    for curve in curves_of(item.id_data.animation_data.action):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def curves_of(action):
    if hasattr(action, "fcurves"):
        return action.fcurves
    return [curve for layer in action.layers for strip in layer.strips
            for bag in strip.channelbags for curve in bag.fcurves]


def lit_room():
    room()
    set_world((0.6, 0.6, 0.6))
    add_lamp("SUN", 2).rotation_euler = (0.5, 0.3, 0)
    return [item for item in bpy.context.scene.objects if item.type == "MESH"]


@scene()
def motion_of_objects():
    _, ball_, box = lit_room()
    moved(ball_, "location", (-2.4, 0, 0.8), (0.8, 0, 0.8))
    moved(box, "rotation_euler", (0, 0, -1.2), (0, 0, 1.2))
    blurred()


@scene()
def motion_after_the_frame():
    _, ball_, box = lit_room()
    moved(ball_, "location", (-2.4, 0, 0.8), (0.8, 0, 0.8))
    moved(box, "scale", (1, 1, 1), (1, 1, 2.5))
    blurred("START", 0.5)


@scene()
def motion_before_the_frame_of_instances():
    _, ball_, _ = lit_room()
    twin = bpy.data.objects.new("twin", ball_.data)
    bpy.context.collection.objects.link(twin)
    moved(ball_, "location", (-2.4, 0, 0.8), (0.8, 0, 0.8))
    moved(twin, "location", (0.5, 2, 0.8), (2.1, 2, 1.6))
    blurred("END")


@scene()
def motion_of_vertices():
    _, ball_, _ = lit_room()
    ball_.shape_key_add(name="rest")
    key = ball_.shape_key_add(name="wide")
    for point in key.data:
        point.co.x *= 2.0
    moved(key, "value", 0.0, 1.0)
    blurred()


@scene()
def motion_of_the_camera():
    lit_room()
    moved(bpy.context.scene.camera, "location", (-0.8, -7, 4), (0.8, -7, 4))
    blurred()


@scene()
def motion_the_long_way():
    """Between the opening and the closing of the shutter, the box turns by 286 degrees."""
    box = lit_room()[2]
    box.scale = (2, 0.3, 1)
    moved(box, "rotation_euler", (0, 0, -5), (0, 0, 5))
    blurred()


@scene()
def motion_of_a_lamp_is_not_blurred():
    lit_room()
    lamp = add_lamp("POINT", 300, location=(-2, -1, 2))
    moved(lamp, "location", (-2, -1, 2), (2, -1, 2))
    blurred()


@scene()
def shape_keys():
    motion_of_vertices()
    bpy.context.scene.render.use_motion_blur = False
