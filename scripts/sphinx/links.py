# SPDX-License-Identifier: MIT
"""Finds what is broken in a folder of static pages: links to missing files and anchors, missing images, pages that no
link leads to, and parts that would be loaded from the network."""

import html.parser
import os
import re
import sys
import urllib.parse

STYLE_ADDRESS = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")


class Page(html.parser.HTMLParser):
    """The anchors of a page or a style sheet, and its addresses: (tag, address)."""

    def __init__(self, file):
        super().__init__()
        self.anchors, self.repeated, self.addresses, self.tag = set(), [], [], "style" if file.suffix == ".css" else ""
        text = file.read_text(encoding="utf-8", errors="replace")
        self.handle_data(text) if self.tag else self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = {name: value or "" for name, value in attrs}
        anchors = {attrs[name] for name in ("id", "name") if name in attrs and (name == "id" or tag == "a")}
        self.repeated += anchors & self.anchors
        self.anchors |= anchors
        self.addresses += [(tag, attrs[name]) for name in ("href", "src", "data") if name in attrs]
        self.addresses += [(tag, part.split()[0]) for part in attrs.get("srcset", "").split(",") if part.strip()]
        self.tag = "style"
        self.handle_data(attrs.get("style", ""))
        self.tag = tag

    def handle_endtag(self, tag):
        self.tag = ""

    def handle_data(self, data):
        if self.tag == "style":
            self.addresses += [("style", match[1] or match[2]) for match in STYLE_ADDRESS.finditer(data)]


def check_links(folder):
    """Prints what is broken in a folder. Returns the exit status."""
    files = {str(file.relative_to(folder)): file for file in folder.rglob("*") if file.is_file()}
    pages = {path: Page(file) for path, file in sorted(files.items()) if file.suffix in (".html", ".css")}

    def target_of(path, address):
        """The file that an address on a page leads to, and what is wrong with the address."""
        target, _, anchor = urllib.parse.unquote(address).partition("#")
        found = os.path.normpath(os.path.join(os.path.dirname(path), target.partition("?")[0])) if target else path
        found = found if found in files else os.path.normpath(os.path.join(found, "index.html"))
        if target.startswith("/"):
            return found, "is not relative, so it depends on where the site is served"
        if found not in files:
            return found, "leads out of the site" if found.startswith("..") else "there is no such file"
        return found, "there is no such anchor" if anchor and found in pages and anchor not in pages[found].anchors else None

    problems, links = [], {}
    for path, page in pages.items():
        problems += [f"{path}: two anchors #{anchor}" for anchor in page.repeated]
        links[path] = set()
        for tag, address in page.addresses:
            if re.match(r"[a-zA-Z][\w+.-]*:|//", address):
                problem = None if tag == "a" or address.startswith("data:") else "would be loaded from elsewhere"
            else:
                target, problem = target_of(path, address)
                links[path].add(target)
            problems += [f"{path}: <{tag}> {address}: {problem}"] if problem else []
    reached = new = {"index.html"}
    while new := set().union(*(links.get(path, ()) for path in new)) - reached:
        reached = reached | new
    problems += [f"{path}: no link leads here from index.html" for path in sorted(set(pages) - reached) if ".html" in path]
    problems += [] if "index.html" in files else ["index.html: there is no such file"]
    print(*problems, sep="\n", end="\n" * bool(problems), file=sys.stderr)
    print(f"{folder}: {len(pages)} pages and styles, {sum(map(len, links.values()))} links, {len(problems)} broken")
    return 1 if problems else 0
