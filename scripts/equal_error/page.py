# SPDX-License-Identifier: MIT
"""The page of the league, and its tables, from the results alone."""

from html import escape

from bench_report.page import STYLE
from equal_error.measures import FURNACE, speed, time_and_error
from support.results_file import markdown_table

TITLES = {"winnow": "Winnow", "mitsuba": "Mitsuba", "cycles": "Cycles", "luxcore": "LuxCore"}
HOW = """<p>Each program renders the same meshes, materials, lamps and skies, with flat normals, a box filter of one
pixel, no limit of bounces (Winnow 1,000, LuxCore and Cycles 1,024), its own Russian roulette, and without clamping,
denoising or adaptive sampling. Before the scenes, each renders a furnace whose radiance is 10; settings that differ by
more than 3 % are out. For each scene, the others are tried on a quarter of the pixels with 16 samples; the one with the
smallest time x error counts, unless its mean differs by more than 3 % from that of the other programs. Then all programs
render in turn, one seed after the other.</p><p><em>Error</em> is relMSE against the mean of the program's other seeds, times (n - 1) / n for n seeds,
relative to the mean image of all programs, without the 0.1 % of pixels where it is largest. <em>Times as long</em>: the
time that a program takes with its largest number of samples, divided by the time in which Winnow reaches the same error,
on lines between Winnow's measured points in a diagram with logarithmic axes. Times are of rendering alone, in a process
that has loaded and compiled; the first picture counts from the start of the process and has one sample per pixel.
Intervals of 90 % come from resampling the seeds. A scene counts only if no program differs from the mean of all by more
than 1 %, beyond four standard errors, in any of twelve regions of the image.</p>"""


def number(value, digits=3):
    text = f"{value:.{digits}g}"
    return text if "e" not in text else f"{value:.1e}"


def ratio_text(ratio):
    return f"{ratio[0]:.2f} ({ratio[1]:.2f} to {ratio[2]:.2f})"


class Scene:
    """One scene of one file of results."""

    def __init__(self, results, scene):
        self.results, self.scene, self.clock = results, scene, "cpu" if results["clock"] == "cpu" else "seconds"
        self.name, self.programs, self.agrees = scene["name"], scene["programs"], scene["agreement"]["agree"]
        self.ratios = {program: speed(self.programs["winnow"], own, self.clock)
                       for program, own in self.programs.items() if program != "winnow"}

    def first_picture(self, program):
        return self.programs[program]["first_picture"][self.clock]


def scenes_of(files):
    return [Scene(results, scene) for results in files for scene in results["scenes"]]


def losses(scenes):
    """Returns sentences that say where Winnow loses, the worst first."""
    slower, open_ones, others = [], [], []
    for scene in scenes:
        place = f"{scene.name} ({scene.results['device'].upper()})"
        if not scene.agrees:
            continue
        for program, (ratio, low, high) in scene.ratios.items():
            text = f"{place}: {TITLES[program]} takes {ratio:.2f} of Winnow's time to the same error " \
                   f"({low:.2f} to {high:.2f})."
            if high < 1:
                slower.append((ratio, text))
            elif low <= 1:
                open_ones.append((ratio, text[:-1] + ": no difference that these runs show."))
        own = scene.programs["winnow"]
        for program, other in scene.programs.items():
            if scene.first_picture(program) < scene.first_picture("winnow"):
                others.append((1, f"{place}: {TITLES[program]} shows its first picture sooner."))
            for key, memory in (("bytes", "memory"), ("device_bytes", "memory of the GPU")):
                if other.get(key, 0) < own.get(key, 0):
                    others.append((2, f"{place}: {TITLES[program]} needs less {memory}, {other[key] / 1e6:.0f} MB "
                                      f"instead of {own[key] / 1e6:.0f} MB."))
    return [text for group in (slower, open_ones, others) for _, text in sorted(group)]


def made(results):
    clock = "CPU time of all threads counts, because the machine had other work" if results["clock"] == "cpu" \
        else "elapsed time counts"
    device = results["gpu"] if results["device"] == "gpu" else f"{results['threads']} threads of {results['processor']}"
    width, height = results["size"]
    return f"{results['date']}, {device}, {width}x{height} pixels; {clock}; load of the machine up to " \
           f"{results['load']:.0f} on {results['cores']} cores; commit {results['commit']}; " \
           f"versions: {', '.join(results['versions'].values())}"


def settings_text(variant):
    return ", ".join(f"{name.removesuffix('.type')} {value}" for name, value in variant.items()) or "default"


def ratio_rows(scenes, programs):
    rows = []
    for scene in scenes:
        name = scene.name if scene.agrees else f"{scene.name}: out, the programs disagree"
        rows.append([name] + [ratio_text(scene.ratios[program]) if program in scene.ratios else "-"
                              for program in programs])
    return rows


def start_table(scenes):
    """Returns heads and rows of first pictures and memory, that of the GPU as a second number."""
    programs = list(scenes[0].programs)

    def cell(scene, program):
        own = scene.programs[program]
        sizes = [own[key] for key in ("bytes", "device_bytes") if key in own]
        return f"{number(scene.first_picture(program), 2)}; " + " + ".join(f"{size / 1e6:.0f}" for size in sizes)

    measured = [text for key, text in (("bytes", "host"), ("device_bytes", "GPU"))
                if all(key in own for own in scenes[0].programs.values())]
    memory = f"memory of {' + '.join(measured)}"
    return ([f"first picture, s; {memory}, MB"] + [TITLES[name] for name in programs],
            [[scene.name] + [cell(scene, program) for program in programs] for scene in scenes])


def markdown(files):
    """Returns the tables of times as long, of first pictures and memory."""
    text = ""
    for results in files:
        scenes = scenes_of([results])
        programs = [name for name in scenes[0].programs if name != "winnow"]
        text += markdown_table(["scene"] + [f"{TITLES[name]}, times as long" for name in programs],
                               ratio_rows(scenes, programs)) + "\n"
        text += markdown_table(*start_table(scenes))
        text += f"\n*{made(results)}.*\n\n"
    return text


def table(heads, rows):
    line = lambda cells, cell: "<tr>" + "".join(f"<{cell}>{escape(text)}</{cell}>" for text in cells) + "</tr>"
    return '<div class="wide"><table>' + line(heads, "th") + "".join(line(row, "td") for row in rows) + "</table></div>"


def scene_section(scene):
    rows = []
    for program, own in scene.programs.items():
        for spp in own["counts"]:
            time, error, product = time_and_error(own, spp, scene.clock)
            runs = [run for run in own["runs"] if run["asked"] == spp]
            neighbours = sum(run["correlation"] for run in runs) / len(runs)
            whole = sum(run["error_of_all"] for run in runs) / len(runs)
            rows.append([TITLES[program], number(runs[0]["spp"], 4), number(time), number(error), number(whole),
                         f"{number(product[0])} ({number(product[1])} to {number(product[2])})", f"{neighbours:.2f}"])
    agreement = [[TITLES[program], f"{100 * own['whole']:.2f} +- {100 * own['whole_error']:.2f}",
                  f"{100 * own['worst']:.2f} +- {100 * own['worst_error']:.2f}"]
                 for program, own in scene.scene["agreement"]["programs"].items()]
    searched = [[TITLES[program], settings_text(entry["variant"]), number(entry["time"]), number(entry["error"]),
                 number(entry["time"] * entry["error"]), "another mean" if entry["biased"] else ""]
                for program, entries in scene.scene["search"].items() for entry in entries]
    return (f"<h2 id='{scene.name}-{scene.results['device']}'>{escape(scene.name)}, {scene.results['device'].upper()}</h2>"
            f"<p>{escape(scene.scene['shows'])}; {scene.scene['faces']:,} triangles.</p>" +
            table(["program", "samples per pixel", "s", "error", "with all pixels", "time x error",
                   "correlation of neighbours"], rows) +
            f"<h3>Agreement: {'yes' if scene.agrees else 'no, this scene is out'}</h3>" +
            table(["program", "from the mean of all, %", "in the worst region, %"], agreement) +
            "<details><summary>Settings that were tried, best first</summary>" +
            table(["program", "settings", "s", "error", "time x error", ""], searched) + "</details>")


def html(files):
    scenes = scenes_of(files)
    lost = losses(scenes)
    parts = ["<h1>Which renderer reaches the same error sooner?</h1>",
             "<h2 id='loses'>Where Winnow loses</h2>",
             "<ul class='found'>" + "".join(f"<li>{escape(text)}</li>" for text in lost) + "</ul>" if lost else
             "<p>Nowhere in these runs.</p>",
             "<h2 id='times'>Times as long as Winnow to the same error</h2>"]
    for results in files:
        own = [scene for scene in scenes if scene.results is results]
        programs = [name for name in own[0].programs if name != "winnow"]
        parts += [table(["scene"] + [TITLES[name] for name in programs], ratio_rows(own, programs)),
                  table(*start_table(own)),
                  f"<p class='soft'>{escape(made(results))}.</p>",
                  f"<p class='soft'><code>{escape(results['command'])}</code></p>",
                  f"<p>The furnace, {FURNACE:g}: " +
                  "; ".join(f"{TITLES[name]} {entry['radiance']:.2f} with {escape(settings_text(entry['variant']))}"
                            for name, entries in results["furnace"].items() for entry in entries) + ".</p>"]
    parts += ["<h2 id='how'>How it is measured</h2>", HOW, *(scene_section(scene) for scene in scenes)]
    return "<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Equal-error league</title>" \
           f"<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</html>\n"
