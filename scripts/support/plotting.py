# SPDX-License-Identifier: MIT
"""Plots of measurements: Matplotlib, installed if it is missing, and a layout of panels."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBIAN_PYTHON = "/usr/bin/python3"


def load_matplotlib(**style):
    """Returns the module, set to draw to files, with these rcParams added. Call it before anything is
    printed: it may restart the script."""
    try:
        import matplotlib
    except ImportError:
        subprocess.run([ROOT / "scripts/setup", "python3-matplotlib"], check=True)
        if os.path.realpath(sys.executable) != os.path.realpath(DEBIAN_PYTHON):
            os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])  # only this one has the package
        import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"font.size": 9, "axes.grid": True, "axes.spines.top": False,
                                "axes.spines.right": False, "legend.frameon": False} | style)
    return matplotlib


def panels(count, size, columns=3, share_y=False):
    """Returns a figure of `count` panels of `size` = (width, height) in inches, and their axes."""
    from matplotlib import pyplot
    columns = min(count, columns)
    rows = -(-count // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(size[0] * columns, size[1] * rows),
                                   squeeze=False, sharey=share_y, layout="constrained")
    axes = list(axes.flat)
    for axis in axes[count:]:
        axis.remove()
    return figure, axes[:count]


def legend_below(figure, axes, columns=4):
    """Draws one legend for all panels below them."""
    known = {}
    for axis in axes:
        known.update({label: line for line, label in zip(*axis.get_legend_handles_labels())})
    columns = min(len(known), columns)
    rows = -(-len(known) // columns)
    height = (0.1 + 0.22 * rows) / figure.get_figheight()  # inches
    figure.get_layout_engine().set(rect=(0, height, 1, 1 - height))
    figure.legend(known.values(), known.keys(), loc="lower center", ncols=columns)


def draw_sheet(pictures, columns, path):
    """Writes a sheet of (title, image) pairs."""
    from matplotlib import pyplot
    rows = -(-len(pictures) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(columns * 2.4, rows * 2.05), dpi=100)
    for axis in axes.flat:
        axis.axis("off")
    for axis, (title, picture) in zip(axes.flat, pictures):
        axis.imshow(picture, interpolation="lanczos")
        axis.set_title(title, fontsize=9)
    figure.subplots_adjust(left=0.01, right=0.99, bottom=0.01, top=0.96, wspace=0.04, hspace=0.16)
    figure.savefig(path)


def draw_row(pictures, path):
    """Draws (title, image) pairs of one size side by side, pixel by pixel."""
    from matplotlib import pyplot
    kTitle, kGap, kDpi = 24, 6, 100  # pixels, pixels, pixels an inch
    height, width = pictures[0][1].shape[:2]
    size = (len(pictures) * (width + kGap) - kGap, height + kTitle)
    figure = pyplot.figure(figsize=(size[0] / kDpi, size[1] / kDpi), dpi=kDpi)
    for column, (title, picture) in enumerate(pictures):
        axis = figure.add_axes((column * (width + kGap) / size[0], 0, width / size[0], height / size[1]))
        axis.axis("off")
        axis.imshow(picture, interpolation="nearest")
        axis.set_title(title, fontsize=9, pad=4)
    figure.savefig(path)
