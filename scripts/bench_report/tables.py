# SPDX-License-Identifier: MIT
"""The results of winnow bench as a Markdown table."""

from bench_report.results import CAUSES, significant
from support.results_file import markdown_table

GROUPED = ["none", "append"]


def speed(config, best):
    """Formats Msamples/s, bold if it is the fastest or tied with it."""
    if config is None:
        return "-"
    text = significant(config.samples_per_second / 1e6, 4)
    return f"**{text}**" if best else text


def find(group, loop, cull, regenerate, by_material=False):
    return next((config for config in group.configs if config.loop == loop and
                 config.cull == cull and config.regenerate == regenerate and
                 config.by_material == by_material), None)


def causes(measured):
    """Returns "94 % escaped, 6 % roulette": the causes that terminated at least 5 % of the
    paths."""
    shares = {name: measured["deaths"][cause] / measured["paths"]
              for cause, name in CAUSES.items()}
    return ", ".join(f"{100 * share:.0f} % {name}" for name, share in
                     sorted(shares.items(), key=lambda item: -item[1]) if share >= 0.05)


def measured_culls(results):
    """Returns the culling modes in the order of the results."""
    return list(dict.fromkeys(config.cull for scene in results.scenes for group in scene.groups
                              for config in group.configs if config.loop == "wave"))


def row(scene, group, culls):
    columns = [find(group, "wave", cull, False) for cull in culls]
    columns += [find(group, "wave", cull, False, by_material=True) for cull in GROUPED]
    columns += [find(group, "wave", "append", True), find(group, "path", None, False)]
    cells = [speed(config, config in group.best) for config in columns]
    gain, share = "-", "-"
    if group.best_cull and group.none:
        gain = f"{group.best_cull.speed:.2f}x"
        reached = group.best_cull.measured["ideal_share_reached"]
        share = "-" if reached is None else f"{100 * reached:.0f} %"
    name = scene.name if group.tracer == "bvh" else f"{scene.name}, {group.tracer}"
    return [name, "on" if group.roulette else "off", causes(group.configs[0].measured),
            *cells, gain, share]


def tables(results):
    culls = measured_culls(results)
    head = ["scene", "roulette", "causes", *[f"`{cull}`" for cull in culls],
            *[f"`{cull}` by material" for cull in GROUPED], "regenerating",
            "path loop", "best / `none`", "of the ideal gain"]
    return markdown_table(head, [row(scene, group, culls) for scene in results.scenes
                                 for group in scene.groups if group.measured], text_columns=3)
