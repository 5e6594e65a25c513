# SPDX-License-Identifier: MIT
"""A page for each installed header of the library: its text, and what it declares."""

import re
import textwrap
from html import escape

from site_doxygen import entries_by_file, run_doxygen
from site_frame import relative
from site_markdown import from_comment, plain

FIRST = "api/index.html"
LONGEST_LINE = 88  # characters of a declaration

GROUPS = [  # (title, folder, ends of the names of its headers)
    ("For the CUDA runtime", "compaction", (".cuh",)),
    ("For the CUDA runtime: workspaces", "compaction/cuda", (".cuh",)),
    ("For the CUDA runtime: CUB's names", "compaction/cub", (".cuh",)),
    ("In kernels: append", "compaction", (".h",)),
    ("For any launcher, on a GPU and on the host", "compaction/single_pass", (".h",)),
    ("Operators", "compaction/op", (".h",)),
    ("In kernels: warps and blocks", "compaction/group", (".h",)),
    ("In kernels: grids", "compaction/grid", (".h",)),
    ("The machine", "compaction/simt", (".h",)),
    ("The machine: CUDA", "compaction/simt/cuda", (".h", ".cuh")),
    ("The machine: the host executor", "compaction/simt/host", (".h",)),
    ("The ladder", "compaction/ladder", (".h",)),
]


class Writer:
    """HTML of Doxygen's XML, for one page."""

    def __init__(self, places, page):
        self.places, self.page = places, page  # places: id -> entry or path of a page

    def link(self, refid, text):
        place = self.places.get(refid)
        if not place:
            return text
        page, anchor = (place, "") if isinstance(place, str) else (place.page, place.anchor)
        if page == self.page and anchor:
            return f'<a href="#{anchor}">{text}</a>'
        return f'<a href="{relative(page, self.page)}{"#" + anchor if anchor else ""}">{text}</a>'

    def inline(self, node):
        """Returns the content of an element as HTML within a line."""
        if node is None:
            return ""
        parts = [escape(node.text or "", quote=False)]
        for child in node:
            text = self.inline(child)
            if child.tag == "ref":
                text = self.link(child.get("refid"), text)
            elif child.tag in ("computeroutput", "emphasis", "bold"):
                tag = {"computeroutput": "code", "emphasis": "em", "bold": "b"}[child.tag]
                text = f"<{tag}>{text}</{tag}>"
            elif child.tag == "ulink":
                text = f'<a href="{escape(child.get("url"))}">{text}</a>'
            parts += [text, escape(child.tail or "", quote=False)]
        return "".join(parts)

    def parameters(self, node):
        items = []
        for item in node.findall("parameteritem"):
            names = ", ".join(self.inline(name) for name in item.iter("parametername"))
            items.append(f"<dt>{names}</dt><dd>{self.blocks(item.find('parameterdescription'))}</dd>")
        return f"<dl>{''.join(items)}</dl>"

    def block(self, node):
        """Returns the HTML of an element that is a block of its own; None for others."""
        if node.tag == "parameterlist":
            return self.parameters(node)
        if node.tag == "simplesect":
            name = {"return": "Returns "}.get(node.get("kind"), "")
            return f"<p>{name}{self.inline(node.find('para')).strip()}.</p>" if name else self.blocks(node)
        if node.tag in ("itemizedlist", "orderedlist"):
            tag = "ul" if node.tag == "itemizedlist" else "ol"
            return f"<{tag}>" + "".join(f"<li>{self.blocks(item)}</li>" for item in node.findall("listitem")) + f"</{tag}>"
        if node.tag in ("verbatim", "preformatted"):
            return f"<pre>{escape(''.join(node.itertext()).rstrip(), quote=False)}</pre>"
        return None

    def blocks(self, node):
        """Returns the paragraphs of an element."""
        if node is None:
            return ""
        parts = []
        for para in node.findall("para"):
            line = [escape(para.text or "", quote=False)]
            for child in para:
                block = self.block(child)
                if block is None:
                    alone = type(para)("para")
                    alone.append(child)
                    line.append(self.inline(alone))
                else:
                    parts += [f"<p>{''.join(line).strip()}</p>", block]
                    line = [escape(child.tail or "", quote=False)]
            parts.append(f"<p>{''.join(line).strip()}</p>")
        return "\n".join(part for part in parts if part != "<p></p>")

    def text(self, entry):
        return "\n".join(filter(None, (self.blocks(entry.node.find(part))
                                       for part in ("briefdescription", "detaileddescription"))))

    @staticmethod
    def tidy(code):
        """Formats a declaration in the house style: `T* x`, `T& x`, `A<B>`."""
        code = re.sub(r"\s+", " ", code)
        code = re.sub(r" ((?:\*|&amp;)+)", r"\1", code)
        code = re.sub(r"((?:\*|&amp;)+)(?=[A-Za-z_])", r"\1 ", code)
        return re.sub(r"&lt; (.*?) (?=&gt;)", r"&lt;\1", code).strip()

    def parameter(self, node):
        kind, name = self.inline(node.find("type")), node.findtext("declname") or ""
        array, default = node.findtext("array") or "", node.find("defval")
        if array.startswith(")"):  # a reference to an array: `T(&) name` `)[n]` is `T (&name)[n]`
            return self.tidy(kind.replace("(&amp;", "(&amp;" + name)) + escape(array, quote=False)
        text = self.tidy(f"{kind} {name}{escape(array, quote=False)}")
        return text + (f" = {self.inline(default)}" if default is not None else "")

    def template(self, node):
        """Returns the line `template <...>`, or nothing."""
        found = node.find("templateparamlist")
        if found is None:
            return ""
        parts = ", ".join(self.parameter(item) for item in found.findall("param"))
        requires = node.find("requiresclause")
        return (f"template &lt;{parts}&gt;" +
                (f" requires {self.inline(requires)}" if requires is not None else "") + "\n")

    def declaration(self, node):
        kind, name = node.get("kind"), self.tidy(escape(node.findtext("name"), quote=False))
        returned = self.tidy(self.inline(node.find("type")))
        if kind == "define":
            return f"#define {name} {self.inline(node.find('initializer'))}".rstrip()
        if kind == "typedef":
            return f"{self.template(node)}using {name} = {returned};"
        if kind == "enum":
            values = ", ".join(value.findtext("name") for value in node.findall("enumvalue"))
            return f"enum {'class ' if node.get('strong') == 'yes' else ''}{name} {{ {values} }};"
        static = "static " if node.get("static") == "yes" and "static" not in returned else ""
        if kind == "variable":
            first = node.find("initializer")
            value = " " + re.sub(r"\s+", " ", self.inline(first)) if first is not None else ""
            return f"{self.template(node)}{static}{returned} {name}{node.findtext('argsstring') or ''}{value};"
        parts = [self.parameter(item) for item in node.findall("param")]
        parts = [part for part in parts if part != "void"]
        tail = re.search(r"\)([^()]*)$", node.findtext("argsstring") or "")
        tail = escape(re.sub(r"=\s*", "= ", tail[1]).strip(), quote=False) if tail else ""
        head = f"{static}{returned} {name}(".strip()
        return self.template(node) + filled(head, parts, f"){' ' + tail if tail else ''};")

    def entry(self, entry, level=3):
        """Returns the HTML of a function, variable, macro or alias with its text."""
        declarations = "\n\n".join(self.declaration(each.node) for each in [entry, *entry.overloads])
        return (f'<section class="entry"><h{level} id="{entry.anchor}">{escape(entry.name)}</h{level}>'
                f"<pre>{declarations}</pre>\n{self.text(entry)}</section>")

    def member(self, member):
        """Returns the declaration of a member without a section of its own, with its text as a
        comment."""
        declaration = "\n".join("  " + line for line in self.declaration(member.node).split("\n"))
        text = plain(self.text(member)).replace("\n", " ").strip()
        if not text:
            return declaration
        if "\n" in declaration or len(plain(declaration)) + len(text) > LONGEST_LINE:
            lines = textwrap.wrap(text, LONGEST_LINE - len("  // "))
            return "".join(f'  <i class="c">// {escape(line, quote=False)}</i>\n' for line in lines) + declaration
        return f'{declaration}  <i class="c">// {escape(text, quote=False)}</i>'

    def compound(self, entry, source):
        """Returns the HTML of a class or struct: a list of the plain members, then the members with
        longer texts."""
        lines = [self.member(member) for member in entry.members if member.is_plain]
        if entry.kind == "concept":
            declared = escape(concept_in(source, entry.name), quote=False)
        else:
            lines = "\n" + "\n".join(lines) + "\n" if lines else ""
            declared = f"{self.template(entry.node)}{entry.kind} {escape(entry.name)} {{{lines}}};"
        members = "\n".join(self.entry(member, 4) for member in entry.members if not member.is_plain)
        return (f'<section class="entry"><h3 id="{entry.anchor}">{entry.kind} {escape(entry.name)}</h3>\n'
                f"{self.text(entry)}\n<pre>{declared}</pre>\n{members}</section>")


def filled(head, parts, tail):
    """Breaks the HTML of a declaration into lines of the usual length, counting only its text."""
    lines = [head]
    for i, part in enumerate(parts):
        part += tail if i + 1 == len(parts) else ", "
        if len(plain(lines[-1] + part).rstrip()) > LONGEST_LINE:
            lines.append("    ")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines) + (tail if not parts else "")


def concept_in(source, name):
    """Returns the source of a concept, whose comments Doxygen leaves out."""
    match = re.search(r"^template[^\n]*\n(?:[^\n/}]*\n)?concept " + re.escape(name) + r"\b.*?;\n(?=\n|[^ }])", source,
                      re.DOTALL | re.MULTILINE)
    return match[0].strip() if match else f"concept {name};"


def prose_of(source):
    """Returns the comments at the start of a header, before its first declaration, as Markdown."""
    head = re.split(r"^(?:namespace|#define|template|struct|class)\b|^///", source, maxsplit=1, flags=re.MULTILINE)[0]
    parts = []
    for block in re.findall(r"(?:^//(?!/| SPDX| ---).*\n)+", head, re.MULTILINE):
        text = re.sub(r"^// ?", "", block, flags=re.MULTILINE)
        for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
            is_code = all(line.startswith("  ") for line in paragraph.split("\n"))
            parts.append(re.sub("^", "    ", paragraph, flags=re.MULTILINE) if is_code else from_comment(paragraph))
    return "\n\n".join(parts)


def page_of(header):
    return "api/" + header.removeprefix("compaction/") + ".html"


def place_entries(files):
    """Gives each entry its page and its anchor. Returns what a reference of Doxygen leads to."""
    places = {}
    for header, entries in files.items():
        used = {}

        def place(entry, prefix):
            anchor = prefix + (re.sub(r"[^\w]+", "-", entry.name).strip("-") or "entry")
            used[anchor] = used.get(anchor, 0) + 1
            entry.page = page_of(header)
            entry.anchor = anchor + (f"-{used[anchor]}" if used[anchor] > 1 else "")
            for each in [entry, *entry.overloads]:
                places[each.id] = entry

        for entry in entries:
            place(entry, "")
            for member in entry.members:
                place(member, entry.anchor + "-")
                if member.is_plain:
                    member.anchor = entry.anchor  # it has no heading
    return places


def names_of(entries, page=""):
    """Returns links to the first entry of each name that a header declares."""
    anchors = {}
    for entry in entries:
        if "<" not in entry.name:  # specializations are beside what they specialize
            anchors.setdefault(entry.name, entry.anchor)
    return ", ".join(f'<a href="{page}#{anchor}">{escape(name)}</a>' for name, anchor in anchors.items())


def write_header(site, documents, header, entries, places):
    page = page_of(header)
    writer = Writer(places, page)
    source = (site.root / header).read_text(encoding="utf-8")
    link = relative(documents.page_of(header), page)
    body = [f'<p class="crumbs"><a href="{relative(FIRST, page)}">API</a> / {escape(header)} '
            f'(<a href="{link}">source</a>)</p>\n<h1>{escape(header)}</h1>']
    if prose := prose_of(source):
        body.append(documents.html_of(header, page, prose))
    if len(entries) > 1:
        body.append(f'<p class="soft">{names_of(entries)}</p>')
    for entry in entries:
        is_compound = entry.node.tag == "compounddef"
        body.append(writer.compound(entry, source) if is_compound else writer.entry(entry))
    site.write(page, header, "\n".join(body), FIRST)


def write_index(site, files):
    rows = []
    known = set()
    for title, folder, endings in GROUPS:
        headers = [header for header in sorted(files) if header.rpartition("/")[0] == folder and header.endswith(endings)]
        known.update(headers)
        if not headers:
            continue
        lines = []
        for header in headers:
            link = relative(page_of(header), FIRST)
            lines.append(f'<tr><td><a href="{link}"><code>{escape(header.removeprefix("compaction/"))}</code></a></td>'
                         f"<td>{names_of(files[header], link)}</td></tr>")
        rows.append(f'<h2>{title}</h2>\n<table class="headers">{"".join(lines)}</table>')
    assert known == set(files), f"headers in no group: {set(files) - known}"
    site.write(FIRST, "API of compaction", "<h1>API of compaction</h1>\n<p>The installed headers of the library, as their "
               "docstrings describe them. In <code>[brackets]</code>: the size of an array.</p>\n" + "\n".join(rows), FIRST)


def write_api(site, documents):
    compounds = run_doxygen(site.root)
    files = entries_by_file(compounds)
    places = place_entries(files)
    for compound in compounds:
        if compound.get("kind") == "file" and compound.find("location").get("file") in files:
            places[compound.get("id")] = page_of(compound.find("location").get("file"))
    for header, entries in files.items():
        write_header(site, documents, header, entries, places)
    write_index(site, files)
