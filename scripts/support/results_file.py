# SPDX-License-Identifier: MIT
"""Files that the scripts read and write: results as JSON, tables as Markdown."""

import json
import os
import sys


def read_results(path, program, parse):
    """Returns parse(data) of a JSON file. Exits with one line if it is not what `program` writes."""
    try:
        return parse(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, StopIteration) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        sys.exit(f"{path}: not the results of {program} --json: {reason}")


def write_file(path, text):
    """Writes beside the target and renames: the target is the old file or the complete new one."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        sys.exit(f"{path}: cannot be written: {error.strerror}")


def markdown_table(heads, rows, text_columns=1):
    """Returns a table whose first `text_columns` columns are aligned left, the others right."""
    lines = [heads, ["---"] * text_columns + ["---:"] * (len(heads) - text_columns), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
