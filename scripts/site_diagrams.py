# SPDX-License-Identifier: MIT
"""Flowcharts of Markdown, as the READMEs have them in Mermaid's notation, drawn by Graphviz as SVG within the page."""

import re
import shutil
import subprocess
from html import unescape

NODE = re.compile(r'\s*(\w+)(?:\[(\()?"?([^\]]*?)"?\)?\])?')
EDGE = re.compile(r'\s*-->(?:\|"?([^|]*?)"?\|)?')
STYLE = ('rankdir=LR; bgcolor=transparent; margin=0; nodesep=0.25; ranksep=0.3; '
         'node [shape=box, style=rounded, height=0.4, fontname="sans-serif", fontsize=12]; '
         'edge [fontname="sans-serif", fontsize=10, arrowsize=0.7];')


def quoted(text):
    return '"' + re.sub(r"<br/?>", r"\\n", text).replace('"', "'") + '"'


def to_dot(chart):
    """Converts a flowchart of lines `a[text] -->|label| b --> c` to Graphviz's notation."""
    lines = []
    for line in chart.strip().split("\n")[1:]:
        at, last, label = 0, None, None
        while match := NODE.match(line, at):
            name, is_store, text = match.groups()
            if text:
                shape = ", shape=cylinder, style=solid" if is_store else ""
                lines.append(f"{name} [label={quoted(text)}{shape}];")
            if last:
                lines.append(f"{last} -> {name}" + (f" [label={quoted(' ' + label + ' ')}]" if label else "") + ";")
            last, at = name, match.end()
            match = EDGE.match(line, at)
            if not match:
                break
            label, at = match[1], match.end()
    return "digraph {" + STYLE + "\n" + "\n".join(lines) + "}\n"


def to_svg(chart):
    """Returns the picture of a flowchart in the colour of the text around it."""
    done = subprocess.run(["dot", "-Tsvg"], input=to_dot(chart), capture_output=True, text=True, check=True)
    svg = done.stdout[done.stdout.index("<svg"):]
    svg = re.sub(r"<!--.*?-->\s*|<title>.*?</title>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:id|class|xmlns:xlink)="[^"]*"', "", svg)
    return '<div class="wide diagram">' + re.sub(r'"black"', '"currentColor"', svg) + "</div>"


def with_diagrams(body):
    """Replaces the flowcharts in HTML by pictures if Graphviz is installed; otherwise they stay
    text."""
    if not shutil.which("dot"):
        return body
    return re.sub(r'<pre><code class="language-mermaid">(flowchart .*?)</code></pre>',
                  lambda match: to_svg(unescape(match[1])), body, flags=re.DOTALL)
