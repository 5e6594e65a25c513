# SPDX-License-Identifier: MIT
"""Winnow as a render engine of Blender."""

import bpy

from . import engine, panels, program, settings
from .gltf_hook import glTF2ExportUserExtension  # noqa: F401: the exporter looks for it here


def register():
    settings.register()
    panels.register()
    bpy.utils.register_class(engine.WinnowRenderEngine)
    try:
        program.find_program(engine.preferred_program())
    except program.WinnowError as error:  # the preferences may name it later
        print(f"Winnow: {error}")


def unregister():
    bpy.utils.unregister_class(engine.WinnowRenderEngine)
    panels.unregister()
    settings.unregister()
