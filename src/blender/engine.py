# SPDX-License-Identifier: MIT
"""The render engine: writes the scene, runs winnow, and hands the picture back as it refines."""

import pathlib
import shlex
import shutil
import tempfile
import time

import bpy
import numpy

from .display import Receiver
from .pfm import read_pfm
from .program import Run, WinnowError, find_program, has_option
from .scene import View, exported_scene, write_scene
from .translate.notes import Notes

ENGINE = "WINNOW"
NOTHING = 1e10  # depth of a pixel that shows nothing
POLL = 0.05     # s


def is_wanted(layer, name):
    """Tells whether a view layer has a pass of Winnow, by its name."""
    settings = layer.winnow
    return {"Combined": True, "Depth": layer.use_pass_z, "Normal": layer.use_pass_normal,
            "Position": layer.use_pass_position, "Albedo": settings.use_pass_albedo,
            "Denoised": settings.use_pass_denoised}[name]


# Passes: channels, their letters, the type for the compositor, and the AOV.
PASSES = {"Combined": (4, "RGBA", "COLOR", None), "Depth": (1, "Z", "VALUE", "depth"),
          "Normal": (3, "XYZ", "VECTOR", "normal"), "Position": (3, "XYZ", "VECTOR", "position"),
          "Albedo": (3, "RGB", "COLOR", "albedo"), "Denoised": (4, "RGBA", "COLOR", None)}


def preferred_program():
    addon = bpy.context.preferences.addons.get(__package__)
    return addon.preferences.program if addon and addon.preferences else ""


def one_line(error):
    return " ".join(str(error).split()) or type(error).__name__


class WinnowRenderEngine(bpy.types.RenderEngine):
    bl_idname = ENGINE
    bl_label = "Winnow"
    bl_use_preview = False
    bl_use_eevee_viewport = True
    bl_use_postprocess = True
    bl_use_shading_nodes_custom = False

    def is_stopped(self):
        """Tells whether the user has pressed Esc."""
        return self.test_break()

    def update_render_passes(self, scene, render_layer):
        layer = scene.view_layers.get(render_layer.name) or render_layer
        for name, (channels, letters, kind, _) in PASSES.items():
            if is_wanted(layer, name):
                self.register_pass(scene, render_layer, name, channels, letters, kind)

    def update(self, data, depsgraph):
        """Exports the meshes: Blender does not draw, and so does not read them, meanwhile."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="winnow-"))
        self.notes, self.fault = Notes(), None
        try:
            self.update_stats("", "Winnow: exporting")
            self.winnow = find_program(preferred_program())
            self.combined = self.folder / "combined.pfm"
            if depsgraph.scene.render.film_transparent:
                if has_option(self.winnow, "render", "--alpha"):
                    self.combined = self.folder / "combined.exr"
                else:
                    self.notes.add("no transparent film")
            self.exported = exported_scene(self.folder, depsgraph, self.winnow, self.notes)
        except Exception as error:  # render reports it
            self.fault = error

    def render(self, depsgraph):
        try:
            if self.fault:
                raise self.fault
            scene = depsgraph.scene
            views = [view.name for view in scene.render.views if view.use]
            for view in views if scene.render.use_multiview else [""]:
                if view:
                    self.active_view_set(view)
                self._render_view(depsgraph, view)
                if self.is_stopped():
                    break
        except Exception as error:
            if not isinstance(error, (WinnowError, ValueError)):
                import traceback
                traceback.print_exc()
            # This alone ends an animation or a background render.
            self.report({"ERROR"}, f"Winnow: {one_line(error)}")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _render_view(self, depsgraph, view_name):
        scene, layer = depsgraph.scene, depsgraph.view_layer
        result = self.begin_result(0, 0, *self._size(scene), layer=layer.name, view=view_name)
        try:
            width, height = result.resolution_x, result.resolution_y
            view = View(self, scene, width, height)
            file = write_scene(self.exported, self.folder, depsgraph, view, (width, height),
                               scene.winnow, self.notes)
            self.exposure = film_exposure(scene)
            for line in self.notes.take():
                self.report({"WARNING"}, f"Winnow has {line}" if line.startswith("no ")
                            else f"Winnow: {line}")
            self._run(file, result, view_name, scene, layer)
        finally:
            self.end_result(result)

    @staticmethod
    def _size(scene):
        """Returns the size of the picture, without its border."""
        render = scene.render
        return (max(int(render.resolution_x * render.resolution_percentage / 100), 1),
                max(int(render.resolution_y * render.resolution_percentage / 100), 1))

    def _run(self, file, result, view_name, scene, layer):
        receiver = Receiver()
        run = Run(self.winnow, render_words(file, self.combined, scene, layer, receiver.address))
        shown = numpy.zeros((result.resolution_y, result.resolution_x, 4), numpy.float32)
        shown[:, :, 3] = 1.0
        told = -1.0
        try:
            while run.is_running():
                if self.is_stopped():
                    run.stop()
                    return
                self._show(receiver, shown, result, view_name)
                if told != run.progress:
                    told = run.progress
                    self.update_progress(told)
                    self.update_stats("", f"Winnow: {100 * told:.0f} %")
                time.sleep(POLL)
            run.finish()
        finally:
            if run.is_running():
                run.stop()
            receiver.close()
        for warning in run.warnings():
            self.report({"WARNING"}, f"Winnow: {warning}")
        fill_passes(result, view_name, self.combined, scene.winnow, self.exposure)
        self.update_result(result)
        self.update_progress(1.0)

    def _show(self, receiver, shown, result, view_name):
        received = receiver.take()
        for rows in received:
            pixels = numpy.frombuffer(rows.pixels, "<f4").reshape(rows.count, rows.width, 3)
            last = shown.shape[0] - rows.first  # Blender's rows begin at the bottom
            if rows.width == shown.shape[1] and 0 <= last - rows.count:
                shown[last - rows.count:last, :, :3] = pixels[::-1] * self.exposure
        if received:
            set_pass(find_pass(result, "Combined", view_name), shown)
            self.update_result(result)


def render_words(file, combined, scene, layer, display):
    """Returns the command line of winnow after the program; an EXR picture is transparent."""
    settings = scene.winnow
    words = ["render", file, "-o", combined, "--display", display, "--device", settings.device,
             "--exposure", "0"]
    if combined.suffix == ".exr":
        words.append("--alpha")
    seed = settings.seed + (scene.frame_current if settings.use_animated_seed else 0)
    words += ["--seed", max(seed, 0)]
    if settings.noise > 0.0:
        words += ["--noise", settings.noise]
    if settings.time_limit > 0.0:
        words += ["--time-limit", settings.time_limit]
    if settings.clamp_indirect > 0.0:
        words += ["--clamp-indirect", settings.clamp_indirect]
    if settings.use_denoising or layer.winnow.use_pass_denoised:
        words.append("--denoise")
    for name, (*_, aov) in PASSES.items():
        if aov and is_wanted(layer, name):
            words += ["--aov", f"{aov}={combined.with_name(aov)}.pfm"]
    try:
        return words + shlex.split(settings.options)
    except ValueError as error:
        raise WinnowError(f"the further options cannot be read: {error}") from error


def find_pass(result, name, view_name):
    """Returns a pass of a result, of the only view if `view_name` is empty; None if it has none."""
    if not view_name and result.views:
        view_name = result.views[0].name
    return result.layers[0].passes.find_by_name(name, view_name)


def set_pass(target, pixels):
    target.rect.foreach_set(numpy.ascontiguousarray(pixels, numpy.float32).ravel())


def read_combined(path):
    """Returns a picture as RGBA, its colours multiplied by alpha."""
    if path.suffix == ".pfm":
        pixels = read_pfm(path)
        return numpy.dstack([pixels, numpy.ones(pixels.shape[:2], numpy.float32)])
    image = bpy.data.images.load(str(path), check_existing=False)
    try:
        image.colorspace_settings.is_data = True
        width, height = image.size
        pixels = numpy.ones((height, width, image.channels), numpy.float32)
        image.pixels.foreach_get(pixels.ravel())
    finally:
        bpy.data.images.remove(image)
    if pixels.shape[2] == 4:
        return pixels
    return numpy.dstack([pixels, numpy.ones((height, width), numpy.float32)])


def film_exposure(scene):
    """Returns Film > Exposure of Cycles: a factor of the picture."""
    return getattr(getattr(scene, "cycles", None), "film_exposure", 1.0)


def fill_passes(result, view_name, combined, settings, exposure):
    """Hands all pictures of a finished render to Blender."""
    clean = combined.with_suffix(f".clean{combined.suffix}")
    for name, (_, _, _, aov) in PASSES.items():
        target = find_pass(result, name, view_name)
        if target is None:
            continue
        if aov is None:
            is_clean = name == "Denoised" or settings.use_denoising
            pixels = read_combined(clean if is_clean and clean.exists() else combined)
            pixels[:, :, :3] *= numpy.float32(exposure)
        else:
            pixels = read_pfm(combined.with_name(f"{aov}.pfm"))
            if aov == "depth":
                pixels = numpy.where(numpy.isfinite(pixels), numpy.minimum(pixels, NOTHING),
                                     numpy.float32(NOTHING))[:, :, :1]
            elif aov in ("normal", "position"):
                pixels = numpy.dstack([pixels[:, :, 0], -pixels[:, :, 2], pixels[:, :, 1]])
                pixels = numpy.where(numpy.isfinite(pixels), pixels, numpy.float32(0.0))
        set_pass(target, pixels)
