# SPDX-License-Identifier: MIT
"""Starts the programs of the league and lets them render in turn."""

import contextlib
import importlib
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import threading
import time

import numpy

from equal_error.measures import FURNACE, FURNACE_BIAS, SEARCH_BIAS, agreement, correlation, relative_error
from equal_error.programs.winnow import Winnow
from equal_error.scenes import make_scene

WORKER = pathlib.Path(__file__).with_name("worker.py")
GPU_PROGRAMS = ("winnow", "mitsuba")
SEARCH_SPP, SEARCH_SEEDS = 16, (1, 2)
FURNACE_SPP, FURNACE_SIZE = 64, (32, 24)
FIRST_SEED, REFERENCE_SEED = 10, 1000
MIN_SPP, MAX_SPP = 4, 1024


def variants(program):
    return importlib.import_module(f"equal_error.programs.{program}").VARIANTS


class Worker:
    """A process that renders one scene by one program."""

    def __init__(self, python, program, run, folder):
        self.program, self.image, self.start = program, pathlib.Path(folder) / f"{program}.npy", time.perf_counter()
        self.errors = open(pathlib.Path(folder) / f"{program}.log", "w+")
        self.process = subprocess.Popen([python, WORKER, program, json.dumps(run)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            self.errors.seek(0)
            raise RuntimeError(f"{self.program}: {self.errors.read().strip().splitlines()[-1:]}")
        return json.loads(line)

    def render(self, spp, seed, cold=False):
        asked = {"spp": spp, "seed": seed, "image": str(self.image), "cold": cold}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        answer = self.answer()
        return numpy.load(self.image).astype(float), answer

    def first_picture(self):
        """Renders one sample; `whole` times begin at the start of the process."""
        image, answer = self.render(1, 1, cold=True)
        return image, answer | {"whole_seconds": time.perf_counter() - self.start}

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.errors.close()


class DeviceMemory:
    """Watches the memory in use on the GPU while a block runs."""

    @staticmethod
    def used():
        words = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
        return int(subprocess.run(words, capture_output=True, text=True).stdout.split()[0]) << 20

    def __enter__(self):
        self.before = self.most = self.used()
        self.ends = threading.Event()
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()
        return self

    def watch(self):
        while not self.ends.wait(0.02):
            self.most = max(self.most, self.used())

    def __exit__(self, *_):
        self.ends.set()
        self.watcher.join()

    def bytes(self):
        return self.most - self.before


class League:
    """Measures scenes. `given` holds the options of `scripts/league run`, `pythons` and `folder`."""

    def __init__(self, given):
        self.given, self.measure = given, "seconds" if given.clock == "wall" else "cpu"

    def start(self, program, scene, variant, size):
        given = self.given
        run = {"scene": scene, "variant": variant, "size": size, "threads": given.threads, "device": given.device}
        folder = pathlib.Path(given.folder) / f"{scene}-{program}"
        folder.mkdir(parents=True, exist_ok=True)
        if program == "winnow":
            return Winnow(given.winnow, make_scene(scene), run, folder)
        return Worker(given.pythons[program], program, run, folder)

    def furnace(self):
        """Returns the radiance of the furnace by each variant of each program."""
        values = {}
        for program in self.given.programs:
            values[program] = []
            for variant in self.wanted(program):
                renderer = self.start(program, "furnace", variant, FURNACE_SIZE)
                value = float(renderer.render(FURNACE_SPP, 1)[0].mean())
                renderer.close()
                values[program].append({"variant": variant, "radiance": value})
                say(f"furnace, which is {FURNACE}: {program} {value:.2f} with {json.dumps(variant)}")
        self.sound = {program: [entry["variant"] for entry in entries
                                if abs(entry["radiance"] - FURNACE) <= FURNACE_BIAS * FURNACE]
                      for program, entries in values.items()}
        for program, good in self.sound.items():
            if not good:
                raise RuntimeError(f"no settings of {program} render the furnace")
        return values

    def wanted(self, program):
        return variants(program)[:None if self.given.search == "all" else 1]

    def search(self, scene):
        """Tries the variants that render the furnace on a smaller picture. Returns what was found, the best first."""
        size = [max(16, n // 2) for n in self.given.size]
        found, mean_of_first = {}, []
        for program in self.given.programs:
            tried = []
            for variant in self.sound[program]:
                renderer = self.start(program, scene, variant, size)
                renders = [renderer.render(SEARCH_SPP, seed) for seed in SEARCH_SEEDS]
                renderer.close()
                images, times = [image for image, _ in renders], [record[self.measure] for _, record in renders]
                tried.append({"variant": variant, "time": min(times), "mean": float(numpy.mean(images)),
                              "spp": renders[0][1]["spp"], "images": images})
            found[program] = tried
            mean_of_first.append(tried[0]["mean"])
        expected = float(numpy.median(mean_of_first))
        for program, tried in found.items():
            reference = numpy.mean([image for entry in tried if not is_biased(entry["mean"], expected)
                                    for image in entry["images"]] or tried[0]["images"], 0)
            for entry in tried:
                one, two = entry.pop("images")
                entry["error"] = relative_error(one, two, reference) / 2
                entry["biased"] = is_biased(entry["mean"], expected)
            tried.sort(key=lambda entry: (entry["biased"], entry["time"] * entry["error"]))
            say(f"{scene}: {program} is best with {json.dumps(tried[0]['variant'])}")
        return found

    def largest_count(self, entry):
        """Returns the power of 4 of samples per pixel that takes about the wanted seconds."""
        pixels = self.given.size[0] * self.given.size[1]
        small = max(16, self.given.size[0] // 2) * max(16, self.given.size[1] // 2)
        per_sample = entry["time"] / entry["spp"] * pixels / small
        most = min(max(self.given.seconds / per_sample, MIN_SPP), MAX_SPP)
        return 4**int(math.log(most, 4) + 0.25)

    def scene(self, name):
        """Measures all programs on a scene."""
        given, scene = self.given, make_scene(name)
        result = {"name": name, "shows": scene.shows, "faces": scene.face_count(), "search": self.search(name),
                  "programs": {}}
        renderers, images = {}, {}
        for program in given.programs:
            best = result["search"][program][0]
            spp = self.largest_count(best)
            with DeviceMemory() if given.device == "gpu" else contextlib.nullcontext() as memory:
                renderers[program] = self.start(program, name, best["variant"], given.size)
                first = renderers[program].first_picture()[1]
                if memory:
                    renderers[program].render(spp, 1)
            result["programs"][program] = {
                "variant": best["variant"], "counts": [n for n in (spp // 16, spp // 4, spp) if n >= 1][-3:],
                "first_picture": {"seconds": first["whole_seconds"], "cpu": first["whole_cpu"]}, "runs": []}
            if memory:
                result["programs"][program]["device_bytes"] = memory.bytes()
            images[program] = []
        for seed in range(FIRST_SEED, FIRST_SEED + given.seeds):
            for program in given.programs:
                for spp in result["programs"][program]["counts"]:
                    self.add_run(result["programs"][program], images[program], renderers[program], spp, seed)
        for program in given.programs:
            own = result["programs"][program]
            if given.reference:
                spp = own["counts"][-1] * given.reference
                self.add_run(own, images[program], renderers[program], spp, REFERENCE_SEED)
                own["reference"] = own["runs"].pop()
            own["bytes"] = max(run.pop("bytes") for run in own["runs"])
            renderers[program].close()
        self.judge(result, images)
        return result

    @staticmethod
    def add_run(own, images, renderer, spp, seed):
        image, record = renderer.render(spp, seed)
        images.append(image)
        own["runs"].append({"seed": seed, "asked": spp} |
                           {key: record[key] for key in ("spp", "seconds", "cpu", "bytes")})

    def judge(self, result, images):
        """Adds the errors of runs, and whether the programs agree."""
        means, spread = {}, {}
        for program, own in result["programs"].items():
            weights = [run["spp"] for run in own["runs"]] + ([own["reference"]["spp"]] if "reference" in own else [])
            means[program] = numpy.average(images[program], axis=0, weights=weights)
            largest = [i for i, run in enumerate(own["runs"]) if run["asked"] == own["counts"][-1]]
            spread[program] = ([images[program][i] for i in largest], own["runs"][largest[0]]["spp"] / sum(weights))
        common = numpy.mean(list(means.values()), 0)
        for program, own in result["programs"].items():
            for spp in own["counts"]:
                chosen = [i for i, run in enumerate(own["runs"]) if run["asked"] == spp]
                total = numpy.sum([images[program][i] for i in chosen], 0)
                for i in chosen:
                    others, share = (total - images[program][i]) / (len(chosen) - 1), 1 - 1 / len(chosen)
                    own["runs"][i] |= {"error": share * relative_error(images[program][i], others, common),
                                       "error_of_all": share * relative_error(images[program][i], others, common, 1.0),
                                       "correlation": correlation(images[program][i] - others, common)}
        result["agreement"] = agreement(means, spread)


def is_biased(mean, expected):
    return abs(mean - expected) > SEARCH_BIAS * expected


def say(text):
    print(text, file=sys.stderr, flush=True)


def commit():
    root = pathlib.Path(__file__).resolve().parents[2]
    done = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def processor():
    if pathlib.Path("/proc/cpuinfo").exists():
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return platform.machine()


def graphics():
    done = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                          capture_output=True, text=True)
    return done.stdout.strip()


def run_league(given, scenes, write):
    """Measures scenes, and calls `write` with the results so far after each."""
    league = League(given)
    results = {"format": 1, "command": " ".join(sys.argv), "commit": commit(),
               "date": time.strftime("%Y-%m-%d"), "device": given.device, "processor": processor(),
               "cores": os.cpu_count(), "gpu": graphics() if given.device == "gpu" else None,
               "threads": given.threads, "size": list(given.size), "clock": given.clock, "seconds": given.seconds,
               "load": os.getloadavg()[0], "versions": given.versions, "furnace": league.furnace(), "scenes": []}
    for name in scenes:
        say(f"{name}: searching the settings")
        results["scenes"].append(league.scene(name))
        results["load"] = max(results["load"], os.getloadavg()[0])
        write(results)
    return results
