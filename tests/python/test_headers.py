# SPDX-License-Identifier: MIT
"""The headers of compaction in the package."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from winnow import compaction

COMPILER = shutil.which(os.environ.get("CXX", "g++"))


def test_the_headers_are_in_the_package():
    include = pathlib.Path(compaction.include_dir())
    assert include.is_absolute()
    for header in ("cuda.cuh", "append.h", "simt/cuda/block.cuh", "cub/cub_compat.cuh"):
        assert (include / "compaction" / header).is_file(), header


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
def test_a_kernel_compiles_for_the_host_with_the_headers(tmp_path):
    source = tmp_path / "own.cpp"
    source.write_text("#include <compaction/append.h>\n#include <compaction/single_pass/select.h>\n")
    command = [COMPILER, "-std=c++20", "-fsyntax-only", "-I", compaction.include_dir(), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nvrtc_finds_each_standard_header_that_device_code_includes():
    folders = [pathlib.Path(option[2:]) for option in compaction.nvrtc_options() if option.startswith("-I")]
    library = folders[0] / "compaction"
    headers = {library / name for name in ("append.h", "simt/cuda/block.cuh")}
    headers |= set((library / "single_pass").glob("*.h"))
    seen, standard = set(), set()
    while headers:
        header = headers.pop()
        seen.add(header)
        for name in re.findall(r"#include [<\"]([^>\"]+)[>\"]", header.read_text()):
            if not name.startswith("compaction/"):
                standard.add(name)
            elif folders[0] / name not in seen:
                headers.add(folders[0] / name)
    of_cuda = {name for name in standard if name.startswith("cuda")}
    missing = {name for name in standard - of_cuda if not (folders[1] / name).is_file()}
    assert len(standard) > 10 and not missing
