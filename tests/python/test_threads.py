# SPDX-License-Identifier: MIT
"""Renders in threads of Python: whatever ends the program, nothing aborts it."""

import pathlib
import subprocess
import sys

import pytest
from conftest import environment

import winnow

PROGRAM = r"""
import os, signal, sys, threading, time
import winnow

scene, way = sys.argv[1:]
begun = threading.Event()


def say(line):
    print(line + "\n", end="", flush=True)  # one write, as threads print at once


def work():
    begun.set()
    try:
        ends = {"spp": 4} if way == "exit" else {"spp": 100_000_000}
        if way == "signal":
            ends["time_limit"] = 2.0  # s
        winnow.render(scene, size=(64, 64), **ends)
        say("ended")
    except BaseException as error:
        say(type(error).__name__)


thread = threading.Thread(target=work, daemon=way in ("daemon", "twice"))
thread.start()
if way == "twice":
    threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.5)
if way == "signal":
    try:
        os.kill(os.getpid(), signal.SIGINT)
        thread.join()
    except KeyboardInterrupt:
        say("main")
"""


def _run(tmp_path, way):
    scene = pathlib.Path(__file__).parents[2] / "scenes" / "cornell-box.json"
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    return subprocess.run([sys.executable, str(program), str(scene), way], capture_output=True,
                          text=True, timeout=120, env=environment())


@pytest.mark.parametrize("way, printed", [("signal", ["main", "ended"]),
                                          ("daemon", ["Interrupted"]),
                                          ("twice", ["Interrupted", "Interrupted"]),
                                          ("exit", ["ended"])])
def test_a_render_in_a_thread_ends_with_its_program(tmp_path, way, printed):
    ended = _run(tmp_path, way)
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.split()
    if way in ("daemon", "twice"):  # Python may stop a daemon thread before it prints
        printed = printed[:len(lines)]
    assert lines == printed
    assert ended.stderr == ""


def test_arrays_that_outlive_the_module_leave_no_messages(tmp_path):
    program = ("import numpy, winnow, sys\n"
               "image = numpy.from_dlpack(winnow.render(sys.argv[1], size=(8, 8), spp=1))\n")
    scene = pathlib.Path(__file__).parents[2] / "scenes" / "cornell-box.json"
    ended = subprocess.run([sys.executable, "-c", program, str(scene)], capture_output=True,
                           text=True, timeout=120, env=environment())
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
