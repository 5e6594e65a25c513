# SPDX-License-Identifier: MIT
"""Sentences that say what each plot of a bench report shows."""

from collections import namedtuple

from bench_report.results import CAUSES, significant

Row = namedtuple("Row", "bounce saved cost")  # ms


class Balance:
    """Time that a culling mode saved at each bounce, relative to `none`, and its cost."""

    def __init__(self, group, config):
        self.config, self.rows = config, []
        before = 0.0
        for none, mode in zip(group.none.measured["bounces"], config.measured["bounces"]):
            def work(bounce):
                return sum(ms for stage, ms in bounce["stage_ms"].items() if stage != "cull")
            self.rows.append(Row(none["bounce"], work(none) - work(mode), before))
            before = mode["stage_ms"]["cull"]
        self.saved = sum(row.saved for row in self.rows)
        self.cost = sum(row.cost for row in self.rows) + before
        self.noise = max(group.none.high - group.none.low, config.high - config.low)


def balance_of(group):
    """Returns the balance of the fastest mode with a culling pass, whose cost is visible. Without such a mode, takes the
    fastest mode. Returns None if there is nothing to compare."""
    if not group.none or not group.best_cull or not group.measured:
        return None
    passes = [config for config in group.configs
              if config.loop == "wave" and config.cull not in ("none", "append", "auto")
              and not config.regenerate]
    return Balance(group, min(passes, key=lambda config: config.ms, default=group.best_cull))


def full_name(config):
    return "the path loop" if config.loop == "path" else config.name


def listed(words):
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def spans(numbers):
    """Returns [1, 2, 3, 6] as "1 to 3 and 6"."""
    parts = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return listed([str(a) if a == b else f"{a} to {b}" for a, b in parts])


def alive_sentence(scene, group):
    bounces = group.configs[0].measured["bounces"]
    deaths = group.configs[0].measured["deaths"]
    cause = max(deaths, key=deaths.get)
    first = 1 - (bounces[1]["alive"] / scene.paths if len(bounces) > 1 else 0)
    half = next((b["bounce"] for b in bounces if b["alive"] < 0.5 * scene.paths), None)
    text = (f"{group.title.capitalize()}, {100 * first:.0f} % of the paths terminate at bounce 0")
    if half is None:
        text += "; more than half are active at the last bounce shown"
    elif half > 1:
        text += f", more than half before bounce {half}"
    return (f"{text}. Most frequent cause: {CAUSES[cause]} "
            f"({100 * deaths[cause] / scene.paths:.0f} %).")


def frame_sentence(group):
    best = group.best[0]
    if len(group.best) == len(group.configs) > 1:
        return f"{group.title.capitalize()}, no configurations can be distinguished."
    text = (f"{group.title.capitalize()}, {full_name(best)} is fastest with "
            f"{significant(best.ms, 3)} ms")
    if len(group.best) > 1:
        text += f", tied with {listed([full_name(config) for config in group.best[1:]])}"
    if best.speed and best is not group.none:
        text += f"; that is {best.speed:.2f} times the speed of wave + none"
    return text + "."


def stage_sentence(group):
    config = group.best_cull or group.configs[0]
    stages = config.stages
    total = sum(stages.values())
    largest = max(stages, key=stages.get)
    text = (f"{group.title.capitalize()}, the largest part of {full_name(config)} is {largest} "
            f"({100 * stages[largest] / total:.0f} % of the frame)")
    if config.cull in ("append", "auto"):
        text += ", and culling has no time of its own, as it is part of the shading stage"
    elif config.loop == "wave" and config.cull != "none":
        text += f", and culling takes {100 * stages['cull'] / total:.1f} %"
    if group.none and group.none is not config:
        before = group.none.stages
        name = max(("intersect", "shade"), key=lambda stage: before[stage] - stages[stage])
        text += (f". Relative to none, {name} went from {significant(before[name], 3)} to "
                 f"{significant(stages[name], 3)} ms")
    share = config.measured["ideal_share_reached"]
    if share is not None:
        text += f"; {100 * share:.0f} % of the gain of perfect, free culling is reached"
    return text + "."


def balance_sentence(group, balance):
    gains = [row.bounce for row in balance.rows if row.bounce > 0 and row.saved > row.cost]
    text = (f"{group.title.capitalize()}, {balance.config.name} saves "
            f"{significant(balance.saved, 3)} ms a frame and costs "
            f"{significant(balance.cost, 3)} ms")
    if abs(balance.saved - balance.cost) < balance.noise:
        return text + f"; the difference is below the noise of {balance.noise:.2g} ms."
    text += (f"; it pays at bounce{'s' if len(gains) > 1 else ''} {spans(gains)}."
             if gains else "; it pays at no bounce.")
    if balance.config.cull == "append":
        text += " The cost of append is part of the shading stage, and so of the time saved."
    return text
