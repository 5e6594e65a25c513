# SPDX-License-Identifier: MIT
"""The results that winnow bench --json writes."""

import sys

from support.results_file import read_results

STAGES = ["generate", "intersect", "shade", "shadow", "cull", "film", "path"]
CAUSES = {"escaped": "escaped", "hit_light": "hit a light", "roulette": "roulette",
          "zero_throughput": "zero throughput", "max_depth": "maximum depth",
          "not_finite": "not finite"}


def significant(value, digits):
    """Returns a number with this many significant digits: 1.070 and 2030 for four."""
    plain = 1e-3 <= abs(value) < 10 ** digits
    return f"{value:#.{digits}g}".rstrip(".") if plain else f"{value:.{digits + 1}g}"


def check_measured(measured):
    """Raises KeyError or TypeError if a value that the plots need is missing."""
    for key in ("other_ms", "ideal_stage_ms", "ideal_share_reached"):
        measured[key]
    for times in [measured, *measured["bounces"]]:
        for stage in STAGES:
            times["stage_ms"][stage] + 0.0
        for cause in CAUSES:
            times["deaths"][cause] + 0
    for bounce in measured["bounces"]:
        bounce["bounce"] + bounce["alive"]


class Config:
    """One configuration of the renderer."""

    def __init__(self, data):
        self.name, self.loop, self.cull = data["name"], data["loop"], data["cull"]
        self.roulette, self.regenerate = data["roulette"], data["regenerate"]
        self.by_material = data.get("group") == "material"
        self.tracer = data.get("tracer") or "bvh"
        interval = data["frame_ms_interval"]
        self.ms, self.low, self.high = interval["median"], interval["low"], interval["high"]
        self.speed = data["speed_beside_none"] and data["speed_beside_none"]["median"]
        self.rank, self.tied = data["rank"], data["tied"]
        self.samples_per_second = data["samples_per_second"]
        self.measured = data["measured"]
        if self.measured is not None:
            check_measured(self.measured)

    @property
    def stages(self):
        """Returns milliseconds of each stage and of the rest of the frame."""
        return dict(self.measured["stage_ms"], other=max(self.measured["other_ms"], 0.0))


class Group:
    """The configurations of a scene with one roulette setting and tracer."""

    def __init__(self, chosen, configs):
        self.roulette, self.tracer = chosen["roulette"], chosen.get("tracer", "bvh")
        self.title = "with roulette" if self.roulette else "without roulette"
        if self.tracer != "bvh":
            self.title += f", --tracer {self.tracer}"
        self.configs = [config for config in configs
                        if config.roulette == self.roulette and config.tracer == self.tracer]

        def config_of(index):
            return None if index is None else configs[index]

        self.none = config_of(chosen["none_configuration"])
        self.best_cull = config_of(chosen["best_cull_configuration"])
        first = min(config.rank for config in self.configs)
        self.best = [config for config in self.configs if config.rank == first]
        self.best.sort(key=lambda config: config.ms)

    @property
    def measured(self):
        return all(config.measured for config in self.configs)

    @property
    def ideal(self):
        """Returns the milliseconds of each stage if culling were perfect and free, or None."""
        ideal = self.best_cull and self.best_cull.measured["ideal_stage_ms"]
        return ideal and dict(ideal, other=self.none.stages["other"])


class Scene:
    def __init__(self, data):
        self.name, self.file, self.description = data["name"], data["file"], data["description"]
        self.size, self.spp = data["size_pixels"], data["samples_per_pixel"]
        self.max_bounces, self.rounds = data["max_bounces"], data["rounds_completed"]
        self.paths, self.interrupted = data["paths_per_frame"], data["interrupted"]
        self.conclusions = data["conclusions"]
        self.configs = [Config(config) for config in data["configurations"]]
        self.groups = [Group(chosen, self.configs) for chosen in data["compared"]]


class Results:
    """A results file. Exits with one line if it is something else."""

    def __init__(self, path):
        read_results(path, "winnow bench", self.parse)
        if not self.scenes:
            sys.exit(f"{path}: holds no scene")

    def parse(self, data):
        if data["what"] != "winnow bench":
            raise ValueError(f"it is {data['what']!r}")
        self.device, self.cuda, self.version = data["device"], data["cuda"], data["version"]
        self.date, self.failed = data["started"][:10], data["failed"]
        self.scenes = [Scene(scene) for scene in data["scenes"]]
