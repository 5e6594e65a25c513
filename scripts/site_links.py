# SPDX-License-Identifier: MIT
"""Finds what is broken in a folder of static pages: links to files and anchors that are not there, images that are
missing, pages to which no link leads, and parts that would come from the network."""

import html.parser
import os
import re
import urllib.parse

LOADED = {("img", "src"), ("script", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src"),
          ("link", "href"), ("object", "data"), ("embed", "src")}
EXTERNAL = re.compile(r"(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


class Page(html.parser.HTMLParser):
    """The anchors and the addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.repeated, self.addresses = set(), [], []  # (tag, address, whether the page loads it)
        self.style = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if value is None:
                continue
            if name == "id":
                if value in self.anchors:
                    self.repeated.append(value)
                self.anchors.add(value)
            elif name == "name" and tag == "a":
                self.anchors.add(value)
            elif (tag, name) in LOADED:
                self.addresses.append((tag, value, True))
            elif name == "href":
                self.addresses.append((tag, value, False))
            elif name == "srcset":
                self.addresses += [(tag, part.split()[0], True) for part in value.split(",") if part.strip()]
            elif name == "style":
                self.add_style(value)
        self.style = tag == "style"

    def handle_endtag(self, tag):
        self.style = False

    def handle_data(self, data):
        if self.style:
            self.add_style(data)

    def add_style(self, text):
        self.addresses += [("style", address, True) for address in addresses_of_style(text)]


def addresses_of_style(text):
    return [match[1] or match[2] for match in
            re.finditer(r"""url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)["']""", text)]


class LinkCheck:
    """Checks a folder. `problems` has one line per problem: "page.html: what is wrong with it"."""

    def __init__(self, folder):
        self.folder = folder
        self.problems, self.link_count = [], 0
        self.pages, self.files, self.reached = {}, set(), set()
        for base, _, names in os.walk(folder):
            self.files.update(os.path.relpath(os.path.join(base, name), folder) for name in names)
        for path in sorted(self.files):
            if path.endswith(".html"):
                self.pages[path] = Page(self.text(path))
        for path in sorted(self.files):
            self.check_file(path)
        self.check_reached()

    def text(self, path):
        with open(os.path.join(self.folder, path), encoding="utf-8", errors="replace") as file:
            return file.read()

    def report(self, path, problem):
        self.problems.append(f"{path}: {problem}")

    def check_file(self, path):
        if path in self.pages:
            for anchor in self.pages[path].repeated:
                self.report(path, f"two anchors #{anchor}")
            addresses = self.pages[path].addresses
        else:
            addresses = ([("style", address, True) for address in addresses_of_style(self.text(path))]
                         if path.endswith(".css") else [])
        for tag, address, is_loaded in addresses:
            problem = self.problem_of(path, address, is_loaded)
            if problem:
                self.report(path, f"<{tag}> {address}: {problem}")

    def problem_of(self, path, address, is_loaded):
        """Returns what is wrong with an address in a file, or None."""
        if EXTERNAL.match(address):
            if is_loaded and not address.startswith("data:"):
                return "would be loaded from elsewhere"
            return None
        self.link_count += 1
        target, _, anchor = address.partition("#")
        target = urllib.parse.unquote(target.partition("?")[0])
        if target.startswith("/"):
            return "is not relative, so it depends on where the site is served"
        found = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if found.startswith(".."):
            return "leads out of the site"
        if os.path.isdir(os.path.join(self.folder, found)):
            found = os.path.normpath(os.path.join(found, "index.html"))
        if found not in self.files:
            return "there is no such file"
        self.reached.add((path, found))
        if anchor and found in self.pages and urllib.parse.unquote(anchor) not in self.pages[found].anchors:
            return "there is no such anchor"
        return None

    def check_reached(self):
        """Reports pages that cannot be reached from index.html."""
        if "index.html" not in self.pages:
            self.report("index.html", "there is no such file")
            return
        targets = {}
        for source, target in self.reached:
            targets.setdefault(source, []).append(target)
        known, waiting = {"index.html"}, ["index.html"]
        while waiting:
            for target in targets.get(waiting.pop(), []):
                if target not in known:
                    known.add(target)
                    waiting.append(target)
        for path in sorted(set(self.pages) - known):
            self.report(path, "no link leads here from index.html")
