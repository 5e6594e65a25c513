# SPDX-License-Identifier: MIT
"""The program `winnow` of this package, as the command `winnow` and as `python -m winnow`."""

from __future__ import annotations

import os
import pathlib
import stat
import sys
from typing import NoReturn

__all__ = ["main", "program"]

_EXIT_FAILURE = 1


def program() -> pathlib.Path:
    """Returns the path of the program, for subprocess.

    Raises FileNotFoundError if this package was built without it.
    """
    path = pathlib.Path(__file__).parent / "bin" / "winnow"
    if not path.is_file():
        raise FileNotFoundError(f"{path}: this package was built without the program")
    if not os.access(path, os.X_OK):  # some installers, such as Blender's, drop permissions
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return path


def main() -> NoReturn:
    """Replaces this process by the program, with the same arguments."""
    # The program looks for Open Image Denoise in the active virtual environment. This interpreter
    # may be that of another one.
    environment = {**os.environ, "VIRTUAL_ENV": sys.prefix}
    try:
        path = program()
        os.execve(path, [os.fspath(path), *sys.argv[1:]], environment)
    except OSError as error:
        print(f"winnow: {error}", file=sys.stderr)
        sys.exit(_EXIT_FAILURE)
