# SPDX-License-Identifier: MIT
"""The Markdown files of the project as sources of Sphinx, and a page for each source and folder that they name."""

import os
import re
import sys

LANGUAGES = {".h": "cpp", ".cpp": "cpp", ".cu": "cuda", ".cuh": "cuda", ".py": "python", ".json": "json"}
HIDDEN = re.compile(r"(\.(?!github$)|(build|output|generated|__pycache__|ISSUE_TEMPLATE|pull_request_template\.md)$)")
BLOCK = re.compile(r"(^```.*?^```$|^<!--.*?-->\n)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)|(?<![\[`\w])`([\w./-]+\.(?:h|cuh|cu|cpp|py))`(?![`\]])")


def to_dot(chart):
    """A flowchart of Mermaid, lines such as `a[text] -->|label| b`, as a graph of Graphviz."""
    nodes = re.findall(r'(\w+)\[\(?"?(.*?)"?\)?\]', chart)
    edges = re.findall(r'(?=\b(\w+)\s*-->(?:\|"?(.*?)"?\|)?\s*(\w+))', re.sub(r"\[.*?\]", "", chart))
    return "\n".join(["digraph {", 'rankdir=LR; node [shape=box, fontname="sans"]; edge [fontname="sans"];',
                      *(f'{name} [label="{text}"];'.replace("<br>", r"\n") for name, text in nodes),
                      *(f'{a} -> {b} [label=" {label} "];' for a, label, b in edges), "}"])


class Documents:
    """The folder of Sphinx's sources. Paths are relative to the root of the project."""

    def __init__(self, root, folder):
        self.root, self.folder, self.problems = root, folder, []
        self.seen, self.waiting = set(), []  # sources and folders that have a page, and those whose page is not written
        self.files = []
        for base, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not HIDDEN.match(name)]
            self.files += [os.path.relpath(os.path.join(base, name), root) for name in names if not HIDDEN.match(name)]

    def file(self, page):
        file = self.folder / page.replace(".github", "github")  # GitHub Pages leaves .github out
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def page_of(self, path):
        """The page that shows a file or a folder, or the copy of an image."""
        if (self.root / path / "README.md").is_file():
            return f"{path}/README.md"
        if re.search(r"\.(gif|jpe?g|png|svg|webp)$", path):
            self.file(path).write_bytes((self.root / path).read_bytes())
        if re.search(r"\.(md|gif|jpe?g|png|svg|webp)$", path):
            return path
        if path not in self.seen:
            self.seen.add(path)
            self.waiting.append(path)
        return f"{path}/index.md" if (self.root / path).is_dir() else f"{path}.md"

    def link(self, page, target, name):
        """What replaces the address of a link, or the name of a source."""
        path = os.path.normpath(os.path.join(os.path.dirname(page), target or name))
        if name and path not in self.files:  # not beside the page: from the root, or the only file whose path ends so
            found = [file for file in self.files if file == name or "/" in name and file.endswith("/" + name)]
            if len(found) != 1:
                return f"`{name}`"
            path = found[0]
        if path.startswith("..") or not (self.root / path).exists():
            self.problems.append(f"{page}: {target}: does not exist")
            return target
        address = os.path.relpath(self.file(self.page_of(path)), self.file(page).parent)
        return f"[`{name}`]({address})" if name else address

    def block(self, text):
        """What replaces a block of code or a comment."""
        if text.startswith("```mermaid\nflowchart"):
            return "```{graphviz}\n" + to_dot(text[3:-3].split("\n", 2)[2]) + "\n```"
        return "" if text.startswith("<!--") else text.replace("```floors", "```text", 1)

    def write(self, page, text):
        """Writes a page: Markdown with links to files of the project."""
        parts = BLOCK.split(text)
        parts[0::2] = [LINK.sub(lambda link: self.link(page, *link.groups()), part) for part in parts[0::2]]
        parts[1::2] = map(self.block, parts[1::2])
        self.file(page).write_text("".join(parts), encoding="utf-8")

    def write_all(self):
        """Writes the documents, and what they name. Returns the sources of the documents."""
        documents = sorted((path for path in self.files if path.endswith(".md")), key=lambda path: (path.count("/"), path))
        for path in documents:
            self.write(path, (self.root / path).read_text(encoding="utf-8"))
        while self.waiting:
            path = self.waiting.pop()
            page, head = self.page_of(path), f"---\norphan: true\nnosearch: true\n---\n\n# {path}\n\n"
            if (self.root / path).is_dir():
                names = sorted(name for name in os.listdir(self.root / path) if not HIDDEN.match(name))
                is_linked = [(self.root / path / name).is_dir() or name.endswith((*LANGUAGES, ".md")) for name in names]
                self.write(page, head + "\n".join(f"- [{name}]({name})" if linked else f"- {name}"
                                                  for name, linked in zip(names, is_linked)))
            else:
                source = os.path.relpath(self.root / path, self.file(page).parent)
                self.file(page).write_text(f"{head}```{{literalinclude}} {source}\n:linenos:\n:language: "
                                           f"{LANGUAGES.get(os.path.splitext(path)[1], 'text')}\n```\n", encoding="utf-8")
        if self.problems:
            sys.exit("\n".join(self.problems))
        return [str(self.file(path).relative_to(self.folder)) for path in documents]
