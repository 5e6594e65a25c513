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
        if "run_in_avx512" in name and "in_lanes" in name:
            yield name, [line for line in lines if ARITHMETIC.search(line)]


def main(objdump, *paths):
    loops = [loop for path in paths for loop in loops_of(objdump, path)]
    if not loops:
        sys.exit("lanes_test.py: finds no loop in " + " ".join(paths))
    scalar = [name for name, lines in loops if sum("zmm" in line for line in lines) * 2 < len(lines)]
    for name in scalar:
        print("not vector code:", name)
    sys.exit(1 if scalar else 0)


main(*sys.argv[1:])
