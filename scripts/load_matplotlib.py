"""Matplotlib, installed where it is missing."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEBIAN_PYTHON = "/usr/bin/python3"


def load_matplotlib():
    """The module, drawing to files. Call it before anything is printed: it may start over."""
    try:
        import matplotlib
    except ImportError:
        subprocess.run([ROOT / "scripts/setup", "python3-matplotlib"], check=True)
        if os.path.realpath(sys.executable) != os.path.realpath(DEBIAN_PYTHON):
            os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])  # another one has no such packages
        import matplotlib
    matplotlib.use("Agg")
    return matplotlib
