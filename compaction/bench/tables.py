# SPDX-License-Identifier: MIT
"""The results of compaction_bench as Markdown tables."""

from results import CUB, NAMES, OPERATIONS, OURS, TIMES_OF_CUB, size
from support.results_file import markdown_table

LOST = 1.02  # CUB is ahead if the time relative to CUB's is above this


def table(heads, rows):
    print(markdown_table(heads, rows))


def cell(row):
    """Formats the speed relative to a copy and the time relative to CUB."""
    if row is None:
        return ""
    copy, cub = row.get("cold_speed_of_memcpy"), row.get("cold_time_of_cub")
    return " ".join([f"{copy:.2f}" if copy else "-", f"({cub:.2f})" if cub else ""]).strip()


def print_grid(results, operation, column, heading, **fields):
    """Prints a table with a row for each n and a column for each value of a field."""
    fields = dict(operation=operation, algorithm=OURS, **fields)
    columns = results.values(column, **fields)
    if not columns:
        return
    rows = [[size(n)] + [cell(results.one(n=n, **{column: c}, **fields)) for c in columns]
            for n in results.values("n", **fields)]
    table(["n"] + [heading(c) for c in columns], rows)


def print_baselines(results):
    print("Speed relative to a plain copy of the same number of bytes, and in parentheses the time "
          "relative to CUB's: below 1 is faster.\n")
    for operation, title in OPERATIONS.items():
        sizes = results.values("item_bytes", operation=operation, algorithm=OURS)
        if not sizes:
            continue
        print(f"**{title}**\n")
        if results.values("keep", operation=operation):
            for item_bytes in sizes:
                print(f"{item_bytes}-byte items, by the share of items kept:\n")
                print_grid(results, operation, "keep", lambda keep: f"{keep:g} %",
                           item_bytes=item_bytes)
        else:
            print_grid(results, operation, "item_bytes", lambda item_bytes: f"{item_bytes} B")


def print_lost(results):
    """Prints the cases in which CUB is faster, cold, hot or in a graph."""
    def worst(row):
        return max(row.get(name, 0) for name in TIMES_OF_CUB)

    compared = [row for row in results.where(algorithm=OURS)
                if row["suite"] != "ladder" and worst(row) > 0]
    if not compared:
        return
    lost = sorted((row for row in compared if worst(row) > LOST), key=worst, reverse=True)
    print(f"CUB is ahead by more than {100 * (LOST - 1):.0f} %, cold, hot or in a graph, in "
          f"{len(lost)} of {len(compared)} cases" + (":\n" if lost else ".\n"))
    if lost:
        table(["operation", "item", "n", "keep", "time relative to CUB's, cold", "hot",
               "in a graph"],
              [[row["operation"], f"{row['item_bytes']} B", size(row["n"]),
                f"{row['keep']:g} %" if "keep" in row else "-"]
               + [f"{row[name]:.2f}" if name in row else "-" for name in TIMES_OF_CUB]
               for row in lost])


def print_by_operation(results, suite, heading):
    """Prints times of a suite relative to CUB: a row per number of items, a column per operation."""
    operations = list(dict.fromkeys((row["operation"], row["item_bytes"])
                                    for row in results.where(suite=suite)))
    if not operations:
        return
    print(f"**{heading}**: time relative to CUB's, cold / hot / in a graph of 100 calls.\n")
    rows = []
    for n in results.values("n", suite=suite):
        cells = []
        for operation, item_bytes in operations:
            row = results.one(operation=operation, item_bytes=item_bytes, algorithm=OURS,
                              n=n) or {}
            cells.append(" / ".join(f"{row[name]:.2f}" for name in TIMES_OF_CUB if name in row))
        rows.append([size(n)] + cells)
    table(["n"] + [f"{operation}, {item_bytes} B" for operation, item_bytes in operations], rows)


def print_floats(results):
    """Prints microseconds of sums of floats, and those of each of CUB's with their ratio."""
    for operation in results.values("operation", suite="floats"):
        rivals = [name for name in dict.fromkeys(row["algorithm"] for row in
                                                 results.where(operation=operation))
                  if name.startswith(CUB)]
        rows = []
        for n in results.values("n", operation=operation):
            times = [(results.one(operation=operation, algorithm=name, n=n) or {})
                     .get("cold_us", {}).get("median") for name in [OURS] + rivals]
            rows.append([size(n), f"{times[0]:.1f}"]
                        + [f"{time:.1f} ({times[0] / time:.2f})" if time else ""
                           for time in times[1:]])
        print(f"**{operation}**, the same bits in every call: us, and relative to CUB's.\n")
        table(["n", "compaction"] + [name.replace(CUB, "CUB") for name in rivals], rows)


def print_append(results):
    densities = results.values("keep", operation="append")
    if not densities:
        return
    print("**Append in a caller's kernel**: its time relative to a copy kernel of the same bytes, by "
          "the share of items kept:\n")
    rows = []
    for n in results.values("n", operation="append"):
        cells = []
        for keep in densities:
            append = results.one(operation="append", algorithm="append", n=n, keep=keep)
            copy = results.one(operation="append", algorithm="copy kernel", n=n, keep=keep)
            known = append and copy and copy["cold_us"]["median"] > 0
            cells.append(f"{append['cold_us']['median'] / copy['cold_us']['median']:.2f}"
                         if known else "")
        rows.append([size(n)] + cells)
    table(["n"] + [f"{keep:g} %" for keep in densities], rows)


def print_ladder(results):
    for operation, title in [("ladder_reduce", "Reduction"), ("ladder_scan", "Exclusive scan"),
                             ("ladder_select", "Select, 50 % kept")]:
        sizes = results.values("n", operation=operation)
        if not sizes:
            continue
        print(f"**{title}, 4-byte items: the ladder**\n")
        rungs = list(dict.fromkeys(row["algorithm"] for row in results.where(operation=operation)))
        heads, rows = ["algorithm"], []
        for n in sizes:
            heads += [f"runs at {size(n)}", "us", "GB/s"]
        for rung in rungs:
            cells = [NAMES.get(rung, rung)]
            for n in sizes:
                row = results.one(operation=operation, algorithm=rung, n=n)
                cells += [str(row["launches"] if row["launches"] is not None else "-"),
                          f"{row['cold_us']['median']:.1f}",
                          f"{row.get('cold_gb_per_s', 0):.0f}"] if row else ["", "", ""]
            rows.append(cells)
        table(heads, rows)


def print_host(results):
    """Prints the host time of a call."""
    rows = []
    for operation, title in OPERATIONS.items():
        medians = []
        for algorithm in (OURS, CUB):
            times = sorted(row["enqueue_us"]["median"]
                           for row in results.where(operation=operation, algorithm=algorithm))
            medians.append(f"{times[len(times) // 2]:.1f}" if times else "")
        if any(medians):
            rows.append([title] + medians)
    if rows:
        print("Microseconds that a call takes the host to enqueue, median of all sizes:\n")
        table(["operation", "compaction", "CUB"], rows)


def print_tables(results):
    device = results.device
    print(f"{device['name']}, {device['sms']} SMs, driver {device['driver']}, CUDA runtime "
          f"{device['runtime']}, CUB {device['cub']}; L2 emptied before each call by a "
          f"{results.flush}, median of {results.samples} calls, {results.date}.\n")
    print_ladder(results)
    print_baselines(results)
    print_by_operation(results, "split", "Split into classes, against a radix sort")
    print_by_operation(results, "runs", "Runs of equal keys")
    print_floats(results)
    print_append(results)
    print_lost(results)
    print_host(results)
    if results.skipped:
        print("Skipped, because they do not fit in the memory of the device: "
              + ", ".join(sorted({f"{task['operation']} of {size(task['n'])} items of "
                                  f"{task['item_bytes']} bytes" for task in results.skipped}))
              + ".\n")
