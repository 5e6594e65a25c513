# SPDX-License-Identifier: MIT
"""Compiles a kernel with NVRTC, for tests: this needs no GPU. Prints NVRTC's messages.

Usage: python compile_with_nvrtc.py libnvrtc.so SOURCE [OPTION...]     SOURCE: a file, or - for standard input
"""

import ctypes
import pathlib
import sys


def main():
    library, source, *options = sys.argv[1:]
    code = sys.stdin.read() if source == "-" else pathlib.Path(source).read_text()
    nvrtc = ctypes.CDLL(library)
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), code.encode(), None, 0, None, None)
    words = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
    failed = nvrtc.nvrtcCompileProgram(program, len(options), words)
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    print(log.value.decode(), "compiled" if failed == 0 else "failed")
    sys.exit(failed)


main()
