# SPDX-License-Identifier: MIT
"""The plots of a bench report, as SVG whose colours follow the page."""

import io
import re

from bench_report.results import CAUSES, STAGES, significant
from support.plotting import legend_below, load_matplotlib, panels

INK, GRID = "#010203", "#040506"  # placeholders for the colours of the page, set by CSS
BLUE, GREY, GREEN = "#2f83c8", "#8c8c8c", "#2e9e6b"
CAUSE_COLORS = {"escaped": BLUE, "hit_light": "#d9a514", "roulette": "#c2568f",
                "zero_throughput": "#7a62c9", "max_depth": GREEN, "not_finite": "#d0392f"}
STAGE_COLORS = {"generate": "#7a62c9", "intersect": BLUE, "shade": GREEN, "shadow": "#d9a514",
                "cull": "#d0392f", "film": "#c2568f", "path": "#3aa0a8", "other": GREY}
WIDTH = 9.6  # inches
MAX_BOUNCES = 17  # largest number that fits into a plot


class Plots:
    def __init__(self):
        self.matplotlib = load_matplotlib(**{
            "svg.fonttype": "none", "font.size": 10, "grid.color": GRID, "text.color": INK,
            "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK,
            "axes.axisbelow": True, "axes.titlesize": 11, "axes.titlelocation": "left",
            "font.family": "sans-serif",
            "font.sans-serif": ["DejaVu Sans", "Arial", "sans-serif"]})
        self.count = 0

    @staticmethod
    def panels(count, height, share_y=False):
        """Returns a row of panels, at most two."""
        return panels(count, (WIDTH / count, height), share_y=share_y)

    def svg(self, figure, label):
        """Returns the text of an <svg> element whose ids are unique on the page."""
        from matplotlib import pyplot
        self.count += 1
        self.matplotlib.rcParams["svg.hashsalt"] = f"bench{self.count}"
        stream = io.StringIO()
        figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None})
        pyplot.close(figure)
        text = stream.getvalue()
        text = text[text.index("<svg"):]
        text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
        prefix = f"p{self.count}-"
        text = re.sub(r'\bid="', f'id="{prefix}', text)
        text = text.replace('href="#', f'href="#{prefix}').replace("url(#", f"url(#{prefix}")
        text = text.replace(INK, "var(--ink)").replace(GRID, "var(--grid)")
        text = re.sub(r' width="[^"]*" height="[^"]*"| height="[^"]*" width="[^"]*"', "", text, 1)
        return text.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)

    def alive(self, scene):
        """Draws the paths that stay active at each bounce, and why the others terminate."""
        figure, axes = self.panels(len(scene.groups), 3.6, share_y=True)
        for axis, group in zip(axes, scene.groups):
            bounces = group.configs[0].measured["bounces"][:MAX_BOUNCES]
            indices = [bounce["bounce"] for bounce in bounces]
            survivors = [100 * (bounce["alive"] - sum(bounce["deaths"].values())) / scene.paths
                         for bounce in bounces]
            axis.bar(indices, survivors, color=GREY, alpha=0.55, label="stays active", width=0.8)
            bottom = survivors
            for cause, label in CAUSES.items():
                shares = [100 * bounce["deaths"][cause] / scene.paths for bounce in bounces]
                if max(shares) >= 0.05:
                    axis.bar(indices, shares, bottom=bottom, color=CAUSE_COLORS[cause],
                             label=label, width=0.8)
                bottom = [below + share for below, share in zip(bottom, shares)]
            self.bounce_axis(axis, indices)
            axis.set_title(group.title)
        axes[0].set_ylabel("paths, % of all")
        legend_below(figure, axes)
        return self.svg(figure, "active paths at each bounce")

    @staticmethod
    def bounce_axis(axis, indices):
        axis.set_xlabel("bounce")
        axis.set_xticks(indices[::max(1, len(indices) // 9)])
        axis.grid(axis="x", visible=False)

    def frames(self, scene):
        """Draws the time of a frame with each configuration."""
        rows = max(len(group.configs) for group in scene.groups)
        figure, axes = self.panels(len(scene.groups), 0.9 + 0.29 * rows)
        right = 1.22 * max(config.high for config in scene.configs)
        for axis, group in zip(axes, scene.groups):
            configs = group.configs[::-1]
            colors = [GREEN if config in group.best else GREY if config is group.none else BLUE
                      for config in configs]
            times = [config.ms for config in configs]
            spread = [[config.ms - config.low for config in configs],
                      [config.high - config.ms for config in configs]]
            axis.barh([short_name(config) for config in configs], times, color=colors, xerr=spread,
                      error_kw=dict(ecolor=INK, lw=1, capsize=2.5))
            for row, config in enumerate(configs):
                axis.annotate(significant(config.ms, 3), (config.high, row), xytext=(5, 0),
                              textcoords="offset points", va="center", fontsize=9)
            axis.set_xlim(0, right)
            axis.grid(axis="y", visible=False)
            axis.set_xlabel("ms per frame, less is better")
            axis.set_title(group.title)
        return self.svg(figure, "time of a frame")

    def stages(self, scene):
        """Draws the time of each stage of a frame."""
        rows = max(len(group.configs) for group in scene.groups) + 1
        figure, axes = self.panels(len(scene.groups), 1.3 + 0.29 * rows)
        for axis, group in zip(axes, scene.groups):
            bars = [(short_name(config), config.stages) for config in group.configs]
            if group.ideal:
                bars.insert(0, ("ideal", group.ideal))
            bars = bars[::-1]
            left = [0.0] * len(bars)
            for stage in STAGES + ["other"]:
                times = [stages[stage] for _, stages in bars]
                if max(times) > 0.0:
                    axis.barh([name for name, _ in bars], times, left=left, label=stage,
                              color=STAGE_COLORS[stage])
                left = [before + time for before, time in zip(left, times)]
            axis.grid(axis="y", visible=False)
            axis.set_xlim(left=0)
            axis.set_xlabel("ms, with the stages measured")
            axis.set_title(group.title)
        limit = max(axis.get_xlim()[1] for axis in axes)
        for axis in axes:
            axis.set_xlim(0, limit)
        legend_below(figure, axes)
        return self.svg(figure, "time of each stage")

    def break_even(self, groups_with_balance):
        """Draws what culling saved and cost at each bounce."""
        figure, axes = self.panels(len(groups_with_balance), 3.5, share_y=True)
        for axis, (group, balance) in zip(axes, groups_with_balance):
            rows = balance.rows[:MAX_BOUNCES]
            indices = [row.bounce for row in rows]
            axis.bar([index - 0.2 for index in indices], [row.saved for row in rows], width=0.4,
                     color=GREEN, label="time saved by the stages of this bounce")
            axis.bar([index + 0.2 for index in indices], [row.cost for row in rows], width=0.4,
                     color="#d0392f", label="cost of the cull before it")
            axis.axhline(0, color=INK, lw=0.8)
            self.bounce_axis(axis, indices)
            axis.set_title(f"{balance.config.cull}, {group.title}")
        axes[0].set_ylabel("ms per frame")
        legend_below(figure, axes)
        return self.svg(figure, "time saved and cost of culling at each bounce")


def short_name(config):
    """Returns a name that fits beside a bar."""
    name = config.name.replace("wave + ", "").replace("host driver", "host")
    return "path loop" if config.loop == "path" else name
