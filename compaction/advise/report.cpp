// SPDX-License-Identifier: MIT
#include "compaction/advise/report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "compaction/tools/html.h"

namespace compaction::advise {
namespace {

template <class... Values>
std::string print(const char* format, Values... values) {
  std::array<char, 512> text;
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

constexpr double kMicro = 1e-3, kPercent = 100;

/// Three significant digits, never in the form 1e+06.
std::string digits(double value) {
  if (value >= 1000) return print("%.0f", value);
  return print("%.*f", value >= 100 ? 0 : value >= 10 ? 1 : 2, value);
}

std::string share(double value) {
  return print("%.0f %%", kPercent * value);
}

/// The sentences before the table: what was recorded, and where the constants come from.
std::vector<std::string> facts(const Subject& subject) {
  const Recording& recording = subject.recording;
  std::vector<std::string> lines = {
      print("%u items of %u bytes, %zu steps, %u class%s, recorded %s%s", recording.item_count,
            recording.format.state_bytes, recording.steps.size(), recording.class_count,
            recording.class_count == 1 ? "" : "es",
            recording.format.culled_every ? "while culling" : "without culling",
            recording.is_cut ? "; the file is cut off, so the last steps are missing" : "")};
  lines.push_back(subject.passes_are_measured
                      ? "Passes: measured on these items by the library's kernels, on " +
                            subject.device.name
                      : "Passes: from constants of " + subject.device.name + " (" +
                            subject.device.source + "), no GPU was used");
  if (subject.state_is_in_slots)
    lines.push_back("Regeneration: the state of an item is in its slot");
  else if (recording.only_ends() && subject.advice.has_times)
    lines.push_back(
        "Regeneration: if items that begin side by side read the same memory, it takes longer than "
        "predicted, as it mixes them with others");
  if (!subject.advice.has_times)
    lines.push_back("The file has no times of steps, so only occupancies and passes are known");
  else
    lines.push_back(print("Times of the recorded steps are fitted to %.1f %%",
                          kPercent * subject.advice.model.residual));
  return lines;
}

std::vector<std::string> decisive(const Subject& subject) {
  const Advice& advice = subject.advice;
  std::vector<std::string> lines = {share(advice.occupancy) +
                                    " of the lanes of active warps work without culling"};
  if (!advice.has_times) return lines;
  lines.push_back(share(advice.warp_share) +
                  " of the frame follows the number of active warps, which culling lowers");
  lines.push_back(print("%.1f %%", kPercent * advice.pass_share) +
                  " of the frame without culling is what passes before every step take");
  return lines;
}

std::string conclusion(const Subject& subject) {
  const Advice& advice = subject.advice;
  if (!advice.has_times) return "";
  const Prediction &best = advice.predictions[advice.best], &none = advice.predictions[0];
  if (advice.best == 0) return "Best: no culling";
  const bool overlaps = best.high_ns > none.low_ns;
  return "Best: " + best.strategy.name() + ", " + digits(none.frame_ns / best.frame_ns) +
         " times as fast as no culling" +
         (overlaps ? " (the intervals overlap: measure both)" : "");
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c
           : uint8_t(c) < 0x20   ? print("\\u%04x", unsigned(uint8_t(c)))
                                 : std::string(1, c);
  return out + "\"";
}

std::string number(double value) {
  return std::isfinite(value) ? print("%.10g", value) : "null";
}

std::string prediction_json(const Subject& subject, const Prediction& prediction) {
  std::string json = "  {\"strategy\": " + quoted(prediction.strategy.name());
  if (!prediction.refusal.empty())
    return json + ", \"refused\": " + quoted(prediction.refusal) + "}";
  json += ", \"occupancy\": " + number(prediction.occupancy()) +
          ", \"passes_ns\": " + number(prediction.pass_ns);
  if (subject.advice.has_times)
    json += ", \"steps_ns\": " + number(prediction.step_ns) +
            ", \"frame_ns\": " + number(prediction.frame_ns) +
            ", \"frame_low_ns\": " + number(prediction.low_ns) +
            ", \"frame_high_ns\": " + number(prediction.high_ns);
  json += ", \"steps\": [";
  const char* separator = "";
  for (const StepLoad& load : prediction.loads) {
    json += separator + ("\n   {\"active_warps\": " + std::to_string(load.active_warps)) +
            ", \"active_lanes\": " + std::to_string(load.lanes) +
            ", \"occupancy\": " + number(load.occupancy()) +
            ", \"pass_in\": " + std::to_string(load.pass_in) + "}";
    separator = ",";
  }
  return json + "]}";
}

/// A plot of the occupancy of each step, one line for each strategy.
std::string occupancy_plot(const Advice& advice) {
  constexpr double kWidth = 800, kHeight = 220, kLeft = 40, kBottom = 24;
  static constexpr std::array kColours = {"#888",    "#1d7d50", "#2b6cb0", "#b7791f",
                                          "#805ad5", "#c53030", "#2c7a7b", "#d53f8c"};
  size_t steps = 2;
  for (const Prediction& p : advice.predictions) steps = std::max(steps, p.loads.size());
  std::string svg = print("<svg viewBox=\"0 0 %g %g\" role=\"img\">", kWidth, kHeight + kBottom);
  for (const int percent : {0, 25, 50, 75, 100}) {
    const double y = kHeight * (1 - percent / kPercent) * 0.94 + 10;
    svg += print(
        "<line x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>"
        "<text x=\"0\" y=\"%.1f\">%d %%</text>",
        kLeft, kWidth, y, y, y + 4, percent);
  }
  size_t colour = 0;
  for (const Prediction& p : advice.predictions) {
    const char* stroke = kColours[colour++ % kColours.size()];
    if (p.loads.empty()) continue;
    svg += print("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", stroke);
    for (size_t s = 0; s < p.loads.size(); ++s)
      svg += print("%.1f,%.1f ", kLeft + (kWidth - kLeft) * double(s) / double(steps - 1),
                   kHeight * (1 - p.loads[s].occupancy()) * 0.94 + 10);
    svg += "\"><title>" + escape_html(p.strategy.name()) + "</title></polyline>";
  }
  svg += print("<text x=\"%g\" y=\"%g\">step 0 to %zu</text></svg><p>", kLeft, kHeight + kBottom,
               steps - 1);
  colour = 0;
  for (const Prediction& p : advice.predictions) {
    const char* stroke = kColours[colour++ % kColours.size()];
    if (!p.loads.empty())
      svg += print("<b style=\"color:%s\">&#9632;</b> ", stroke) + escape_html(p.strategy.name()) +
             " &nbsp; ";
  }
  return svg + "</p>";
}

constexpr const char* kPage = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{{title}}</title><style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: right; padding: .15rem .6rem; border-bottom: 1px solid #8886; }
th:first-child, td:first-child { text-align: left; }
.best td { color: #1d9d60; font-weight: 600; } .soft { opacity: .7; }
svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: currentColor; }
.grid { stroke: #8886; }
</style></head><body>
<h1>Does compaction pay?</h1><p class="soft">{{file}}</p><ul class="soft">{{facts}}</ul>
<p><strong>{{conclusion}}</strong></p><h2>The numbers that decide</h2><ul>{{decisive}}</ul>
<h2>Strategies</h2><table>{{table}}</table>
<h2>Lane occupancy</h2>
<p class="soft">Active lanes of the warps that have any, in each step.</p>{{plot}}
</body></html>
)";

std::string list_items(const std::vector<std::string>& lines) {
  std::string html;
  for (const std::string& line : lines) html += "<li>" + escape_html(line) + "</li>";
  return html;
}

/// The cells of a line of the table.
std::vector<std::string> cells(const Subject& subject, const Prediction& p) {
  if (!p.refusal.empty()) return {p.strategy.name(), "-", "-", "-", p.refusal};
  std::vector<std::string> line = {p.strategy.name(), share(p.occupancy()),
                                   digits(kMicro * p.pass_ns)};
  if (subject.advice.has_times) {
    line.push_back(digits(kMicro * p.frame_ns));
    line.push_back(digits(kMicro * p.low_ns) + " to " + digits(kMicro * p.high_ns));
  } else {
    line.insert(line.end(), {"-", "-"});
  }
  return line;
}

const std::vector<std::string> kHead = {"strategy", "occupancy", "passes, us", "frame, us",
                                        "interval, us"};

}  // namespace

std::string report_text(const Subject& subject) {
  std::string text = subject.file + "\n";
  for (const std::string& line : facts(subject)) text += "  " + line + "\n";
  const auto add_line = [&](const std::vector<std::string>& line) {
    text += print("  %-20s %10s %12s %12s  %s\n", line[0].c_str(), line[1].c_str(), line[2].c_str(),
                  line[3].c_str(), line[4].c_str());
  };
  text += "\n";
  add_line(kHead);
  for (const Prediction& p : subject.advice.predictions) add_line(cells(subject, p));
  text += "\n";
  for (const std::string& line : decisive(subject)) text += "  " + line + "\n";
  const std::string best = conclusion(subject);
  return text + (best.empty() ? "" : "\n" + best + "\n");
}

std::string report_json(const Subject& subject) {
  const Advice& advice = subject.advice;
  const StepModel& model = advice.model;
  std::string json = "{\"what\": \"compaction-advise\", \"file\": " + quoted(subject.file) +
                     ",\n \"items\": " + std::to_string(subject.recording.item_count) +
                     ", \"steps\": " + std::to_string(subject.recording.steps.size()) +
                     ", \"classes\": " + std::to_string(subject.recording.class_count) +
                     ", \"state_bytes\": " + std::to_string(subject.recording.format.state_bytes) +
                     ", \"cut\": " + (subject.recording.is_cut ? "true" : "false") +
                     ",\n \"device\": " + quoted(subject.device.name) +
                     ", \"device_source\": " + quoted(subject.device.source) +
                     ", \"passes_measured\": " + (subject.passes_are_measured ? "true" : "false") +
                     ", \"slot_state\": " + (subject.state_is_in_slots ? "true" : "false");
  if (advice.has_times) {
    json += ",\n \"model\": {\"launch_ns\": " + number(model.launch) +
            ", \"idle\": " + number(model.idle) + ", \"empty_warp_ns\": " + number(model.empty) +
            ", \"lane_ns\": " + number(model.lane) + ", \"longest_ns\": " + number(model.longest);
    if (subject.recording.format.cost == StepCost::kNone) {
      json += ", \"class_ns\": [";
      for (unsigned c = 0; c < subject.recording.class_count; ++c)
        json += (c ? ", " : "") + number(model.of_class[c]);
      json += "]";
    } else {
      json += ", \"work_ns\": " + number(model.of_class[0]);
    }
    json += ", \"residual\": " + number(model.residual) +
            "},\n \"best\": " + quoted(advice.predictions[advice.best].strategy.name()) +
            ", \"warp_share\": " + number(advice.warp_share) +
            ", \"pass_share\": " + number(advice.pass_share);
  }
  json += ", \"occupancy\": " + number(advice.occupancy) + ",\n \"strategies\": [\n";
  for (size_t p = 0; p < advice.predictions.size(); ++p)
    json += (p ? ",\n" : "") + prediction_json(subject, advice.predictions[p]);
  return json + "]}\n";
}

std::string report_page(const Subject& subject) {
  std::string table = "<tr>";
  for (const std::string& cell : kHead) table += "<th>" + cell + "</th>";
  table += "</tr>";
  for (size_t p = 0; p < subject.advice.predictions.size(); ++p) {
    table += p == subject.advice.best && subject.advice.has_times ? "<tr class=\"best\">" : "<tr>";
    for (const std::string& cell : cells(subject, subject.advice.predictions[p]))
      table += "<td>" + escape_html(cell) + "</td>";
    table += "</tr>";
  }
  return fill(kPage, {{"title", "Does compaction pay? " + escape_html(subject.file)},
                      {"file", escape_html(subject.file)},
                      {"facts", list_items(facts(subject))},
                      {"conclusion", escape_html(conclusion(subject))},
                      {"decisive", list_items(decisive(subject))},
                      {"table", table},
                      {"plot", occupancy_plot(subject.advice)}});
}

}  // namespace compaction::advise
