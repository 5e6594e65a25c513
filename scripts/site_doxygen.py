# SPDX-License-Identifier: MIT
"""Reads what the installed headers of the library declare from Doxygen's XML, in the order of the sources."""

import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

DOXYFILE = "scripts/site.doxyfile"
HIDDEN_NAMESPACES = ("std",)


class Entry:
    """A declaration and its text. Overloads without a text of their own are declared with the one before them."""

    def __init__(self, node):
        self.node, self.overloads, self.members = node, [], []
        is_compound = node.tag == "compounddef"
        self.id = node.get("id")
        self.kind = node.get("kind")
        self.qualified = node.findtext("compoundname") if is_compound else node.findtext("qualifiedname", "")
        name = re.sub(r"^.*?(\w+(<.*)?)$", r"\1", self.qualified) if is_compound else node.findtext("name")
        self.name = re.sub(r"(?<=<) | (?=>)", "", name)
        place = node.find("location")
        self.file, self.line = place.get("file"), int(place.get("line", "0"))
        self.page, self.anchor = None, None

    @property
    def has_text(self):
        return any("".join(self.node.find(part).itertext()).strip() for part in
                   ("briefdescription", "detaileddescription") if self.node.find(part) is not None)

    @property
    def is_plain(self):
        """Whether one line is enough to show it as a member."""
        return self.kind != "function" or not (self.has_text or self.overloads)


def run_doxygen(root):
    """Runs Doxygen. Returns the <compounddef> elements of its XML files. Exits with its warnings if
    there are any."""
    with tempfile.TemporaryDirectory() as folder:
        options = (root / DOXYFILE).read_text(encoding="utf-8") + f"\nOUTPUT_DIRECTORY = {folder}\n"
        done = subprocess.run(["doxygen", "-"], input=options, cwd=root, capture_output=True, text=True)
        if done.returncode != 0:
            sys.stderr.write(done.stderr)
            sys.exit("scripts/site: Doxygen has complaints about docstrings")
        return [node for file in sorted(pathlib.Path(folder, "xml").glob("*.xml"))
                for node in ElementTree.parse(file).getroot().findall("compounddef")]


def public_members(compound):
    """Returns the public members of a class, a namespace or a file, in the order of the sources."""
    found = [Entry(node) for node in compound.iter("memberdef")
             if node.get("prot", "public") == "public" and node.get("kind") != "friend" and
             not node.findtext("name").startswith("~")]
    return with_overloads(sorted(found, key=lambda entry: (entry.file, entry.line)))


def with_overloads(entries):
    """Merges entries without a text into the previous entry of the same name."""
    kept = []
    for entry in entries:
        last = kept[-1] if kept else None
        if (last and entry.kind == last.kind == "function" and entry.name == last.name and entry.file == last.file and
                last.has_text and not entry.has_text):
            last.overloads.append(entry)
        else:
            kept.append(entry)
    return kept


def entries_by_file(compounds):
    """Returns {path of a header: its entries in order}."""
    found = []
    for compound in compounds:
        kind, name = compound.get("kind"), compound.findtext("compoundname")
        if kind in ("namespace", "file"):
            if name.split("::")[0] in HIDDEN_NAMESPACES:
                continue
            is_wanted = {"namespace": lambda entry: True, "file": lambda entry: entry.kind == "define"}[kind]
            found += [entry for entry in public_members(compound) if is_wanted(entry)]
        elif kind in ("class", "struct", "union", "concept") and compound.get("prot", "public") == "public":
            if name.split("::")[0] in HIDDEN_NAMESPACES:
                continue
            entry = Entry(compound)
            entry.members = public_members(compound) if kind != "concept" else []
            found.append(entry)
    names = {entry.qualified for entry in found if entry.node.tag == "compounddef"}
    files = {}
    for entry in sorted(found, key=lambda entry: entry.line):
        outer = entry.qualified.rpartition("::")[0]
        if entry.node.tag == "compounddef" and outer in names:
            continue  # types of a type, such as Shared, are for its own members
        files.setdefault(entry.file, []).append(entry)
    return files
