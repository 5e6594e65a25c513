# SPDX-License-Identifier: MIT
"""Runs the tests of this folder, for ctest. Exits with 77, and says why, where they cannot run.

Usage: python run_tests.py FOLDER [OPTION...]     FOLDER holds the package; OPTION: any of pytest's
"""

import importlib.util
import pathlib
import sys

SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def main():
    folder, options = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if not list(folder.glob("winnow/_winnow.*.so")):
        skip("the Python module is not built; configure with -DWINNOW_PYTHON=ON, which needs nanobind")
    for package in ("nanobind_backend", "numpy", "pytest"):
        if importlib.util.find_spec(package) is None:
            skip(f"{sys.executable} has no {package}; pip install {package}")
    sys.path.insert(0, str(folder))
    import pytest
    tests = pathlib.Path(__file__).resolve().parent
    sys.exit(pytest.main([str(tests), "-q", "-p", "no:cacheprovider", "--rootdir", str(tests),
                          *options]))


if __name__ == "__main__":
    main()
