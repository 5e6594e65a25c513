# SPDX-License-Identifier: MIT
"""Settings of the engine, of a view layer and of the add-on."""

import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty,
                       StringProperty)


class WinnowSettings(bpy.types.PropertyGroup):
    samples: IntProperty(
        name="Samples", description="Number of samples per pixel", default=64, min=1)
    noise: FloatProperty(
        name="Noise Threshold", default=0.0, min=0.0, max=1.0, precision=3,
        description="Relative error below which a part of the picture needs no more samples; "
                    "0 gives every pixel all samples")
    time_limit: FloatProperty(
        name="Time Limit", description="Maximum time of rendering in seconds; 0 is no limit",
        default=0.0, min=0.0)
    max_bounces: IntProperty(
        name="Max Bounces", description="Maximum number of scattering events of a path",
        default=16, min=0, max=1000)
    clamp_indirect: FloatProperty(
        name="Clamp Indirect", default=0.0, min=0.0,
        description="Maximum that light scattered more than once adds to a sample; 0 is no limit")
    seed: IntProperty(name="Seed", description="Seed of the random numbers", default=0, min=0)
    use_animated_seed: BoolProperty(
        name="Animate Seed", description="Add the number of the frame to the seed", default=True)
    use_denoising: BoolProperty(
        name="Denoise", default=False,
        description="Show the picture without noise. Needs Open Image Denoise (pyoidn)")
    filter: EnumProperty(
        name="Filter", description="Pixel filter", default="blackman-harris",
        items=[("blackman-harris", "Blackman-Harris", ""), ("gaussian", "Gaussian", ""),
               ("tent", "Tent", ""), ("box", "Box", "The samples of a pixel only")])
    filter_width: FloatProperty(
        name="Width", description="Radius of the filter in pixels", default=1.5, min=0.5, max=10.0)
    device: StringProperty(
        name="Device", description="auto, cpu, cuda or cuda:K", default="auto")
    options: StringProperty(
        name="Options", description="Further options of winnow render, as on a command line")


class WinnowLayerSettings(bpy.types.PropertyGroup):
    use_pass_albedo: BoolProperty(
        name="Albedo", description="Colour of the first surface", default=False)
    use_pass_denoised: BoolProperty(
        name="Denoised", default=False,
        description="The picture without noise. Needs Open Image Denoise (pyoidn)")


class WinnowPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    program: StringProperty(
        name="Program", subtype="FILE_PATH",
        description="The program winnow. If empty, that of the variable WINNOW, of the wheel, or "
                    "on PATH")

    def draw(self, context):
        self.layout.prop(self, "program")


CLASSES = (WinnowSettings, WinnowLayerSettings, WinnowPreferences)


def register():
    for kind in CLASSES:
        bpy.utils.register_class(kind)
    bpy.types.Scene.winnow = PointerProperty(type=WinnowSettings)
    bpy.types.ViewLayer.winnow = PointerProperty(type=WinnowLayerSettings)


def unregister():
    del bpy.types.ViewLayer.winnow
    del bpy.types.Scene.winnow
    for kind in reversed(CLASSES):
        bpy.utils.unregister_class(kind)
