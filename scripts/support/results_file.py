# SPDX-License-Identifier: MIT
"""Reads results as JSON; writes files and Markdown tables."""

import json
import math
import os
import sys


def finite(text):
    """Returns a number of JSON. Raises ValueError for NaN, infinity and what is out of range."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"it holds {text}, which is no finite number")
    return number


def finite_integer(text):
    """Returns an integer of JSON. Raises ValueError if it is out of range of a float."""
    finite(text)
    return int(text)


def read_results(path, program, parse):
    """Returns parse(data) of a JSON file. Exits with one line if it is not what `program` writes."""
    try:
        text = path.read_text(encoding="utf-8")
        return parse(json.loads(text, parse_float=finite, parse_int=finite_integer,
                                parse_constant=finite))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, StopIteration,
            RecursionError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        sys.exit(f"{path}: not the results of {program} --json: {reason}")


def write_file(path, text):
    """Writes a temporary file and renames it: the target is the old file or the complete new one."""
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
