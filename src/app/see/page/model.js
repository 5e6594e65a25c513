// SPDX-License-Identifier: MIT
// Data of the page, computed from the recorded queues and from the ends of the paths.

const data = JSON.parse(document.getElementById("data").textContent);
const kLanes = 32;  // of a warp

// Colour and texts of each cause of termination, in the order of Termination: for one path and for many.
const kCauses = [
  null,
  {color: "#4aa3e8", one: "left the scene", all: "left the scene"},
  {color: "#e3b505", one: "hit a light", all: "hit a light"},
  {color: "#ef7b30", one: "was ended by Russian roulette", all: "ended by roulette"},
  {color: "#9467d8", one: "lost its throughput", all: "lost their throughput"},
  {color: "#d63a6a", one: "reached the bounce limit", all: "reached the bounce limit"},
  {color: "#8a8f96", one: "was not finite", all: "not finite"}];

// Classes of hits, for colouring by surface; the last colours are spare.
const kSurfaceColors = ["#9cc9ee", "#b59a6a", "#7c8f3f", "#f2cf3b", "#8fa3b8", "#c77f2e", "#4fc0c0", "#2d8a94",
                        "#79d2a6", "#cf6fa8", "#7a6fd0", "#b8b8b8", "#a3b34a", "#d98880", "#5d8aa8"];

const kAboutGroup = " After intersection, paths at the same kind of surface are put side by side, so that the lanes " +
  "of a warp run the same shading code; entries of ended paths are dropped in the same pass.";

const pathCount = data.paths.length;
const lastBounce = data.paths.reduce((last, path) => Math.max(last, path.bounce), 0);

const isActive = (path, bounce) => data.paths[path].bounce >= bounce;
const endsAt = (path, bounce) => data.paths[path].bounce === bounce;

/// Returns the queue of a mode when bounce `b` begins, and when it is shaded; empty after the last bounce.
const tracedQueue = (mode, b) => b < mode.steps.length ? data.queues[mode.steps[b][0]] : [];
const shadedQueue = (mode, b) => b < mode.steps.length ? data.queues[mode.steps[b][1]] : [];

function warpsOf(queue) {
  const warps = [];
  for (let first = 0; first < queue.length; first += kLanes) warps.push(queue.slice(first, first + kLanes));
  return warps;
}

/// Returns which warps of a queue run, and how many of their lanes work.
function work(queue, bounce) {
  const sum = {entries: queue.length, active: 0, warps: 0};
  for (const warp of warpsOf(queue)) {
    const active = warp.filter(path => isActive(path, bounce)).length;
    sum.active += active;
    sum.warps += active > 0;
  }
  return sum;
}

/// Returns the class of the hit of a path at a bounce that it reached.
const surfaceAt = (path, bounce) => data.paths[path].vertices[bounce][5];

/// Returns the mean number of different classes of hits among the active lanes of a shaded warp.
function surfacesPerWarp(mode) {
  let kinds = 0, warps = 0;
  for (let b = 0; b < mode.steps.length; ++b)
    for (const warp of warpsOf(shadedQueue(mode, b))) {
      const hit = new Set(warp.filter(path => isActive(path, b)).map(path => surfaceAt(path, b)));
      kinds += hit.size;
      warps += hit.size > 0;
    }
  return kinds / warps;
}

for (const mode of data.modes) {
  mode.work = mode.steps.map((_, b) => work(tracedQueue(mode, b), b));
  mode.warps = mode.work.reduce((sum, w) => sum + w.warps, 0);
  mode.active = mode.work.reduce((sum, w) => sum + w.active, 0);
  mode.occupancy = mode.active / (kLanes * mode.warps);
  mode.surfaces = surfacesPerWarp(mode);
  mode.measured = data.measured && data.measured.modes.find(row => row.name === mode.name);
}
const baseMode = data.modes.find(mode => mode.name === "none") || data.modes[0];

/// Returns the number of paths terminated by each cause, [cause], at one bounce or at all bounces.
function terminationCounts(bounce) {
  const counts = data.causes.map(() => 0);
  for (const path of data.paths) if (bounce === undefined || path.bounce === bounce) ++counts[path.termination];
  return counts;
}

/// Returns the bounce by which half of the paths have ended.
function medianEnd() {
  const ends = data.paths.map(path => path.bounce).sort((a, b) => a - b);
  return ends[Math.floor((ends.length - 1) / 2)];
}

const percent = share => share > 0 && share < 0.005 ? "below 1 %" : `${Math.round(100 * share)} %`;
const times = ratio => `${ratio.toFixed(ratio < 9.95 ? 2 : 1)}×`;

/// Returns "94 % left the scene, 6 % ended by roulette": causes of at least one path in twenty.
function causesText() {
  const kMention = 0.05;
  return terminationCounts().map((count, cause) => ({cause, share: count / pathCount}))
    .filter(entry => entry.share >= kMention).sort((a, b) => b.share - a.share)
    .map(entry => `${percent(entry.share)} ${kCauses[entry.cause].all}`).join(", ");
}

/// Returns whether culling pays in this scene, and why: {pays, ratio, answer, reason}.
function verdict(mode) {
  const kWorthwhile = 1.2;  // times fewer warps, below which passes and lost order eat the gain
  const culled = mode === baseMode ? data.modes.find(other => other.cull !== "none") || mode : mode;
  const ratio = baseMode.warps / culled.warps, pays = ratio >= kWorthwhile;
  const idle = 1 - baseMode.occupancy, median = medianEnd();
  const answer = pays ?
    `Culling pays here: the same paths need ${ratio.toFixed(ratio < 9.95 ? 1 : 0)} times fewer warps.` :
    `Culling can gain little here: the same paths need ${percent(1 - 1 / ratio)} fewer warps.`;
  const when = median >= lastBounce ? "half of them only at the last bounce" :
    `half of them by bounce ${median} of ${lastBounce}`;
  const reason = `${causesText()}; ${when}. ` + (pays ?
    `Where nothing is culled, ${percent(idle)} of the lanes of running warps hold a path that has ended.` :
    `So even where nothing is culled, only ${percent(idle)} of the lanes of running warps hold a path that has ended: there is ` +
    "nothing to remove.");
  return {pays, ratio, culled, answer, reason};
}
