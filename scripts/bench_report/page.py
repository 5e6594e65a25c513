# SPDX-License-Identifier: MIT
"""The page of a bench report: one self-contained HTML file."""

from html import escape

from bench_report import sentences as say
from bench_report.results import significant

STYLE = """
:root { color-scheme: light dark; --ink: #22262b; --page: #fcfcfb; --grid: #d9dbde; --soft: #5b636c;
        --card: #f1f2f3; --best: #1d7d50; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e8; --page: #16191d; --grid: #3a4047; --soft: #a2abb5; --card: #20252b;
          --best: #58c795; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page);
       max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--grid); }
h3 { margin-bottom: 0.2rem; } .soft { color: var(--soft); }
table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
th, td { text-align: right; padding: 0.15rem 0.6rem; border-bottom: 1px solid var(--grid); }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; }
.best td { color: var(--best); font-weight: 600; }
.wide { overflow-x: auto; } svg { width: 100%; height: auto; }
.found { background: var(--card); border-radius: 6px; padding: 0.6rem 1rem 0.6rem 2rem; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem 1.5rem; }
@media print { h2 { break-before: page; } }
"""

INTRO = """<p>A path tracer follows light backwards: from the camera along <em>paths</em> that bounce
through the scene until they escape, hit a light or are terminated. A GPU traces millions of them at
once, one bounce at a time. Terminated paths leave gaps in the work queue; <em>culling</em> removes the
gaps after each bounce, so that only active paths are processed, and takes time itself. This page shows
whether it pays: the same image, bit for bit, rendered several times with each configuration, in
turn.</p>"""

GLOSSARY = {
    "path":
        "One sample of one pixel: a camera ray and the rays that it scatters into.",
    "bounce":
        "One iteration: intersect the ray, add the light at the hit, sample the next direction. "
        "Bounce 0 is the camera ray.",
    "wave":
        "All paths in flight, advanced bounce by bounce and stage by stage.",
    "path loop":
        "The alternative to waves: each thread traces one path to its end. Measured for comparison.",
    "stage":
        "A kernel that processes all paths: generate (camera rays), intersect (closest hits), shade "
        "(sample the surface), shadow (visibility of lights), cull, film (add to the image). Other is "
        "the time of the frame outside of the stages.",
    "lane, warp":
        "A GPU executes warps of 32 lanes in lockstep. A lane whose path has terminated idles until "
        "the other 31 are done.",
    "culling":
        "Removing terminated paths from the work queue, so that warps are full. The modes: none (no "
        "culling), append (the shading stage appends the survivors), scan, ballot, look-back, look-ahead (passes "
        "that keep the order), move (moves the state of a path, not only its index), thrust, cub "
        "(libraries), auto (append, only where it should pay).",
    "by material":
        "Grouping: after intersection, paths that hit the same kind of material are put side by side, and "
        "terminated ones are dropped; kernels of their own then shade them.",
    "roulette":
        "Russian roulette: paths of low throughput are terminated at random, and the weight of the "
        "survivors is raised. The image is correct on average, and paths are shorter.",
    "regeneration":
        "Another remedy for gaps: a new path replaces a terminated one at once.",
    "ideal":
        "An estimate of the frame if culling were perfect and free: the run without culling, with "
        "intersect and shade reduced to the share of active lanes in busy warps.",
    "+-, tied":
        "The median lies in this range with a probability of at least 90 %. Two configurations are "
        "tied if the ratio of their times, round by round, cannot be distinguished from 1.",
}


def tag(name, text, **attributes):
    extra = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{extra}>{text}</{name}>"


def row(cells, cell="td", **attributes):
    return tag("tr", "".join(tag(cell, escape(text)) for text in cells), **attributes)


def optional(value, form):
    return "-" if value is None else format(value, form)


def overview(results):
    lines = [row(["scene", f"fastest {results.scenes[0].groups[0].title}", "ms per frame",
                  "best culling relative to none", "of the ideal gain"], "th")]
    for scene in results.scenes:
        group = scene.groups[0]
        cull = group.best_cull
        share = cull and cull.measured and cull.measured["ideal_share_reached"]
        speed = cull and cull.speed
        lines.append(row([scene.name, group.best[0].name + (" =" if len(group.best) > 1 else ""),
                          significant(group.best[0].ms, 3),
                          "-" if not speed else f"{cull.cull}: {speed:.2f} x",
                          "-" if share is None else f"{100 * share:.0f} %"]))
    return tag("div", tag("table", "".join(lines)), class_="wide")


def config_table(scene):
    heads = ["configuration", "roulette", "ms per frame", "range", "Msamples/s", "speed relative to none",
             "of the ideal gain", "rank"]
    lines = [row(heads, "th")]
    for group in scene.groups:
        for config in group.configs:
            share = config.measured and config.measured["ideal_share_reached"]
            lines.append(row(
                [config.name, "on" if config.roulette else "off", significant(config.ms, 4),
                 f"{significant(config.low, 4)} to {significant(config.high, 4)}",
                 significant(config.samples_per_second / 1e6, 4),
                 optional(config.speed, ".3f"), "-" if share is None else f"{100 * share:.0f} %",
                 f"{config.rank}{'=' if config.tied else ''}"],
                class_="best" if config in group.best else ""))
    return tag("div", tag("table", "".join(lines)), class_="wide")


def figure(title, sentences, svg, note):
    """Returns a plot, below a note on how to read it and sentences on what it shows."""
    found = "".join(tag("li", escape(sentence)) for sentence in sentences)
    return tag("h3", title) + tag("p", note, class_="soft") + tag("ul", found) + svg


def scene_section(scene, plots):
    head = (f"{scene.size[0]}x{scene.size[1]} pixels, {scene.spp} samples per pixel a frame, at "
            f"most {scene.max_bounces} bounces; medians of {scene.rounds} frames with each.")
    parts = [tag("h2", escape(scene.name)), tag("p", escape(scene.description or "")),
             tag("p", escape(head) + (" Interrupted." if scene.interrupted else ""), class_="soft"),
             tag("ul", "".join(tag("li", escape(text)) for text in scene.conclusions),
                 class_="found")]
    measured = all(group.measured for group in scene.groups)
    if measured:
        parts.append(figure(
            "Active paths", [say.alive_sentence(scene, group) for group in scene.groups],
            plots.alive(scene),
            "Each bar is the paths that are active when a bounce begins. Grey ones stay active; the "
            "other colours are causes of termination, which leave gaps that culling can remove."))
    parts.append(figure(
        "Time of a frame", [say.frame_sentence(group) for group in scene.groups],
        plots.frames(scene),
        "Less is better; the thin line is the range of the median. Green is the fastest, or several"
        " that are tied; grey is the wave without culling."))
    if measured:
        parts.append(figure(
            "Time of each stage", [say.stage_sentence(group) for group in scene.groups],
            plots.stages(scene),
            "Culling should shorten intersect and shade by more than the red that it adds."))
        balances = [(group, say.balance_of(group)) for group in scene.groups]
        balances = [pair for pair in balances if pair[1]]
        if balances:
            parts.append(figure(
                "Break-even", [say.balance_sentence(*pair) for pair in balances],
                plots.break_even(balances),
                "At each bounce: the time that the stages saved relative to the wave without culling,"
                " and the time of the cull before it. Culling pays where green is above red."))
    parts += [tag("h3", "All numbers"), config_table(scene)]
    return "\n".join(parts)


def page(results, plots):
    title = "The gain of culling"
    source = f"winnow bench {results.version}, {results.date}, on {results.device}"
    words = "".join(tag("dt", escape(word)) + tag("dd", escape(text))
                    for word, text in GLOSSARY.items())
    failed = "".join(tag("p", "Not measured: " + escape(scene["reason"]))
                     for scene in results.failed)
    cpu = "" if results.cuda else tag(
        "p", "This was measured on a CPU, which has no warps: a terminated path costs almost nothing, "
        "culling has little to gain, and no ideal is given.")
    body = [tag("h1", title), tag("p", escape(source), class_="soft"), INTRO, cpu, failed,
            overview(results), *[scene_section(scene, plots) for scene in results.scenes],
            tag("h2", "Glossary"), tag("dl", words)]
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title}</title><style>{STYLE}</style></head>\n<body>\n"
            + "\n".join(body) + "\n</body></html>\n")
