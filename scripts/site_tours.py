# SPDX-License-Identifier: MIT
"""Pages that programs write: the ladder (compaction-see), the gallery (compaction-judge), a wave's paths (winnow see)
and reports of winnow bench; and the labs. Each function writes a section of the site, and its list."""

import re
import subprocess
import sys
from html import escape, unescape

from site_frame import card, cards, relative

LADDER, GALLERY, LABS = "ladder/index.html", "gallery/index.html", "labs/index.html"
PATHS, REPORTS = "paths/index.html", "reports/index.html"

STEPS = {"reduce": "Reduction", "scan": "Scan", "select": "Compaction", "broken": "When it goes wrong"}
BACK = '\n<p style="margin: 4px 0">{}</p>'


def run(command, allowed=(0,)):
    """Runs a program; ends with its output where it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace")
    if done.returncode not in allowed:
        sys.stderr.write(done.stdout + done.stderr)
        sys.exit(f"scripts/site: failed: {' '.join(map(str, command))}")
    return done.stdout


def part_of(page, pattern, default=""):
    match = re.search(pattern, page, re.DOTALL)
    return match[1].strip() if match else default


def add_links(file, links):
    """Adds links, [(name, address)], at the top of a page that a program has written."""
    text = file.read_text(encoding="utf-8")
    line = BACK.format(" &middot; ".join(f'<a style="color: inherit" href="{escape(address)}">{escape(name)}</a>'
                                            for name, address in links))
    start = re.search(r"<body[^>]*>", text)
    at = start.end() if start else 0
    file.write_text(text[:at] + line + text[at:], encoding="utf-8")


def markdown_section(text, heading):
    """Returns a section of a Markdown text, from its heading to the next one of the same level."""
    lines = text.split("\n")
    first = lines.index(heading)
    level = heading.split(" ")[0] + " "
    length = next((i for i, line in enumerate(lines[first + 1:], 1) if line.startswith(level)), len(lines) - first)
    return "\n".join(lines[first:first + length])


def write_ladder(site, documents, see):
    """Writes a page of compaction-see for each algorithm, and their list with the table of the
    library's README."""
    names = [line.split()[0] for line in run([see, "--list"]).splitlines()]
    files = {name: re.sub("[/:]", "-", name) + ".html" for name in names}
    lists = {}
    for i, name in enumerate(names):
        file = site.file("ladder/" + files[name])
        run([see, name, "-o", file], allowed=(0, 1))  # 1: what is shown fails, as it should
        page = file.read_text(encoding="utf-8")
        about = part_of(page, r'<p id="about">(.*?)</p>')
        size = part_of(page, r"<h1>.*?<small>(n = \d+)")
        step, _, rung = re.split("([/:])", name)
        lists.setdefault(step, []).append(card(files[name], rung,
                                               f'{about} <span class="size">{size}</span>'))
        neighbours = [(f"{arrow} {names[j]}", files[names[j]]) for arrow, j in (("←", i - 1), ("→", i + 1))
                      if 0 <= j < len(names)]
        add_links(file, [("The ladder", "index.html"), *neighbours])

    readme = "compaction/README.md"
    section = markdown_section((site.root / readme).read_text(encoding="utf-8"), "## The ladder")
    rungs = sum(not name.startswith("broken:") for name in names)
    body = [f"<h1>The ladder</h1>\n<p>{rungs} algorithm{'s' * (rungs != 1)}, from the first reduction of the lectures to a "
            "single pass at the speed of a copy. Each page shows one run, step by step: what every lane of every warp does, "
            "memory and who wrote it, ballots, the states of tiles, and the source beside it. Space plays, the arrow keys "
            "step.</p>"]
    for step, items in lists.items():
        body.append(f'<h2 id="{step}">{STEPS.get(step, step)}</h2>\n{cards(items)}')
    section = section.replace("## The ladder", "## What each rung adds", 1)
    body.append(documents.html_of(readme, LADDER, section))
    site.write(LADDER, "The ladder", "\n".join(body), LADDER)


def comment_of(source):
    """Returns the paragraphs of a source's first comment after its includes."""
    blocks = re.findall(r"(?:^//(?!/| SPDX).*\n)+", source, re.MULTILINE)
    lines = [line.removeprefix("//").strip() for line in blocks[0].splitlines()] if blocks else []
    return [" ".join(group.split()) for group in re.split(r"\n\n+", "\n".join(lines)) if group.strip()]


def capitalized(text):
    return text[:1].upper() + text[1:]


def titled(name):
    return capitalized(re.sub("[-_]", " ", name))


def write_gallery(site, documents, pages, judge):
    """Writes the failing run of each error, beside the corrected kernel."""
    folder = site.file("gallery/x").parent
    run([pages, folder, judge])
    items = []
    for file in sorted(folder.glob("*.html")):
        name = file.stem.removesuffix("-corrected")
        if file.name == "index.html" or file.stem != name:
            continue
        source = "compaction/learn/gallery/" + name.replace("-", "_") + ".h"
        has_source = (site.root / source).is_file()
        paragraphs = comment_of((site.root / source).read_text(encoding="utf-8")) if has_source else []
        links = [("the failing run", file.name)]
        corrected = folder / f"{name}-corrected.html"
        others = [("The gallery", "index.html")]
        if corrected.is_file():
            links.append(("corrected", corrected.name))
            add_links(corrected, [*others, ("the failing run", file.name)])
            others.append(("corrected", corrected.name))
        add_links(file, others)
        if has_source:
            links.append(("source", relative(documents.page_of(source), GALLERY)))
        text = "".join(documents.prose(paragraph, source, GALLERY) for paragraph in paragraphs)
        line = " &middot; ".join(f'<a href="{escape(address)}">{what}</a>' for what, address in links)
        items.append(f'<section id="{escape(name)}"><h3>{escape(titled(name))}</h3>{text}<p>{line}</p></section>')
    commands = relative(documents.page_of("compaction/learn/gallery"), GALLERY)
    body = ("<h1>The gallery of errors</h1>\n<p>Mistakes from textbooks, articles and samples, in kernels written anew. The "
            "judge finds each; its page opens where the run fails and shows the threads involved. Beside it is a rung of "
            f'the ladder that is correct. <a href="{commands}">All kernels and commands</a></p>\n{cards(items)}')
    site.write(GALLERY, "The gallery of errors", body, GALLERY)


def write_labs(site, documents):
    """Writes the README of the labs and the text of each exercise with folded hints."""
    readme = "compaction/learn/labs/README.md"
    text = (site.root / readme).read_text(encoding="utf-8")
    judge = relative(documents.page_of("compaction/README.md"), LABS) + "#the-judge"
    body = [documents.html_of(readme, LABS), f'<p><a href="{judge}">What the judge finds, and how to build it</a></p>']
    for number, title, name in re.findall(r"^\| (\d+) \| \[([^\]]*)\]\(([\w.]+)\)", text, re.MULTILINE):
        source = "compaction/learn/labs/" + name
        link = relative(documents.page_of(source), LABS)
        body.append(f'<h2 id="exercise-{number}">{number}. {escape(capitalized(title))}</h2>')
        for paragraph in comment_of((site.root / source).read_text(encoding="utf-8")):
            label, _, rest = paragraph.partition(": ")
            if label == "Hint":
                shown = f"<details><summary>Hint</summary>{documents.prose(capitalized(rest), source, LABS)}</details>"
            elif label == "Judge":
                shown = f"<pre><code>{escape(rest)}</code></pre>"
            else:
                text = rest if label.startswith("Exercise ") else paragraph
                shown = documents.prose(capitalized(text), source, LABS)
            body.append(shown)
        body.append(f'<p><a href="{link}">Start from {escape(name)}</a></p>')
    site.write(LABS, "Labs", "\n".join(body), LABS)


def can_see(winnow):
    """Returns whether this winnow has the command `see`."""
    return bool(re.search(r"^\s+see\b", run([winnow, "--help"]), re.MULTILINE))


def write_paths(site, documents, winnow):
    """Writes the paths of a wave in the two scenes that differ most."""
    # Russian roulette would end paths in both scenes alike; without it, only the scene ends them.
    options = ["--max-bounces", "8", "--roulette", "off"]
    items = []
    for name, text in (("open", "Most paths soon escape into the sky: culling has much to remove."),
                       ("closed", "No path escapes: nearly all live to the last bounce, and culling has nothing to remove.")):
        file = site.file(f"paths/{name}.html")
        run([winnow, "see", site.root / f"scenes/{name}.json", "-o", file, *options])
        add_links(file, [("Paths of a wave", "index.html")])
        image = f"renders/{name}.jpg"
        shown = relative(documents.page_of(image), PATHS) if (site.root / image).is_file() else ""
        items.append(card(f"{name}.html", name, text, shown))
    source = relative(documents.page_of("src/wavefront/cull/README.md"), PATHS)
    body = ("<h1>Paths of a wave</h1>\n<p>Winnow traces its paths in waves, a bounce at a time. These pages follow 512 paths of "
            "one wave over eight bounces, without Russian roulette: which lanes of which warp are active before and after culling, "
            f"why paths end, and where they are in the image.</p>\n{cards(items)}\n"
            f'<p><a href="{source}">Does culling pay?</a> has the measurements.</p>')
    site.write(PATHS, "Paths of a wave", body, PATHS)


def write_reports(site, documents, results):
    """Writes a report of scripts/bench-report for each file of results, and links to the measured
    tables."""
    items = []
    for file in results:
        name = file.stem + ".html"
        run([site.root / "scripts/bench-report", file.resolve(), "-o", site.file("reports/" + name)])
        page = site.folder / "reports" / name
        source = unescape(part_of(page.read_text(encoding="utf-8"), r'<p class="soft">(.*?)</p>'))
        add_links(page, [("Reports", "index.html")])
        items.append(card(name, file.stem, escape(source)))
    for path, title, text in (
            ("src/wavefront/cull/README.md", "Does culling pay?", "Frames with each culling mode, in the scenes of the project."),
            ("src/bvh/README.md", "How fast are rays?", "Traversal and builders of the BVH, beside published kernels."),
            ("compaction/README.md", "The library", "Select, scan, partition and reduction beside CUB and a copy.")):
        if (site.root / path).is_file():
            anchor = "#measured" if path.startswith("compaction/") else ""
            items.append(card(relative(documents.page_of(path), REPORTS) + anchor, title, text))
    body = ("<h1>Measurements</h1>\n<p>Each number has its command, its commit and its baselines beside it.</p>\n" +
            cards(items))
    site.write(REPORTS, "Measurements", body, REPORTS)
