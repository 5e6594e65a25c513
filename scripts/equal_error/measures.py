# SPDX-License-Identifier: MIT
"""Errors of images, agreement of programs, and times to an equal error."""

import math
import pathlib
import random

FLOOR, KEPT = 1e-2, 0.999          # of relMSE: added to the squared reference; share of the pixels that count
FURNACE, FURNACE_BIAS = 10.0, 0.03  # radiance of the furnace, and by how much that of a variant may differ
SEARCH_BIAS = 0.03                 # a variant whose mean differs by more from the programs' median is out
MAX_DIFFERENCE = 0.01              # between a program and the mean of all, in any region,
STANDARD_ERRORS = 4                # beyond these
REGIONS = (3, 4)                   # rows and columns
DARK = 0.05                        # regions count as at least this share of the mean
INTERVAL, RESAMPLES = 0.9, 2000    # of the bootstrap


def relative_error(image, other, reference, kept=KEPT):
    """Returns the squared difference of images relative to a reference, without the pixels where it is largest."""
    import numpy
    pixels = numpy.sort(((image - other)**2 / (reference**2 + FLOOR)).mean(2).ravel())
    return float(pixels[:max(1, round(len(pixels) * kept))].mean())


def correlation(difference, reference):
    """Returns the correlation of the errors of neighbours in a row."""
    import numpy
    error = (difference / numpy.sqrt(reference**2 + FLOOR)).mean(2)
    return float((error[:, 1:] * error[:, :-1]).mean() / max((error**2).mean(), 1e-30))


def region_means(image):
    import numpy
    rows, columns = REGIONS
    return numpy.array([[part.mean() for part in numpy.array_split(band, columns, 1)]
                        for band in numpy.array_split(image, rows, 0)])


def agreement(means, spread):
    """Compares the mean images of programs in regions.

    @param means   program to its mean image
    @param spread  program to its images of independent seeds, and the variance of the mean relative to that of one
    @return        whether no program differs from the mean of all by more than 1 %, beyond four standard errors; the
                   difference of each program in the whole image and in its worst region, with their standard errors
    """
    import numpy
    common = numpy.mean(list(means.values()), 0)
    regions = numpy.maximum(region_means(common), DARK * common.mean())
    programs, agree = {}, True
    for program, mean in means.items():
        images, share = spread[program]
        difference = (region_means(mean) - region_means(common)) / regions
        variance = numpy.var([image.mean(2) for image in images], 0, ddof=1) * share  # of pixels, as good as independent
        error = numpy.sqrt(region_means(variance) / (variance.size / regions.size)) / regions
        worst = numpy.unravel_index(numpy.argmax(abs(difference)), difference.shape)
        whole_error = math.sqrt(variance.mean() / variance.size) / common.mean()
        programs[program] = {"whole": float(mean.mean() / common.mean() - 1), "whole_error": float(whole_error),
                             "worst": float(difference[worst]), "worst_error": float(error[worst])}
        agree &= bool((abs(difference) - STANDARD_ERRORS * error <= MAX_DIFFERENCE).all())
    return {"agree": agree, "programs": programs}


def peak_memory(process):
    """Returns the most memory that a process has used since it started its program; 0 once it has ended.

    The maxrss of getrusage() would include the memory of the process that started it.
    """
    try:
        for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def points(runs, counts, clock):
    """Returns the mean time and error of each number of samples."""
    chosen = [[run for run in runs if run["asked"] == spp] for spp in counts]
    return [(mean(run[clock] for run in some), mean(run["error"] for run in some)) for some in chosen]


def time_to_error(curve, error):
    """Returns the time to an error, on lines through the points of (time, error) in a diagram with logarithmic axes.

    Beyond the points, time x error is constant.
    """
    curve = sorted(curve)
    if error >= curve[0][1]:
        return curve[0][0] * curve[0][1] / error
    for (t0, e0), (t1, e1) in zip(curve, curve[1:]):
        if e1 <= error <= e0 and e1 < e0:
            return t0 * (t1 / t0)**(math.log(error / e0) / math.log(e1 / e0))
    return curve[-1][0] * curve[-1][1] / error


def with_interval(value, *lists):
    """Returns value(*lists) of lists of runs, and the bounds of its interval by resampling the seeds of each list."""
    draw = random.Random(1)

    def resampled(runs):
        by_seed = {}
        for run in runs:
            by_seed.setdefault(run["seed"], []).append(run)
        return [run for _ in by_seed for run in draw.choice(list(by_seed.values()))]

    values = sorted(value(*(resampled(runs) for runs in lists)) for _ in range(RESAMPLES))
    cut = round(RESAMPLES * (1 - INTERVAL) / 2)
    return value(*lists), values[cut], values[-1 - cut]


def time_and_error(own, spp, clock):
    """Returns the mean time and error of the runs with `spp` samples, and their product with its interval."""
    runs = [run for run in own["runs"] if run["asked"] == spp]
    product = with_interval(lambda some: math.prod(points(some, [spp], clock)[0]), runs)
    return *points(runs, [spp], clock)[0], product


def speed(own, other, clock):
    """Returns how many times as long `other` takes to its smallest error as `own` takes to the same error.

    @return  the ratio and the bounds of its interval
    """
    def ratio(own_runs, other_runs):
        time, error = points(other_runs, other["counts"][-1:], clock)[0]
        return time / time_to_error(points(own_runs, own["counts"], clock), error)

    return with_interval(ratio, own["runs"], other["runs"])
