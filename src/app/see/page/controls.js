// SPDX-License-Identifier: MIT
// The state of the page, its texts, and the actions of keys, buttons and pointer.

const view = {mode: data.modes.find(mode => mode.cull === "append" && !mode.grouped) || data.modes[data.modes.length - 1],
              bounce: 0, path: null, isPinned: false, timer: null, coloring: "fate", activeColor: "", idleAlpha: 0.3};

const number = value => value.toLocaleString("en", {maximumFractionDigits: 1});

function element(name, text, parent) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

function showHeading() {
  byId("scene").textContent = data.scene;
  document.title = `${data.scene}: culling`;
  byId("subtitle").textContent = `${pathCount} paths ${data.where}, ${data.width}x${data.height} pixels, at most ` +
    `${data.maxBounces} bounces, Russian roulette ${data.roulette ? "on" : "off"}`;
}

function showVerdict() {
  const {pays, ratio, culled, answer, reason} = verdict(view.mode);
  byId("verdict").classList.toggle("little", !pays);
  byId("answer").textContent = answer;
  byId("reason").textContent = reason;
  const numbers = byId("numbers");
  numbers.replaceChildren();
  const put = (value, text, plain) => {
    const box = element("div", undefined, numbers);
    element("b", value, box).classList.toggle("plain", Boolean(plain));
    text.forEach(line => element("div", line, box));
  };
  if (culled !== baseMode) put(times(ratio), ["fewer warps", `with ${culled.name}`]);
  put(percent(baseMode.occupancy), ["of lanes at work", `with ${baseMode.name}`], true);
  if (culled.measured && culled.measured.speed) {
    put(times(culled.measured.speed), ["the speed of none,", "measured"]);
    byId("reason").textContent += ` Measured with ${culled.name} on ${data.measured.device}, ${data.measured.size} pixels: ` +
      `${culled.measured.speed.toFixed(2)} times the speed of none.`;
  }
}

function showLegend() {
  const legend = byId("legend");
  legend.replaceChildren();
  const put = (color, alpha, text) => {
    const entry = element("span", undefined, legend), swatch = element("i", undefined, entry);
    swatch.style.background = color;
    swatch.style.opacity = alpha;
    entry.append(text);
  };
  if (view.coloring === "surface") {
    const hit = new Set(data.paths.flatMap(path => path.vertices.map(vertex => vertex[5])));
    [...hit].sort((a, b) => a - b).forEach(kind => put(kSurfaceColors[kind], 1, `hits: ${data.surfaces[kind]}`));
  } else {
    put(view.activeColor, 1, "lane at work, its path goes on");
    const counts = terminationCounts();
    counts.forEach((count, cause) => {
      if (count) put(kCauses[cause].color, 1, `ends here: ${kCauses[cause].all} (${percent(count / pathCount)})`);
    });
  }
  const common = terminationCounts().reduce((best, count, cause, all) => count > all[best] ? cause : best, 1);
  put(kCauses[common].color, view.idleAlpha, "pale: idle lane, its path has ended before");
}

function stripTitle(target, mode, what) {
  const title = byId(target);
  title.textContent = `${mode.name}: ${what}`;
  element("small", `a row is a bounce, a cell a lane, a block of 32 a warp; right: running warps × lanes at work. Together ` +
    `${number(mode.warps)} warps, ${percent(mode.occupancy)} of their lanes at work`, title);
}

function showStrips() {
  byId("base-card").hidden = view.mode === baseMode;
  if (view.mode !== baseMode) {
    stripTitle("base-title", baseMode, baseMode.cull === "none" ? "nothing is removed" : "the first mode");
    drawStrip(byId("base-strip"), baseMode);
  }
  stripTitle("mode-title", view.mode, view.mode.cull === "none" && !view.mode.grouped ? "nothing is removed" :
    "ended paths are removed");
  drawStrip(byId("mode-strip"), view.mode);
}

function showWarps() {
  const b = view.bounce, mode = view.mode, before = tracedQueue(mode, b), after = tracedQueue(mode, b + 1);
  const caption = (id, what, queue, bounce) => {
    const {active, warps} = work(queue, bounce), text = byId(id);
    text.replaceChildren();
    element("b", what, text);
    text.append(warps ? `: ${warps} warps run, ${number(active / warps)} of 32 lanes work` : ": no warp runs");
  };
  byId("warps-title").textContent = `Warps of ${mode.name} at bounce ${b}`;
  caption("traced-text", "before culling", before, b);
  drawQueue(byId("traced"), before, b);
  byId("shaded-panel").hidden = !mode.grouped;
  if (mode.grouped) {
    caption("shaded-text", "grouped, as they are shaded", shadedQueue(mode, b), b);
    drawQueue(byId("shaded"), shadedQueue(mode, b), b);
  }
  caption("after-text", "after culling", after, b + 1);
  drawQueue(byId("after"), after, b + 1);
  byId("about-mode").textContent = mode.about + (mode.grouped ? kAboutGroup : "");
}

function showPath() {
  const box = byId("path");
  box.replaceChildren();
  if (view.path === null) {
    box.append("A box is a warp: 8x4 neighbouring pixels, each in the colour of its path's end, if it has ended by this bounce. " +
      "A click keeps a path.");
    return;
  }
  const path = data.paths[view.path], x = path.pixel % data.width, y = Math.floor(path.pixel / data.width);
  const line = element("div", undefined, box), swatch = element("span", undefined, line);
  swatch.className = "swatch";
  swatch.style.background = path.color;
  line.append(`path ${view.path}, pixel ${x},${y}, ${kCauses[path.termination].one} at bounce ${path.bounce}`);
  const names = path.vertices.map((v, i) => `${i} ${data.surfaces[v[5]]}` +
    (v[6] !== null && data.materials[v[6]] ? ` (${data.materials[v[6]]})` : "") +
    (v[5] ? ` at ${v[0]}, ${v[1]}, ${v[2]}` : ""));
  element("div", names.join(" → "), box).style.color = style("--dim");
}

function showTable() {
  const table = byId("table"), measured = data.measured;
  byId("table-note").textContent = measured ?
    `measured by winnow bench on ${measured.device}, ${measured.size} pixels, at most ${measured.maxBounces} bounces` :
    "--bench FILE.json shows what winnow bench measured beside them";
  byId("table-note").textContent += `. A wave of ${pathCount} paths has few warps at its end; those of a render have thousands`;
  table.replaceChildren();
  const head = element("tr", undefined, element("thead", undefined, table)), body = element("tbody", undefined, table);
  for (const title of ["mode", "running warps, all bounces", "beside none", "lanes at work", "kinds of surfaces a warp", "state of a survivor"]
         .concat(measured ? ["Msamples/s", "speed beside none"] : [])) element("th", title, head);
  const best = measured ? Math.max(...measured.modes.map(row => row.samplesPerSecond)) : 0;
  const putMeasured = (row, values) => {
    if (!measured) return;
    const cell = element("td", undefined, row);
    if (!values) return void element("td", "", row);
    const bar = element("span", undefined, cell);
    bar.className = "bar";
    bar.style.width = `${Math.round(70 * values.samplesPerSecond / best)}px`;
    cell.append(`${number(values.samplesPerSecond / 1e6)}`);
    element("td", values.speed ? times(values.speed) : "", row);
  };
  for (const mode of data.modes) {
    const row = element("tr", undefined, body);
    row.dataset.mode = mode.name;
    row.classList.toggle("picked", mode === view.mode);
    row.onclick = () => pickMode(mode);
    [mode.name, number(mode.warps), times(mode.warps / baseMode.warps), percent(mode.occupancy), mode.surfaces.toFixed(2),
     mode.cull === "none" ? "stays in its slot" : mode.movesState ? "moves beside the others" : "stays in its slot"]
      .forEach(text => element("td", text, row));
    putMeasured(row, mode.measured);
  }
  for (const other of measured ? measured.modes.filter(row => !data.modes.some(mode => mode.name === row.name)) : []) {
    const row = element("tr", undefined, body);
    [other.name, "", "", "", "", ""].forEach(text => element("td", text, row));
    putMeasured(row, other);
  }
}

function showPlayer() {
  byId("position").max = lastBounce;
  byId("position").value = view.bounce;
  byId("clock").textContent = `bounce ${view.bounce} of ${lastBounce}`;
  byId("play").textContent = view.timer ? "❚❚ pause" : "▶ play";
  for (const button of byId("modes").children) button.setAttribute("aria-selected", button.textContent === view.mode.name);
}

function showAll() {
  view.activeColor = style("--active");
  view.idleAlpha = Number(style("--idle"));
  showVerdict();
  showLegend();
  showPlayer();
  showStrips();
  showWarps();
  drawPicture(byId("picture"));
  showPath();
  drawOccupancy(byId("occupancy"));
  drawTerminations(byId("terminations"));
  showTable();
}

function goTo(bounce) {
  view.bounce = Math.max(0, Math.min(lastBounce, bounce));
  showAll();
}

function pickMode(mode) {
  view.mode = mode;
  view.coloring = byId("coloring").value = mode.grouped ? "surface" : "fate";
  showAll();
}

function stop() {
  clearInterval(view.timer);
  view.timer = null;
}

function play() {
  const kMilliseconds = 700;  // for a bounce
  if (view.timer) return stop(), showPlayer();
  if (view.bounce === lastBounce) view.bounce = 0;
  view.timer = setInterval(() => {
    if (view.bounce + 1 >= lastBounce) stop();
    goTo(view.bounce + 1);
  }, kMilliseconds);
  showAll();
}

function switchTheme() {
  document.documentElement.classList.toggle("dark");
  showAll();
}

function point(event, canvas, isClick) {
  const box = canvas.getBoundingClientRect(), tip = byId("tip");
  const lane = canvas.laneAt && canvas.laneAt(event.clientX - box.left, event.clientY - box.top);
  if (isClick) view.isPinned = Boolean(lane) && !(view.isPinned && lane.path === view.path);
  tip.hidden = !lane;
  if (lane) {
    const path = data.paths[lane.path], now = !isActive(lane.path, lane.bounce) ? "has ended before: idle lane" :
      endsAt(lane.path, lane.bounce) ? "ends here" : "goes on";
    tip.textContent = `path ${lane.path}, bounce ${lane.bounce}: ${now}\n${kCauses[path.termination].one} at bounce ${path.bounce}`;
    tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - 260)}px`;
    tip.style.top = `${event.clientY + 16}px`;
  }
  const shown = lane ? lane.path : null;
  if (shown === view.path || (view.isPinned && !isClick)) return;
  view.path = shown;
  showStrips();
  showWarps();
  drawPicture(byId("picture"));
  showPath();
}

/// Goes to the end of every mode. Returns the survivors of each bounce per mode, and the terminated paths by cause.
function endOfAllModes() {
  const terminations = {};
  terminationCounts().forEach((count, cause) => { if (count) terminations[data.causes[cause]] = count; });
  const modes = data.modes.map(mode => {
    pickMode(mode);
    for (let b = 0; b <= lastBounce; ++b) goTo(b);
    return {name: mode.name, warps: mode.warps, active: mode.work.map(w => w.active), clock: byId("clock").textContent,
            after: byId("after-text").textContent};
  });
  return {terminations, modes};
}

function begin() {
  const kKeys = {ArrowRight: () => goTo(view.bounce + 1), ArrowLeft: () => goTo(view.bounce - 1), Home: () => goTo(0),
                 End: () => goTo(lastBounce), ArrowDown: () => stepMode(1), ArrowUp: () => stepMode(-1), " ": play, t: switchTheme};
  const stepMode = step => pickMode(data.modes[(data.modes.indexOf(view.mode) + step + data.modes.length) % data.modes.length]);
  document.addEventListener("keydown", event => {
    const act = !event.ctrlKey && !event.metaKey && event.target.tagName !== "SELECT" && kKeys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  for (const mode of data.modes) {
    const button = element("button", mode.name, byId("modes"));
    button.setAttribute("role", "tab");
    button.onclick = () => pickMode(mode);
  }
  byId("first").onclick = kKeys.Home;
  byId("back").onclick = kKeys.ArrowLeft;
  byId("play").onclick = play;
  byId("forth").onclick = kKeys.ArrowRight;
  byId("last").onclick = kKeys.End;
  byId("theme").onclick = switchTheme;
  byId("position").oninput = event => goTo(Number(event.target.value));
  byId("coloring").onchange = event => { view.coloring = event.target.value; showAll(); };
  for (const id of ["base-strip", "mode-strip", "traced", "shaded", "after", "picture"]) {
    byId(id).onmousemove = event => point(event, byId(id), false);
    byId(id).onclick = event => point(event, byId(id), true);
    byId(id).onmouseleave = () => { byId("tip").hidden = true; };
  }
  window.addEventListener("resize", showAll);
  kPicture.onload = () => drawPicture(byId("picture"));
  kPicture.src = data.picture;
  const wants = new URLSearchParams(location.hash.slice(1));  // #dark&bounce=2&mode=none&path=5
  if (wants.has("dark") || window.matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark");
  if (wants.has("path")) [view.path, view.isPinned] = [Math.min(Number(wants.get("path")) || 0, pathCount - 1), true];
  view.mode = data.modes.find(mode => mode.name === wants.get("mode")) || view.mode;
  view.bounce = Math.min(Number(wants.get("bounce")) || 0, lastBounce);
  view.coloring = byId("coloring").value = view.mode.grouped ? "surface" : "fate";
  showHeading();
  showAll();
  if (wants.has("end")) byId("end").textContent = JSON.stringify(endOfAllModes());
}
begin();
