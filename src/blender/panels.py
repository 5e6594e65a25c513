# SPDX-License-Identifier: MIT
"""Panels of the properties editor, and the operator that lists what Winnow lacks."""

import bpy

from .engine import ENGINE, one_line
from .scene import note_objects
from .translate import lamps, world as worlds
from .translate.materials import material_json
from .translate.notes import Notes

# Panels of other engines that suit Winnow, too.
BORROWED = ("EEVEE_MATERIAL_PT_context_material", "EEVEE_MATERIAL_PT_surface",
            "EEVEE_MATERIAL_PT_volume", "EEVEE_WORLD_PT_surface", "DATA_PT_EEVEE_light",
            "NODE_DATA_PT_EEVEE_light", "DATA_PT_camera_dof", "DATA_PT_camera_dof_aperture",
            "MATERIAL_PT_preview")
UNSUITED = {"VIEWLAYER_PT_filter", "VIEWLAYER_PT_layer_passes"}


class WinnowPanel(bpy.types.Panel):
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "render"
    COMPAT_ENGINES = {ENGINE}

    @classmethod
    def poll(cls, context):
        return context.engine in cls.COMPAT_ENGINES

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        owner = context.view_layer if self.bl_context == "view_layer" else context.scene
        for name in self.names:  # a name that begins with a dot is a property of Blender
            place = owner if name.startswith(".") else owner.winnow
            *steps, last = name.removeprefix(".").split(".")
            for step in steps:
                place = getattr(place, step)
            self.layout.prop(place, last)


class WINNOW_PT_sampling(WinnowPanel):
    bl_label = "Sampling"
    names = ("samples", "noise", "time_limit", "use_denoising", "seed", "use_animated_seed")


class WINNOW_PT_light_paths(WinnowPanel):
    bl_label = "Light Paths"
    names = ("max_bounces", "clamp_indirect")


class WINNOW_PT_film(WinnowPanel):
    bl_label = "Film"
    names = ("filter", "filter_width", ".render.film_transparent")


class WINNOW_PT_program(WinnowPanel):
    bl_label = "Program"
    names = ("device", "options")

    def draw(self, context):
        super().draw(context)
        self.layout.operator("winnow.list_lacking")


class WINNOW_PT_passes(WinnowPanel):
    bl_label = "Passes"
    bl_context = "view_layer"
    names = (".use_pass_z", ".use_pass_normal", ".use_pass_position", "use_pass_albedo",
             "use_pass_denoised")


class WINNOW_OT_list_lacking(bpy.types.Operator):
    """List what the scene has and Winnow lacks"""

    bl_idname = "winnow.list_lacking"
    bl_label = "List What Winnow Lacks"

    def execute(self, context):
        lines = lacking(context)
        for line in lines or ["nothing that is known"]:
            self.report({"INFO"}, f"Winnow lacks of this scene: {line.removeprefix('no ')}")
        return {"FINISHED"}


def lacking(context):
    """Returns what the scene has and Winnow lacks, one line each, without an export."""
    notes = Notes()
    depsgraph = context.evaluated_depsgraph_get()
    note_objects(context.scene, depsgraph, notes)
    worlds.read_world(context.scene.world, notes)
    exported = dict.fromkeys(("reflectance", "roughness_metallic", "alpha", "emission"), "")
    for item in context.scene.objects:
        if item.hide_render:
            continue
        if item.type == "LIGHT":
            lamps.add_lamp({"shapes": [], "lights": [], "materials": {}}, item.data, item.name,
                           [list(row) for row in item.matrix_world], True, lambda *_: False,
                           notes)
        for slot in item.material_slots:
            if slot.material:
                try:
                    material_json(slot.material, {"textures": exported}, {}, notes)
                except (AttributeError, KeyError) as error:
                    notes.add(f"no such nodes ({one_line(error)})", slot.material.name)
    return notes.lines()


CLASSES = (WINNOW_PT_sampling, WINNOW_PT_light_paths, WINNOW_PT_film, WINNOW_PT_program,
           WINNOW_PT_passes, WINNOW_OT_list_lacking)


def shared_panels():
    """Returns the panels of Blender that Winnow's users see as well."""
    for name in dir(bpy.types):
        panel = getattr(bpy.types, name)
        engines = getattr(panel, "COMPAT_ENGINES", None)
        if isinstance(engines, set) and name not in UNSUITED and (
                name in BORROWED or "BLENDER_RENDER" in engines):
            yield panel


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)
    for panel in shared_panels():
        panel.COMPAT_ENGINES.add(ENGINE)


def unregister():
    for panel in shared_panels():
        panel.COMPAT_ENGINES.discard(ENGINE)
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
