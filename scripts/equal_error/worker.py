# SPDX-License-Identifier: MIT
"""Renders one scene with one program and one variant of its settings, as lines of JSON on standard input say.

  python worker.py PROGRAM RUN     RUN: {"scene", "variant", "size", "threads", "device"} as JSON
Each line {"spp", "seed", "image"} writes the file `image` of numpy and answers with the times of the render.
"""

import importlib
import json
import os
import pathlib
import resource
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.remove(str(pathlib.Path(__file__).resolve().parent))  # its modules have the names of those of others


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what programs print does not mix with answers
    import numpy
    from equal_error.measures import peak_memory
    from equal_error.scenes import make_scene
    name, run = sys.argv[1], json.loads(sys.argv[2])
    module = importlib.import_module(f"equal_error.programs.{name}")
    program = getattr(module, name.capitalize())(make_scene(run["scene"]), run)
    print(json.dumps({"loaded": True}), file=answers, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        if not asked.get("cold"):
            program.start(asked["spp"])
        wall, cpu = time.perf_counter(), cpu_seconds()
        image, spp = program.render(asked["spp"], asked["seed"])
        times = {"spp": spp, "seconds": time.perf_counter() - wall, "cpu": cpu_seconds() - cpu}
        numpy.save(asked["image"], program.pixels(image))
        print(json.dumps(times | {"whole_cpu": cpu_seconds(), "bytes": peak_memory("self")}), file=answers, flush=True)
    answers.flush()
    os._exit(0)  # Blender's module may not end by itself


if __name__ == "__main__":
    main()
