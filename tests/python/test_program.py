# SPDX-License-Identifier: MIT
"""The program of the package, as the command and as a module."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import winnow


def run(*command, **environment):
    return subprocess.run([os.fspath(word) for word in command], capture_output=True, text=True, check=False,
                          env={"PYTHONPATH": os.pathsep.join(sys.path), **os.environ, **environment})


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
    done = run(sys.executable, "-c", START, PYTHONPATH=str(package.parent), VIRTUAL_ENV="/env")
    assert (done.returncode, done.stdout) == (0, "/env\n")


def test_the_program_learns_in_which_environment_it_is_installed(package):
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run([sys.executable, "-c", START, "a b"], capture_output=True, text=True, check=False,
                          env={**environment, "PYTHONPATH": str(package.parent)})
    assert done.stdout == f"{sys.prefix} a b\n"


def test_a_package_without_the_program_says_so_in_one_line(package):
    (package / "bin/winnow").unlink()
    done = run(sys.executable, "-c", START, PYTHONPATH=str(package.parent))
    assert done.returncode == 1
    assert done.stderr.startswith("winnow: ") and done.stderr.count("\n") == 1
    assert "built without the program" in done.stderr
