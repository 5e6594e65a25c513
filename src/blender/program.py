# SPDX-License-Identifier: MIT
"""Finds and runs the program winnow."""

import importlib.util
import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import threading

ENVIRONMENT = "WINNOW"  # variable that names the program
PERCENT = re.compile(r"^\s*(\d+) %")
MESSAGE = re.compile(r"^winnow: |^(error|warning): ")


class WinnowError(Exception):
    """A fault, in one line."""


def find_program(preferred=""):
    """Returns the path of winnow.

    The first of these counts: `preferred`, the variable WINNOW, the one of a wheel, PATH.
    """
    for path, place in ((preferred, "the preferences of the add-on"),
                        (os.environ.get(ENVIRONMENT, ""), f"the variable {ENVIRONMENT}")):
        if path:
            if not os.access(path, os.X_OK) or os.path.isdir(path):
                raise WinnowError(f"{path}, which {place} names, is not a program")
            return path
    found = program_of_wheel() or shutil.which("winnow")
    if found:
        return found
    version = ".".join(str(part) for part in sys.version_info[:2])
    raise WinnowError(
        f"the program winnow was not found: no wheel for Python {version} on this platform, "
        f"nothing on PATH; name it in the preferences of the add-on or in {ENVIRONMENT}")


def program_of_wheel():
    """Returns the program of an installed wheel, or None. The zip may hold the wheel, but not the
    packages that it needs to be imported."""
    package = importlib.util.find_spec("winnow")
    if package is None or not package.origin:
        return None
    module = pathlib.Path(package.origin).with_name("program.py")
    try:
        return str(runpy.run_path(str(module))["program"]())
    except (OSError, KeyError):
        return None


class Run:
    """A running command of winnow.

    progress  share that is done, from 0 to 1
    """

    def __init__(self, program, words):
        # The program looks for Open Image Denoise in this environment.
        environment = {**os.environ, "VIRTUAL_ENV": sys.prefix}
        try:
            self._process = subprocess.Popen(
                [program, *(str(word) for word in words)], env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, errors="replace")
        except OSError as error:
            raise WinnowError(f"{program} does not start: {error.strerror}") from error
        self.progress = 0.0
        self.lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        with self._process.stdout as stream:
            for line in stream:
                percent = PERCENT.match(line)
                if percent:
                    self.progress = 0.01 * int(percent[1])
                elif line.strip():
                    self.lines.append(line.strip())

    def is_running(self):
        return self._process.poll() is None

    def stop(self):
        """Ends the command, at once if it does not end within some seconds."""
        for end in (self._process.terminate, self._process.kill):
            if self.is_running():
                end()
                try:
                    self._process.wait(5.0)
                except subprocess.TimeoutExpired:
                    continue
        self._process.wait()

    def finish(self):
        """Waits for the end; throws an error if the command failed."""
        code = self._process.wait()
        self._reader.join(5.0)
        if code != 0:
            text = next((line for line in reversed(self.lines)), f"exit code {code}")
            raise WinnowError(MESSAGE.sub("", text))

    def warnings(self):
        """Returns the warnings that the command printed, without where it found them."""
        return [line.split("warning: ", 1)[1] for line in self.lines if "warning: " in line]


def has_option(program, command, option):
    """Tells whether a command of the program has an option, which older programs lack."""
    helped = Run(program, [command, "--help"])
    helped.finish()
    return any(re.search(rf"(^|[\s,]){re.escape(option)}\b", line) for line in helped.lines)


def run(program, *words):
    """Runs a short command to its end and returns its warnings."""
    command = Run(program, words)
    command.finish()
    return command.warnings()
