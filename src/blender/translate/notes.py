# SPDX-License-Identifier: MIT
"""Collects what a scene has and Winnow lacks."""


class Notes:
    """Facts about a scene, each with the names of the things that it is true of."""

    MAX_NAMES = 3

    def __init__(self):
        self._names = {}

    def add(self, fact, name=""):
        names = self._names.setdefault(fact, [])
        if name and name not in names:
            names.append(name)

    def lines(self):
        """Returns one line for each fact, such as "no bump maps: Wood, Stone and 4 more"."""
        lines = []
        for fact, names in self._names.items():
            shown = ", ".join(names[:self.MAX_NAMES])
            more = len(names) - self.MAX_NAMES
            lines.append(fact + (f": {shown}" if shown else "")
                         + (f" and {more} more" if more > 0 else ""))
        return lines

    def take(self):
        """Returns the lines and forgets them."""
        lines = self.lines()
        self._names.clear()
        return lines
