#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a loop that calls in_lanes() is not vector code.

  lanes_test.py OBJDUMP OBJECT...   objects of src/backend/cpu, compiled by g++ in Release
"""

import re
import subprocess
import sys

ARITHMETIC = re.compile(r"\tv(add|div|fmadd|mul|padd|pmul|sqrt|sub)")


def loops_of(objdump, path):
    """Yields the name of each loop for AVX-512 and its instructions that compute."""
    words = [objdump, "--disassemble", "--demangle", "--no-show-raw-insn", path]
    code = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    for function in code.split("\n\n"):
        name, *lines = function.split("\n")
        if "run_in_avx512" in name and "in_lanes" in name and name.endswith(">:"):
            yield name, [line for line in lines if ARITHMETIC.search(line)]


def is_vector_code(lines):
    return len(lines) > 0 and sum("zmm" in line for line in lines) * 2 >= len(lines)


def main(objdump, *paths):
    loops = {path: list(loops_of(objdump, path)) for path in paths}
    faults = [f"no loop in {path}" for path in paths if not loops[path]]
    for found in loops.values():
        faults += [f"not vector code: {name}" for name, lines in found if not is_vector_code(lines)]
    for fault in faults:
        print(fault)
    sys.exit(1 if faults or not paths else 0)


main(*sys.argv[1:])
