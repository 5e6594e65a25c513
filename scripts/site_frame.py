# SPDX-License-Identifier: MIT
"""The frame of the site's pages, their style, and the folder that they are written to."""

import os
import pathlib
import re
import subprocess
from html import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent

STYLE = """
:root { color-scheme: light dark; --ink: #22262b; --page: #fcfcfb; --line: #d9dbde; --soft: #5b636c; --card: #f1f2f3;
        --link: #1a5fb4; --mark: #1d7d50; --word: #8b3a8f; --text: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e8; --page: #16191d; --line: #3a4047; --soft: #a2abb5; --card: #20252b; --link: #8ab8f5;
          --mark: #58c795; --word: #d39be0; --text: #e0b35c; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 0; }
main, footer, .bar > div { max-width: 66rem; margin: 0 auto; padding: 0 1.25rem; }
main { padding-bottom: 3rem; overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: 0.15em; }
.bar { border-bottom: 1px solid var(--line); background: var(--card); }
.bar > div { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; padding-top: 0.5rem; padding-bottom: 0.5rem; }
.bar a { text-decoration: none; color: var(--ink); padding: 0.15rem 0; border-bottom: 2px solid transparent; }
.bar a:hover, .bar a[aria-current] { border-color: var(--mark); }
.bar a:first-child { font-weight: 700; }
.crumbs { color: var(--soft); font-size: 0.9rem; margin: 1rem 0 0; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; scroll-margin-top: 1rem; overflow-wrap: anywhere; }
h1 { margin: 1.2rem 0 0.6rem; } h2 { margin-top: 2.4rem; border-bottom: 1px solid var(--line); padding-bottom: 0.2rem; }
h1 small, h2 small { font-weight: normal; color: var(--soft); font-size: 0.65em; }
.soft { color: var(--soft); } .size { color: var(--soft); white-space: nowrap; }
img { max-width: 100%; height: auto; }
img[src$=".svg"] { background: #fff; border-radius: 6px; }
.diagram svg { max-width: 100%; min-width: 34rem; height: auto; } .diagram text { fill: currentColor; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.92rem; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.7rem; border-bottom: 1px solid var(--line); }
th { vertical-align: bottom; } td { min-width: 2.5rem; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.87em; }
code { background: var(--card); border-radius: 4px; padding: 0.1em 0.3em; }
pre { background: var(--card); border-radius: 6px; padding: 0.7rem 1rem; overflow-x: auto; line-height: 1.45; }
pre code { background: none; padding: 0; font-size: 1em; overflow-wrap: normal; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 0.8rem; padding: 0; }
.cards > * { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
             padding: 0.7rem 1rem; color: var(--ink); text-decoration: none; }
.cards > a:hover { border-color: var(--mark); }
.cards b { color: var(--link); } .cards p { margin: 0.3rem 0 0; font-size: 0.92rem; } .cards h3 { margin: 0; }
.cards img { display: block; border-radius: 4px; margin-bottom: 0.5rem; width: 100%; aspect-ratio: 3 / 2;
             object-fit: cover; object-position: left top; }
.source { counter-reset: line; padding-left: 0; }
.source span[id] { display: block; padding-left: 4.2rem; text-indent: 0; min-height: 1.45em; }
.source span[id]::before { counter-increment: line; content: counter(line); color: var(--soft); display: inline-block;
                           width: 3rem; margin-left: -4.2rem; margin-right: 1.2rem; text-align: right; }
.source span[id]:target { background: color-mix(in srgb, var(--mark) 20%, transparent); }
i.c { color: var(--soft); font-style: normal; } i.k { color: var(--word); font-style: normal; }
i.s { color: var(--text); font-style: normal; }
.entry { border-top: 1px solid var(--line); padding-top: 0.4rem; margin-top: 1.6rem; }
.entry h3 { margin: 0.5rem 0; } .entry .entry { margin-left: 1.2rem; }
.entry pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.headers td:first-child code { white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(5rem, max-content) 1fr; gap: 0.15rem 1.2rem; }
dt { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.87em; line-height: 1.8; }
dd { margin: 0; } dd p { margin: 0; }
@media (max-width: 40rem) { dl { display: block; } dd { margin-left: 1.2rem; } .cards img { aspect-ratio: 5 / 2; } }
footer { color: var(--soft); font-size: 0.85rem; border-top: 1px solid var(--line); padding-top: 0.8rem;
         padding-bottom: 1.5rem; }
"""

FRAME = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><link rel="stylesheet" href="{up}style.css"></head>
<body>
<nav class="bar"><div>{bar}</div></nav>
<main>
{body}
</main>
<footer>{footer}</footer>
</body></html>
"""


def commit_of(root):
    """Returns "abc1234 of 2026-11-23", or "" if this is not a clone."""
    command = ["git", "-C", str(root), "log", "-1", "--format=%h of %cs"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def card(href, title, text, image=""):
    """Returns a link with a title, a sentence and perhaps a picture, for a list of class
    "cards"."""
    picture = f'<img src="{escape(image)}" alt="" loading="lazy">' if image else ""
    return f'<a href="{escape(href)}">{picture}<b>{escape(title)}</b><p>{text}</p></a>'


def cards(items):
    return '<div class="cards">\n' + "\n".join(items) + "\n</div>"


def wide_tables(body):
    """Tables that are wider than the page are scrolled by themselves."""
    return re.sub(r"<table\b.*?</table>", r'<div class="wide">\g<0></div>', body, flags=re.DOTALL)


class Site:
    """The folder of the site. Paths are relative to it, with slashes."""

    def __init__(self, folder, root, sections):
        self.folder, self.root = folder, root
        self.sections = sections  # [(title, path of its first page)]
        commit = commit_of(root)
        self.footer = "Winnow, under the MIT licence." + (f" Built from commit {commit}." if commit else "")

    def file(self, path):
        """Returns the path of a file of the site and makes its folder."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def has(self, path):
        return (self.folder / path).exists()

    def write(self, path, title, body, section=""):
        """Writes a page. `section` is the first page of its section, which the bar marks."""
        bar = "".join(f'<a href="{relative(first, path)}"{" aria-current=page" if first == section else ""}>{name}</a>'
                      for name, first in [("Winnow", "index.html"), *self.sections])
        text = FRAME.format(title=escape(title), up=relative("style.css", path).removesuffix("style.css"), bar=bar,
                            body=wide_tables(body), footer=self.footer)
        self.file(path).write_text(text, encoding="utf-8")

    def write_style(self):
        self.file("style.css").write_text(f"/* SPDX-License-Identifier: MIT */{STYLE}", encoding="utf-8")


def relative(path, page):
    """Returns the link from one page of the site to another file of it."""
    return os.path.relpath(path, os.path.dirname(page) or ".")
