# SPDX-License-Identifier: MIT
"""The program of the package, as the command and as a module."""

import contextlib
import ctypes
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from conftest import environment

import winnow


def run(*command, **more):
    return subprocess.run([os.fspath(word) for word in command], capture_output=True, text=True, check=False,
                          env={**environment(), **more})


def test_the_program_is_beside_the_module():
    path = winnow.program()
    assert path.parent.parent == pathlib.Path(winnow.__file__).parent
    assert run(path, "--version").stdout.startswith("winnow ")


def test_the_module_runs_the_program_with_its_arguments():
    done = run(sys.executable, "-m", "winnow", "--version")
    assert done.stdout == run(winnow.program(), "--version").stdout
    done = run(sys.executable, "-m", "winnow", "render", "no such scene.json")
    assert done.returncode == run(winnow.program(), "render", "no such scene.json").returncode != 0
    assert "no such scene.json" in done.stderr


@pytest.fixture
def package(tmp_path):
    """A copy of the part of the package that starts the program, with a script as the program."""
    folder = tmp_path / "winnow"
    (folder / "bin").mkdir(parents=True)
    shutil.copy(pathlib.Path(winnow.__file__).parent / "program.py", folder)
    (folder / "__init__.py").write_text("")
    program = folder / "bin/winnow"
    program.write_text('#!/bin/sh\necho "$VIRTUAL_ENV" "$@"\n')
    return folder


START = "import winnow.program; winnow.program.main()"


def test_a_program_that_lost_its_permission_still_starts(package):
    assert not os.access(package / "bin/winnow", os.X_OK)
    done = run(sys.executable, "-c", START, PYTHONPATH=str(package.parent))
    assert (done.returncode, done.stdout) == (0, f"{sys.prefix}\n")


def test_the_program_learns_in_which_environment_it_is_installed(package):
    done = run(sys.executable, "-c", START, "a b", PYTHONPATH=str(package.parent), VIRTUAL_ENV="/another")
    assert done.stdout == f"{sys.prefix} a b\n"


@pytest.fixture
def broken_oidn(tmp_path):
    """A package pyoidn whose library cannot be loaded: the error names it."""
    library = tmp_path / "packages/pyoidn/oidn/lib/libOpenImageDenoise.so.2"
    library.parent.mkdir(parents=True)
    library.write_text("no library")
    with contextlib.suppress(OSError):
        ctypes.CDLL(library.name)
        pytest.skip("Open Image Denoise is installed for the system")
    if importlib.util.find_spec("pyoidn"):
        pytest.skip("pyoidn is installed, which takes the place of a broken one")
    return library


# Nothing in this environment leads to packages but PYTHONPATH.
NO_PYTHON = {"PATH": "/nowhere", "HOME": "/nowhere", "VIRTUAL_ENV": "", "CONDA_PREFIX": "", "WINNOW_OIDN": ""}
SCENE = pathlib.Path(__file__).parents[2] / "scenes/cornell-box.json"
RENDER = "import sys, winnow; winnow.render(sys.argv[1], size=(8, 8), spp=1, denoise=True)"


def test_the_module_finds_open_image_denoise_where_it_finds_packages(broken_oidn):
    path = [str(broken_oidn.parents[3]), *sys.path]
    done = run(sys.executable, "-c", RENDER, SCENE, **NO_PYTHON, PYTHONPATH=os.pathsep.join(path))
    assert done.returncode == 1 and str(broken_oidn) in done.stderr


def test_an_installed_program_finds_open_image_denoise_beside_its_package(broken_oidn):
    package = pathlib.Path(winnow.__file__).parent
    if not (package / "libwinnow.so").exists() or package.is_symlink():
        pytest.skip("the package is not installed")
    copies = broken_oidn.parents[3]
    for folder in (package, package.with_name("winnow.libs")):
        if folder.exists():
            shutil.copytree(folder, copies / folder.name)
    done = run(copies / "winnow/bin/winnow", "render", SCENE, "--size", "8x8", "--spp", "1", "--denoise",
               "-o", copies / "box.png", **NO_PYTHON)
    assert done.returncode == 1 and str(broken_oidn) in done.stderr


def test_a_package_without_the_program_says_so_in_one_line(package):
    (package / "bin/winnow").unlink()
    done = run(sys.executable, "-c", START, PYTHONPATH=str(package.parent))
    assert done.returncode == 1
    assert done.stderr.startswith("winnow: ") and done.stderr.count("\n") == 1
    assert "built without the program" in done.stderr
