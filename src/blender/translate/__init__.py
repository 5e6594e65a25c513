# SPDX-License-Identifier: MIT
"""Blender's lamps, world, camera and materials as parts of Winnow's JSON.

These modules read attributes of Blender's objects and do not import bpy.
"""
