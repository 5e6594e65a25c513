# SPDX-License-Identifier: MIT
"""The results that compaction_bench --json writes."""

from support.results_file import read_results

OURS, CUB, COPY = "compaction", "cub", "memcpy"
NAMES = {OURS: "compaction", CUB: "CUB", "thrust": "Thrust", COPY: "plain copy (memcpy)"}
OPERATIONS = {"select_if": "Select by predicate", "select_flagged": "Select by byte flags",
              "partition_if": "Stable partition", "select_soa": "Select, 4 columns of 16 bytes",
              "exclusive_scan": "Exclusive scan", "inclusive_scan": "Inclusive scan",
              "reduce": "Reduction"}
CELL = ("suite", "operation", "item_bytes", "n", "keep", "algorithm")  # fields that identify a row
TIMES_OF_CUB = ("cold_time_of_cub", "hot_time_of_cub", "graph_time_of_cub")


class Results:
    """The rows of a results file."""

    def __init__(self, path):
        read_results(path, "compaction_bench", self.parse)

    def compare_with(self, other):
        """Makes times relative to the faster CUB of both files.

        Each ratio was measured within one run; the larger of the two is taken.
        """
        others = {tuple(row.get(name) for name in CELL): row for row in other.rows}
        for row in self.rows:
            known = others.get(tuple(row.get(name) for name in CELL), {})
            for name in TIMES_OF_CUB:
                if name in row and name in known:
                    row[name] = max(row[name], known[name])
        self.device["cub"] += f" and {other.device['cub']}, the faster of both"

    def parse(self, data):
        self.rows, self.device, self.skipped = data["results"], data["device"], data["skipped"]
        self.flush, self.samples = data.get("flush"), data.get("samples")
        self.date = data.get("started", "")[:10]

    def where(self, **fields):
        """Returns the rows with these values."""
        return [row for row in self.rows
                if all(row.get(name) == value for name, value in fields.items())]

    def one(self, **fields):
        """Returns the first row with these values, or None."""
        return next(iter(self.where(**fields)), None)

    def values(self, name, **fields):
        """Returns all values of a field in ascending order."""
        return sorted({row[name] for row in self.where(**fields) if row.get(name) is not None})


def size(n):
    """Formats a power of two as 2^20, any other number as it is."""
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)
