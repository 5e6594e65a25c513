# SPDX-License-Identifier: MIT
"""Winnow as a render engine of Blender."""

import bpy

from . import engine, panels, settings
from .gltf_hook import glTF2ExportUserExtension  # noqa: F401: the exporter looks for it here


def register():
    settings.register()
    panels.register()
    bpy.utils.register_class(engine.WinnowRenderEngine)


def unregister():
    bpy.utils.unregister_class(engine.WinnowRenderEngine)
    panels.unregister()
    settings.unregister()
