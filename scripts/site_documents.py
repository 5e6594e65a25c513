# SPDX-License-Identifier: MIT
"""The READMEs of the project as pages, and what they link to: sources with their lines, folders, images."""

import os
import re
import shutil
from html import escape, unescape

from site_frame import relative
from site_markdown import from_comment, title_of, to_html

FIRST = "documents/README.html"
IMAGES = {".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp"}
TEMPLATES = {"ISSUE_TEMPLATE", "pull_request_template.md"}  # forms for issues on GitHub

WORDS = {
    "c": "alignas auto bool break case char class concept const consteval constexpr continue decltype default do double "
         "else enum explicit extern false float for friend if inline int long namespace noexcept nullptr operator "
         "private protected public requires return short signed sizeof static struct switch template this throw true "
         "typename union unsigned using void volatile while __global__ __device__ __host__ __shared__",
    "py": "and as assert break class continue def elif else except False finally for from if import in is lambda None "
          "not or pass raise return True try while with yield",
}
STRING = r'"(?:[^"\\\n]|\\.)*"'
TOKENS = {
    "c": re.compile(r"(?P<c>//[^\n]*|/\*.*?\*/)|(?P<s>" + STRING + r")|(?P<w>\b[A-Za-z_]\w*)", re.DOTALL),
    "py": re.compile(r"(?P<c>#[^\n]*)|(?P<s>" + STRING + r")|(?P<w>\b[A-Za-z_]\w*)"),
}
LANGUAGES = {".h": "c", ".cpp": "c", ".cu": "c", ".cuh": "c", ".py": "py"}


def highlight(text, language):
    """Returns escaped text with marked comments, strings and keywords, each within its line."""
    words = set(WORDS[language].split())

    def marked(kind, token):
        return "\n".join(f'<i class="{kind}">{escape(line, quote=False)}</i>' if line else ""
                         for line in token.split("\n"))

    parts, at = [], 0
    for match in TOKENS[language].finditer(text):
        parts.append(escape(text[at:match.start()], quote=False))
        at = match.end()
        kind = "k" if match["w"] in words else match.lastgroup
        parts.append(escape(match[0], quote=False) if kind == "w" else marked(kind, match[0]))
    return "".join(parts) + escape(text[at:], quote=False)


def highlight_blocks(body):
    """Returns the HTML of Markdown with highlighted blocks of C++."""
    return re.sub(r'(<code class="language-(?:cpp|cuda)">)(.*?)(</code>)',
                  lambda match: match[1] + highlight(unescape(match[2]), "c") + match[3], body, flags=re.DOTALL)


def language_of(file, text):
    if file.suffix in LANGUAGES:
        return LANGUAGES[file.suffix]
    return "py" if text.startswith("#!") else None


def source_lines(file, text):
    """Returns a <pre> with numbered lines that have the anchors L1, L2, ..."""
    language = language_of(file, text)
    lines = (highlight(text, language) if language else escape(text, quote=False)).rstrip("\n").split("\n")
    return ('<pre class="source">' + "".join(f'<span id="L{number}">{line}</span>' for number, line in
                                             enumerate(lines, 1)) + "</pre>")


class Documents:
    """Makes pages of requested files of the project, and of the files that these link to."""

    def __init__(self, site):
        self.site, self.root = site, site.root
        self.pages = {}  # path in the project -> path of its page
        self.waiting = []
        self.endings = None

    def write_all(self):
        """Writes the pages of all READMEs."""
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if self.is_shown(name) or name == ".github")
            for name in sorted(files):
                if name.endswith(".md") and not TEMPLATES.intersection([name, os.path.basename(folder)]):
                    self.page_of(os.path.relpath(os.path.join(folder, name), self.root))
        self.write_waiting()

    def write_waiting(self):
        while self.waiting:
            path = self.waiting.pop()
            file = self.root / path
            if file.is_dir():
                self.write_folder(path)
            elif file.suffix == ".md":
                self.write_markdown(path)
            else:
                self.write_source(path)

    @staticmethod
    def is_shown(name):
        return not name.startswith(".") and name not in ("build", "__pycache__")

    def page_of(self, path):
        """Returns the page of a file or folder of the project, which is written later; for an
        image, its copy."""
        path = os.path.normpath(path)
        if path in self.pages:
            return self.pages[path]
        file = self.root / path
        # Servers and archives leave out names that begin with a dot.
        page = "documents/" + "/".join(part.removeprefix(".") for part in path.split(os.sep))
        if file.is_dir():
            readme = os.path.join(path, "README.md")
            if (self.root / readme).is_file():
                return self.page_of(readme)
            page += "/index.html"
        elif file.suffix in IMAGES:
            if file.is_file():
                shutil.copyfile(file, self.site.file(page))
            self.pages[path] = page
            return page
        else:
            page = page.removesuffix(".md") + ".html"
        self.pages[path] = page
        if file.exists():
            self.waiting.append(path)
        return page

    def address(self, address, path, page):
        """Returns the address in `page` for a link of the document `path`."""
        if re.match(r"[a-z]+:|//", address):
            return address
        target, _, anchor = address.partition("#")
        if target:
            target = os.path.normpath(os.path.join(os.path.dirname(path), target))
            if target.startswith(".."):
                return relative("out-of-the-project", page)  # reported by the link check
            target = relative(self.page_of(target), page)
        return target + ("#" + anchor if anchor else "")

    def html_of(self, path, page, text=None):
        """Converts a Markdown file, or a part of its text, to HTML for a page of the site."""
        text = text or (self.root / path).read_text(encoding="utf-8")
        body = to_html(text, lambda address: self.address(address, path, page))
        return self.link_names(highlight_blocks(body), path, page)

    def link_names(self, body, path, page):
        """Makes links of the names of sources in a document: `compaction/select.h`, `stage/shade.h`."""
        def link(match):
            file = match[1] and self.named(match[1], path)
            if not file:
                return match[0]
            name = re.sub("([/_])", r"\1<wbr>", match[1])  # a long name may be broken there
            return f'<a href="{relative(self.page_of(file), page)}"><code>{name}</code></a>'
        return re.sub(r"<a\b.*?</a>|<code>([\w./-]+\.\w+)</code>", link, body, flags=re.DOTALL)

    def prose(self, paragraph, path, page):
        """Converts a paragraph of a comment in the source `path` to HTML, with links to the sources
        that it names."""
        return self.html_of(path, page, from_comment(paragraph))

    def named(self, name, path):
        """Returns the source that a document names: a path from its folder, from the root, or the
        end of only one path."""
        for base in (os.path.dirname(path), ""):
            file = os.path.normpath(os.path.join(base, name))
            if not file.startswith("..") and (self.root / file).is_file() and self.is_source(file):
                return file
        endings = self.sources_by_ending().get(name, [])
        return endings[0] if "/" in name and len(endings) == 1 else None

    @staticmethod
    def is_source(file):
        return os.path.splitext(file)[1] in LANGUAGES

    def sources_by_ending(self):
        """Returns each source by each end of its path: {"stage/shade.h":
        ["src/wavefront/stage/shade.h"]}."""
        if self.endings is None:
            self.endings = {}
            for folder, folders, files in os.walk(self.root):
                folders[:] = [name for name in folders if self.is_shown(name)]
                for name in filter(self.is_source, files):
                    parts = os.path.relpath(os.path.join(folder, name), self.root).split(os.sep)
                    for first in range(1, len(parts)):
                        self.endings.setdefault("/".join(parts[first:]), []).append("/".join(parts))
        return self.endings

    def crumbs(self, path):
        """Returns the folders of a file, as links if they have a page."""
        page, parts = self.pages[path], path.split(os.sep)
        links = [f'<a href="{relative(FIRST, page)}">Documents</a>']
        for depth in range(1, len(parts)):
            folder = os.path.join(*parts[:depth])
            known = self.pages.get(folder) or self.pages.get(os.path.join(folder, "README.md"))
            name = escape(parts[depth - 1])
            links.append(f'<a href="{relative(known, page)}">{name}</a>' if known and known != page else name)
        return f'<p class="crumbs">{" / ".join([*links, escape(parts[-1])])}</p>\n'

    def write(self, path, title, body):
        self.site.write(self.pages[path], title, self.crumbs(path) + body, FIRST)

    def write_markdown(self, path):
        body = self.html_of(path, self.pages[path])
        self.write(path, title_of(body, path), body)

    def write_source(self, path):
        file = self.root / path
        text = file.read_text(encoding="utf-8", errors="replace")
        self.write(path, path, f"<h1>{escape(file.name)}</h1>\n{source_lines(file, text)}")

    def write_folder(self, path):
        names = sorted(file.name + ("/" if file.is_dir() else "") for file in (self.root / path).iterdir()
                       if self.is_shown(file.name))
        page = self.pages[path]
        items = "".join(f'<li><a href="{escape(relative(self.page_of(os.path.join(path, name)), page))}">'
                        f"{escape(name)}</a></li>\n" for name in names)
        self.write(path, path, f"<h1>{escape(path)}</h1>\n<ul>\n{items}</ul>")
