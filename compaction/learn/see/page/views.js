// SPDX-License-Identifier: MIT
// Draws the state of a film at a step, and handles the controls of the page.

const $ = (id) => document.getElementById(id);
const kColors = {load: "#2f7fd6", store: "#e8590c", atomic: "#9c36b5", fence: "#9c36b5", vote: "#0b8f6a",
  shuffle: "#c2a000", barrier: "#9aa5b1", backoff: "#e599a6", end: "#3b4754", none: "#eef1f4", met: "#dbe4ec"};
function colorOf(kind) {
  if (kind === "") return kColors.none;
  if (kind === "sync" || kind === "sync_warp") return kColors.barrier;
  if (isVote(kind)) return kColors.vote;
  if (isShuffle(kind)) return kColors.shuffle;
  return kColors[kind] ?? kColors.none;
}

const bytes = Uint8Array.from(atob(kTrace), (c) => c.charCodeAt(0));
const trace = readTrace(bytes);
const film = new Film(trace);
let step = 0;         // the shown step, after its events
let shownBlock = -1;  // the block of the step
let playing = null;

/// Resizes a canvas to this size in CSS pixels, at the resolution of the screen, and clears it.
/// Returns its context.
function canvasOf(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  const g = canvas.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  return g;
}
const widthOf = (element) => Math.max(200, element.clientWidth - 26);

// ---- time line

function stepKind(s) {
  const priority = ["backoff", "ballot", "any", "all", "sync_count", "shfl", "shfl_up", "shfl_down", "atomic",
    "store", "load", "sync_warp", "sync", "fence", "end", "launch", "block"];
  let best = priority.length;
  const first = film.firstEvent(s), last = film.ends[s];
  const stride = Math.max(1, Math.floor((last - first) / 16));
  for (let i = first; i < last; i += stride) best = Math.min(best, priority.indexOf(film.kind(i)));
  return priority[best] ?? "end";
}

let timelineImage = null;
function drawTimeline() {
  const canvas = $("timeline"), width = canvas.parentElement.clientWidth, height = 26, steps = film.ends.length;
  const g = canvasOf(canvas, width, height);
  if (!timelineImage || timelineImage.width !== canvas.width) {
    for (let x = 0; x < width; ++x) {
      const s = Math.min(steps - 1, Math.floor(x * steps / width));
      g.fillStyle = colorOf(stepKind(s));
      g.fillRect(x, 5, 1, height - 10);
    }
    for (let s = 0; s < steps; ++s)
      if (film.kind(film.firstEvent(s)) === "launch") {
        g.fillStyle = "#000";
        g.fillRect(s / steps * width, 0, 2, height);
      }
    timelineImage = document.createElement("canvas");
    timelineImage.width = canvas.width;
    timelineImage.height = canvas.height;
    timelineImage.getContext("2d").drawImage(canvas, 0, 0);
  } else {
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.drawImage(timelineImage, 0, 0);
    const scale = canvas.width / width;
    g.setTransform(scale, 0, 0, scale, 0, 0);
  }
  const x = (step + 0.5) / steps * width;
  g.fillStyle = "#000";
  g.beginPath();
  g.moveTo(x - 6, 0); g.lineTo(x + 6, 0); g.lineTo(x, 8); g.fill();
  g.fillRect(x - 1, 0, 2, height);
}

// ---- threads

function drawThreads(state) {
  if (state.launch < 0) return void canvasOf($("threads"), 10, 10);
  const launch = trace.launches[state.launch], warps = launch.threads / kWarp;
  const available = widthOf($("threads").closest(".card"));
  const several = state.blocks.size > 1 || warps > 4;
  const kCell = several ? 8 : 15, kLabel = 44, kGap = 8, column = kWarp * kCell + kLabel + kGap;
  const columns = Math.max(1, Math.floor((available + kGap) / column));
  const blocks = [...state.blocks.keys()].sort((a, b) => a - b);
  // Several blocks stand side by side; the warps of a single block fill columns.
  const perColumn = blocks.length > 1 ? warps : Math.ceil(warps / columns);
  const cells = [];
  blocks.forEach((index, order) => {
    for (let warp = 0; warp < warps; ++warp) {
      const slot = blocks.length > 1 ? order : Math.floor(warp / perColumn);
      cells.push({index, warp, x: slot % columns * column,
        y: (Math.floor(slot / columns) * (perColumn + 0.6) + warp % perColumn) * (kCell + 4) + 2});
    }
  });
  const height = Math.max(...cells.map((c) => c.y)) + kCell + 4;
  const g = canvasOf($("threads"), Math.min(columns, blocks.length > 1 ? blocks.length : Math.ceil(warps / perColumn)) * column, height);
  g.font = "10px system-ui, sans-serif";
  g.textBaseline = "middle";
  const first = film.firstEvent(step);
  let activeY = 0;
  for (const {index, warp, x, y} of cells) {
    const block = state.blocks.get(index);
    g.fillStyle = "#44505c";
    g.fillText(`b${index} w${warp}`, x, y + kCell / 2 + 1);
    let isActive = false;
    for (let lane = 0; lane < kWarp; ++lane) {
      const thread = warp * kWarp + lane, isNow = block.event[thread] >= first;
      const left = x + kLabel + lane * kCell;
      g.fillStyle = colorOf(block.status[thread]);
      g.globalAlpha = isNow || ["", "end", "sync", "sync_count"].includes(block.status[thread]) ? 1 : 0.4;
      g.fillRect(left, y, kCell - 1, kCell);
      g.globalAlpha = 1;
      if (isNow) isActive = true;
    }
    if (isActive) {
      g.strokeStyle = "#000";
      g.lineWidth = 1.5;
      g.strokeRect(x + kLabel - 1.5, y - 1.5, kWarp * kCell + 2, kCell + 3);
      activeY = y;
    }
  }
  const scroll = $("threads").parentElement;
  if (activeY < scroll.scrollTop || activeY > scroll.scrollTop + 220) scroll.scrollTop = activeY - 100;
  $("threads-note").textContent = `${shortKernel(launch.kernel)}: ${launch.blocks} block` +
    `${launch.blocks > 1 ? "s" : ""} of ${warps} warp${warps > 1 ? "s" : ""}; each row is a warp (b: block, w: warp), each cell a lane`;
}

// ---- memory

const regionViews = [];
function makeMemoryViews() {
  trace.regions.forEach((region, index) => {
    const div = document.createElement("div");
    div.className = "region";
    const title = document.createElement("h3"), canvas = document.createElement("canvas");
    div.append(title, canvas);
    if (region.cells !== kTileStates) $("memory").append(div);
    regionViews.push({div, title, canvas, region, index, layout: null});
    canvas.addEventListener("mousemove", (event) => showTip(regionViews[index], event));
    canvas.addEventListener("mouseleave", () => { $("tip").hidden = true; });
  });
}

function layoutOf(cells, width, digits) {
  let w = 8, h = 8, text = false;
  if (cells <= 640) { w = Math.max(16, 6.2 * digits + 5); h = 16; text = true; }
  else if (cells <= 2048) { w = 9; h = 9; }
  else { w = Math.max(3, Math.min(8, Math.floor(width / 128))); h = cells > 8192 ? 4 : 5; }
  let columns = Math.max(1, Math.floor(width / w));
  for (const even of [128, 64, 32, 16, 8]) if (columns >= even) { columns -= columns % even; break; }
  return {w, h, text, columns, rows: Math.ceil(cells / columns)};
}

/// Returns the largest number in a region at the end of the film, and its number of digits. They fix
/// the colour scale and the layout while the film plays.
function rangeOf(index, size, cells) {
  if (index === 0) return {digits: 4, top: 255};
  let top = 1;
  for (let c = 0; c < cells; ++c) {
    const value = film.last.memory[index].value(c, size);
    if (value < 1e6) top = Math.max(top, value);
  }
  return {digits: String(top).length, top};
}

function drawMemory(state) {
  const first = film.firstEvent(step), kFade = 4;
  const recent = film.firstEvent(Math.max(0, step - kFade));
  for (const view of regionViews) {
    const {region, index} = view;
    if (region.cells === kTileStates) continue;
    const block = state.blocks.get(shownBlock);
    const memory = index === 0 ? block?.shared : state.memory[index];
    view.div.hidden = !memory || memory.bytes.length === 0;
    if (view.div.hidden) continue;
    const size = index === 0 ? 4 : kCellBytes[region.cells];
    let cells = Math.floor(memory.bytes.length / size);
    if (index === 0) cells = Math.min(cells, film.usedSharedWords);
    view.div.hidden = cells === 0;
    if (cells === 0) continue;
    view.memory = memory;
    view.size = size;
    const width = widthOf($("memory").parentElement);
    if (view.cells !== cells || view.width !== width) {
      Object.assign(view, {cells, width, ...rangeOf(index, size, cells)});
      view.layout = layoutOf(cells, width, view.digits);
      view.drawn = new Float64Array(cells).fill(-1);  // colour and value
      canvasOf(view.canvas, view.layout.columns * view.layout.w + 1, view.layout.rows * view.layout.h + 1);
    }
    const layout = view.layout, top = view.top;
    const note = index === 0 ? `of block ${shownBlock}: ${cells} words of 4 bytes are used; · marks a word that is not written yet` : `${cells} item${cells > 1 ? "s" : ""} of ${size} byte${size > 1 ? "s" : ""}`;
    if (view.note !== note) view.title.innerHTML = `${region.name} <small>${view.note = note}</small>`;
    const g = view.canvas.getContext("2d");
    g.font = "10px system-ui, sans-serif";
    g.textAlign = "center";
    g.textBaseline = "middle";
    for (let c = 0; c < cells; ++c) {
      const x = c % layout.columns * layout.w, y = Math.floor(c / layout.columns) * layout.h;
      const word = (c * size) >> 2, writer = memory.writer[word], reader = memory.reader[word];
      const isKnown = memory.isWritten || writer >= 0;
      const value = isKnown ? memory.value(c, size) : 0;
      const code = (isKnown ? 1 : 0) + (writer >= first ? 2 : writer >= recent ? 4 : 0) + (reader >= first ? 8 : reader >= recent ? 16 : 0);
      const drawn = code * 2 ** 32 + value % 2 ** 32;
      if (view.drawn[c] === drawn) continue;
      view.drawn[c] = drawn;
      let fill = isKnown ? "#f1f3f5" : "#cfd6dd", ink = "#1d2733";
      if (isKnown && !layout.text) {
        const level = value === 0 ? 0 : 0.2 + 0.6 * Math.min(1, value / top);
        fill = `rgb(${Math.round(241 - 190 * level)},${Math.round(243 - 150 * level)},${Math.round(245 - 120 * level)})`;
      } else if (isKnown && region.cells === 0 && value) fill = "#c3ddf5";
      if (writer >= recent && writer < first) fill = "#ffdcb8";
      if (reader >= recent && reader < first && writer < recent) fill = "#cfe4f9";
      if (reader >= first) { fill = kColors.load; ink = "#fff"; }
      if (writer >= first) { fill = kColors.store; ink = "#fff"; }
      g.clearRect(x, y, layout.w, layout.h);
      g.fillStyle = fill;
      g.fillRect(x, y, layout.w - 1, layout.h - 1);
      if (writer >= first && reader >= first) {  // both: orange with a blue bar below
        g.fillStyle = kColors.load;
        g.fillRect(x, y + layout.h - 4, layout.w - 1, 3);
      }
      if (layout.text) {
        g.fillStyle = ink;
        g.fillText(!isKnown ? "·" : value < 1e6 ? value : "…", x + layout.w / 2 - 0.5, y + layout.h / 2);
      }
    }
  }
}

function threadName(event) {
  const e = trace.events, place = trace.places[trace.operations[e.operation[event]].place];
  const thread = e.thread[event];
  return `block ${e.block[event]}, warp ${thread >> 5}, lane ${thread & 31}` +
    (place.line ? `, ${place.file.split("/").pop()}:${place.line}` : "");
}

function showTip(view, event) {
  const {layout, memory, size} = view, tip = $("tip");
  if (!layout || !memory) return;
  const cell = Math.floor(event.offsetY / layout.h) * layout.columns + Math.floor(event.offsetX / layout.w);
  if (cell < 0 || (cell + 1) * size > memory.bytes.length) { tip.hidden = true; return; }
  const word = (cell * size) >> 2, writer = memory.writer[word], reader = memory.reader[word];
  const lines = [`${view.region.name}[${cell}] = ${memory.isWritten || writer >= 0 ? memory.value(cell, size) : "never written"}`];
  if (writer >= 0) lines.push("written by " + threadName(writer));
  if (reader >= 0) lines.push("read by " + threadName(reader));
  tip.textContent = lines.join("\n");
  tip.hidden = false;
  tip.style.left = Math.min(event.clientX + 14, innerWidth - 380) + "px";
  tip.style.top = event.clientY + 16 + "px";
}

// ---- tile states

function drawTiles(state) {
  const index = trace.regions.findIndex((r) => r.cells === kTileStates);
  $("tiles-card").hidden = index < 0;
  if (index < 0) return;
  const memory = state.memory[index], e = trace.events, first = film.firstEvent(step);
  const tiles = Math.floor(memory.bytes.length / 8), kWidth = 58, kHeight = 58;
  const readers = new Map();  // tile: lanes that read its state in this step
  for (let i = first; i < film.ends[step]; ++i) {
    const what = trace.operations[e.operation[i]];
    if (what.kind === "atomic" && what.region === index && !film.changes[i]) {
      const tile = e.offset[i] >> 3;
      if (!readers.has(tile)) readers.set(tile, new Set());
      readers.get(tile).add(e.thread[i] & 31);
    }
  }
  const width = widthOf($("tiles-card")), perRow = Math.max(1, Math.floor(width / kWidth));
  const g = canvasOf($("tiles"), Math.min(tiles, perRow) * kWidth + 2, Math.ceil(tiles / perRow) * kHeight);
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (let tile = 0; tile < tiles; ++tile) {
    const x = tile % perRow * kWidth, y = Math.floor(tile / perRow) * kHeight;
    const low = memory.value(tile * 2, 4), status = memory.value(tile * 2 + 1, 4) >>> 30;
    g.fillStyle = ["#e3e7eb", "#ffe8a3", "#b6e8c6", "#fff"][status];
    g.fillRect(x + 1, y + 14, kWidth - 4, 40);
    if (memory.writer[tile * 2] >= first) { g.lineWidth = 3; g.strokeStyle = kColors.store; g.strokeRect(x + 2.5, y + 15.5, kWidth - 7, 37); }
    if (readers.has(tile)) { g.lineWidth = 3; g.strokeStyle = kColors.load; g.strokeRect(x + 2.5, y + 15.5, kWidth - 7, 37); }
    g.fillStyle = "#44505c";
    g.font = "11px system-ui, sans-serif";
    g.fillText(readers.has(tile) ? `↑ lane ${ranges([...readers.get(tile)].sort((a, b) => a - b))}` : `tile ${tile}`, x + kWidth / 2, y + 6);
    g.fillStyle = "#1d2733";
    g.font = "bold 15px system-ui, sans-serif";
    g.fillText("XAP?"[status], x + kWidth / 2, y + 26);
    g.font = "12px system-ui, sans-serif";
    g.fillText(status ? low : "", x + kWidth / 2, y + 43);
  }
  const e0 = first < trace.count ? e.block[first] : 0;
  $("tiles-note").textContent = readers.size ?
    `A warp of block ${e0} reads the state of ${readers.size > 1 ? "tiles " : "tile "}${ranges([...readers.keys()].sort((a, b) => a - b))}. Lane i reads the i-th tile before its own.` : " ";
}

// ---- ballots and shuffles of the warp

function drawBallot() {
  const e = trace.events, end = film.ends[step], block = e.block[end - 1], warp = e.thread[end - 1] >> 5;
  const vote = (film.votes.get(`${block} ${warp}`) ?? []).findLast((v) => v.event < end);
  const bits = vote?.bits ?? new Array(kWarp).fill(null);
  $("ballot-card").hidden = !film.hasVotes;
  if (!film.hasVotes) return;
  const kCell = Math.min(24, Math.floor((widthOf($("ballot-card")) - 60) / kWarp));
  const g = canvasOf($("ballot"), kWarp * kCell + 60, 62);
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.font = "11px system-ui, sans-serif";
  let rank = 0;
  const labels = ["lane", "bit", "rank"];
  labels.forEach((label, row) => { g.fillStyle = "#66717d"; g.fillText(label, 22, 10 + 20 * row); });
  for (let lane = 0; lane < kWarp; ++lane) {
    const x = 46 + lane * kCell, bit = bits[lane];
    g.fillStyle = "#66717d";
    if (kCell > 14 || lane % 4 === 0) g.fillText(lane, x + kCell / 2, 10);  // on a phone, only every fourth number fits
    g.fillStyle = bit === null ? "#eef1f4" : bit ? kColors.vote : "#d8dee4";
    g.fillRect(x, 20, kCell - 1, 20);
    if (bit === null) continue;
    g.fillStyle = bit ? "#fff" : "#1d2733";
    g.fillText(bit ? 1 : 0, x + kCell / 2, 30);
    g.fillStyle = "#1d2733";
    if (bit) g.fillText(rank++, x + kCell / 2, 50);
  }
  $("ballot-title").innerHTML = vote ?
    `${vote.kind}() of block ${block}, warp ${warp}: ${rank} of 32 <small>rank: number of ones in the lanes below</small>` :
    "Ballot <small>this warp has made none yet</small>";
}

// ---- data flow, such as the tree of a sweep

function flowOfNow(state) {
  const e = trace.events, last = film.ends[step] - 1;
  if (isShuffle(film.kind(last))) return shuffleFlow(last);
  const shared = film.flow.get(`${state.launch} ${shownBlock}`);
  if (shared?.length)
    return {edges: shared, title: `Data flow in the shared memory of block ${shownBlock}`,
      note: "Each row shows the accesses between two barriers. Lines lead from the words that a lane loads to the word that it stores. Grey lines belong to later steps."};
  if (!film.globalFlow.length) return null;
  return {edges: film.globalFlow, title: "Data flow in global memory",
    note: "Each row is a launch. Lines lead from the items that a thread loads to the item that it stores. Grey lines belong to later steps."};
}

/// Returns the latest shuffles of the warp up to this event.
function shuffleFlow(last) {
  const e = trace.events, block = e.block[last], warp = e.thread[last] >> 5, kRows = 8;
  const found = [], count = new Uint32Array(kWarp);
  for (let i = last; i >= 0; --i) {
    if (e.block[i] !== block || e.thread[i] >> 5 !== warp) continue;
    const kind = film.kind(i);
    if (isVote(kind) || kind === "launch" || kind === "sync") break;
    if (!isShuffle(kind)) continue;
    found.push(i);
    ++count[e.thread[i] & 31];
  }
  const rows = Math.max(...count), edges = [];
  for (const i of found) {  // from the latest to the earliest
    const lane = e.thread[i] & 31, row = --count[lane];
    if (row >= rows - kRows) edges.push({event: i, row, to: lane, from: [{cell: e.offset[i]}], value: e.low[i]});
  }
  const offered = new Map(edges.map((edge) => [`${edge.row} ${edge.to}`, edge.value]));
  for (const edge of edges) edge.value = offered.get(`${edge.row} ${edge.from[0].cell}`) ?? edge.value;
  return {edges, cells: kWarp, title: `Shuffles of block ${block}, warp ${warp}`,
    note: "Each row is a shuffle, each column a lane. Lines lead from the lane that has the value to the lane that receives it. The last row is the latest shuffle."};
}

function drawFlow(state) {
  const flow = flowOfNow(state);
  $("flow-card").hidden = !film.hasFlow;
  if (!flow || !flow.edges.length) { $("flow-note").textContent = "Nothing yet."; canvasOf($("flow"), 10, 10); return; }
  $("flow-title").textContent = flow.title;
  $("flow-note").textContent = flow.note;
  const first = film.firstEvent(step), end = film.ends[step], kMaxEdges = 1200;
  if (flow.edges.length > kMaxEdges) {  // show only the edges of this step
    flow.edges = flow.edges.filter((edge) => edge.event >= first && edge.event < end);
    if (!flow.edges.length) { canvasOf($("flow"), 10, 10); $("flow-note").textContent = "There are too many lines for one picture. Only the lines of the current step are shown; it has none."; return; }
  }
  const used = new Set();
  for (const edge of flow.edges) { used.add(edge.to); edge.from.forEach((c) => used.add(c.cell)); }
  const columns = flow.cells ? Array.from({length: flow.cells}, (_, i) => i) : [...used].sort((a, b) => a - b);
  const column = new Map(columns.map((cell, i) => [cell, i]));
  const rows = [...new Set(flow.edges.map((edge) => edge.row))].sort((a, b) => a - b);
  const rowOf = new Map(rows.map((row, i) => [row, i]));
  const width = widthOf($("flow-card")), dx = width / columns.length;
  const dy = Math.max(16, Math.min(34, 360 / (rows.length + 1)));
  const g = canvasOf($("flow"), width, dy * (rows.length + 0.5) + 8);
  const x = (cell) => (column.get(cell) + 0.5) * dx, y = (row) => row * dy + 8;
  // The font is as large as numbers side by side allow; if that is too small, points replace them.
  const digits = Math.max(...flow.edges.map((edge) => edge.value < 1e5 ? String(edge.value).length : 1));
  const font = Math.min(11, Math.floor(dx / (0.62 * digits))), showValues = font >= 7;
  g.font = `${font}px system-ui, sans-serif`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  const paint = (edge, color, lineWidth) => {
    const row = rowOf.get(edge.row);
    g.strokeStyle = color;
    g.lineWidth = lineWidth;
    g.beginPath();
    for (const c of edge.from) { g.moveTo(x(c.cell), y(row) + 5); g.lineTo(x(edge.to), y(row + 1) - 5); }
    g.stroke();
    g.fillStyle = color;
    if (showValues && edge.event < end) g.fillText(edge.value < 1e5 ? edge.value : "·", x(edge.to), y(row + 1));
    else { g.beginPath(); g.arc(x(edge.to), y(row + 1), Math.min(2.5, dx / 2), 0, 7); g.fill(); }
  };
  for (const edge of flow.edges) if (edge.event >= end) paint(edge, "#e1e5e9", 1);
  for (const edge of flow.edges) if (edge.event < first) paint(edge, "#5c7c9c", Math.min(1, dx / 4));
  for (const edge of flow.edges) if (edge.event >= first && edge.event < end) paint(edge, kColors.store, 2);
}

// ---- source

const sourceViews = new Map();  // file: its element and its marked lines
function sourceView(file) {
  let view = sourceViews.get(file);
  if (view) return view;
  const div = document.createElement("div");
  div.append(...kSources[file].split("\n").map((text, i) => {
    const line = document.createElement("div"), parts = ["others", "number", "code"].map((name) => {
      const span = document.createElement("span");
      span.className = name;
      return span;
    });
    line.className = "line";
    parts[1].textContent = i + 1;
    parts[2].textContent = text;
    line.append(...parts);
    return line;
  }));
  $("source").append(div);
  sourceViews.set(file, view = {div, marked: [], labelled: []});
  return view;
}

function drawSource(state) {
  const e = trace.events, panel = $("source");
  // The line of the step's last access or call.
  let place = null;
  for (let i = film.ends[step] - 1; i >= film.firstEvent(step) && !place; --i) {
    const p = trace.places[trace.operations[e.operation[i]].place];
    if (p.line && kSources[p.file]) place = p;
  }
  if (!place) return;
  const view = sourceView(place.file), lines = view.div.children, now = lines[place.line - 1];
  if ($("source-name").textContent !== place.file) {
    for (const other of sourceViews.values()) other.div.hidden = other !== view;
    $("source-name").textContent = place.file;
  }
  view.marked.forEach((line) => line.classList.remove("now"));
  view.labelled.forEach((line) => { line.firstChild.textContent = ""; });
  const marked = new Set();
  for (let i = film.firstEvent(step); i < film.ends[step]; ++i) {
    const p = trace.places[trace.operations[e.operation[i]].place];
    if (p.file === place.file && p.line) marked.add(lines[p.line - 1]);
  }
  view.marked = [...marked];
  view.marked.forEach((line) => line.classList.add("now"));
  // Label the lines that the warps of the block have reached.
  const block = state.blocks.get(shownBlock), at = new Map();
  if (block)
    for (let warp = 0; warp < block.status.length / kWarp; ++warp) {
      let event = -1;
      for (let lane = 0; lane < kWarp; ++lane) event = Math.max(event, block.event[warp * kWarp + lane]);
      if (event < 0) continue;
      const p = trace.places[trace.operations[e.operation[event]].place];
      if (p.file === place.file && p.line) at.set(p.line, [...(at.get(p.line) ?? []), warp]);
    }
  for (const [line, warps] of at) lines[line - 1].firstChild.textContent = "w" + ranges(warps);
  view.labelled = [...at.keys()].map((line) => lines[line - 1]);
  if (now) panel.scrollTop = now.offsetTop - panel.offsetTop - panel.clientHeight / 2;
}

// ---- the page

function drawCounters(state) {
  const c = state.counts, launch = trace.launches[state.launch];
  const items = {launches: `${c.launches} of ${trace.launches.length}`, kernel: launch ? shortKernel(launch.kernel) : "–",
    "barriers met": c.barriers, votes: c.votes, shuffles: c.shuffles, "atomic accesses": c.atomics, "back-offs": c.backoffs,
    "global bytes read": c.read, "global bytes written": c.written, "shared bytes read": c.sharedRead,
    "shared bytes written": c.sharedWritten};
  $("counters").innerHTML = Object.entries(items).map(([name, value]) =>
    `<span>${name} <b>${typeof value === "number" ? value.toLocaleString("en") : value}</b></span>`).join("");
}

function show(to) {
  step = Math.max(0, Math.min(film.ends.length - 1, to));
  const state = film.goTo(film.ends[step]), last = film.ends[step] - 1, kind = film.kind(last);
  shownBlock = kind === "launch" ? -1 : kind === "block" ? trace.events.low[last] : trace.events.block[last];
  if (document.activeElement !== $("position") || +$("position").value !== step) $("position").value = step;
  $("clock").textContent = `step ${step + 1} of ${film.ends.length}, event ${film.ends[step].toLocaleString("en")} of ${trace.count.toLocaleString("en")}`;
  $("facts").textContent = factsOf(film, step);
  $("explain").textContent = explanationOf(film, step);
  document.querySelectorAll(".side").forEach((panel, i) => panel.classList.toggle("now",
    film.stepOf(Math.min(trace.failure.sides[i].clock, trace.count - 1)) === step));
  drawTimeline();
  drawCounters(state);
  drawThreads(state);
  drawTiles(state);
  drawBallot();
  drawMemory(state);
  drawFlow(state);
  drawSource(state);
}

function phaseAfter(s) { return (film.phases.find((end) => end - 1 > s) ?? film.ends.length) - 1; }
function phaseBefore(s) { return (film.phases.filter((end) => end - 1 < s).pop() ?? 1) - 1; }

function pause() {
  clearInterval(playing);
  playing = null;
  $("play").textContent = "▶ play";
}
function play() {
  if (playing) return pause();
  if (step === film.ends.length - 1) show(0);
  $("play").textContent = "❚❚ pause";
  const begin = performance.now(), from = step, perSecond = +$("speed").value;
  playing = setInterval(() => {  // keeps the speed: skips steps if drawing takes too long
    const due = from + Math.floor((performance.now() - begin) / 1000 * perSecond);
    if (due > step) show(due);
    if (step === film.ends.length - 1) pause();
  }, 1000 / 60);
}

function escapeText(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span.innerHTML;
}

function showFailure() {
  const {message, sides} = trace.failure;
  if (!message) return;
  const panel = $("failure");
  panel.hidden = false;
  panel.innerHTML = `<h2>It fails: ${escapeText(message)}</h2><div class="sides">` + sides.map((side, i) => {
    const code = kSources[side.file]?.split("\n")[side.line - 1] ?? "";
    return `<div class="side"><b>Block ${side.block}, warp ${side.thread >> 5}, lane ${side.thread & 31}</b> (thread ${side.thread}) ` +
      `${escapeText(side.does)}` + (side.line ? `, ${escapeText(side.file)}:${side.line}` : "") +
      (code ? `<code>${escapeText(code.trim())}</code>` : "") +
      `<button data-side="${i}">Show event ${side.clock.toLocaleString("en")}</button></div>`;
  }).join("") + "</div>";
  panel.querySelectorAll("button").forEach((button) => button.addEventListener("click", () => {
    pause();
    show(film.stepOf(sides[+button.dataset.side].clock));
  }));
}

/// Returns the end of the last byte of shared memory that any access of the film touches.
function usedSharedBytes() {
  const e = trace.events;
  let end = 0;
  for (let i = 0; i < trace.count; ++i) {
    const what = trace.operations[e.operation[i]];
    if (isAccess(what.kind) && what.region === 0) end = Math.max(end, e.offset[i] + what.size);
  }
  return end;
}

/// Goes to the end and returns the contents of the watched regions by name.
window.finalMemory = () => {
  show(film.ends.length - 1);
  const result = {};
  trace.regions.forEach((region, index) => {
    if (index === 0) return;
    const size = Math.min(4, kCellBytes[region.cells]), memory = film.state.memory[index];
    result[region.name] = Array.from({length: Math.floor(memory.bytes.length / size)}, (_, c) => memory.value(c, size));
  });
  return result;
};

/// Obeys the fragment of the page's address. #final writes the final memory into the page, #speed the
/// steps drawn per second. #at=0.4 goes to this share of the film, #step=7 to this step.
function obeyFragment() {
  const output = $("final"), at = /^#at=([\d.]+)$/.exec(location.hash), stepIs = /^#step=(\d+)$/.exec(location.hash);
  if (location.hash === "#final") {
    output.textContent = JSON.stringify(window.finalMemory());
  } else if (location.hash === "#speed") {
    const kSteps = 60, from = Math.floor(film.ends.length / 3), begin = performance.now();
    for (let i = 0; i < kSteps; ++i) show(from + i);
    output.textContent = String(1000 * kSteps / (performance.now() - begin));
  } else if (at) {
    show(Math.floor(+at[1] * (film.ends.length - 1)));
  } else if (stepIs) {
    show(+stepIs[1] - 1);
  }
}

film.usedSharedWords = Math.ceil(usedSharedBytes() / 4);
film.hasVotes = trace.operations.some((o) => isVote(o.kind));
film.hasFlow = film.flow.size > 0 || film.globalFlow.length > 0 || trace.operations.some((o) => isShuffle(o.kind));
makeMemoryViews();
showFailure();
$("position").max = film.ends.length - 1;
$("position").addEventListener("input", () => { pause(); show(+$("position").value); });
const kActions = {start: () => show(0), "last-phase": () => show(phaseBefore(step)), "last-step": () => show(step - 1),
  "next-step": () => show(step + 1), "next-phase": () => show(phaseAfter(step)), end: () => show(film.ends.length - 1)};
for (const [id, action] of Object.entries(kActions)) $(id).addEventListener("click", () => { pause(); action(); });
$("play").addEventListener("click", play);
$("speed").addEventListener("change", () => { if (playing) { pause(); play(); } });
document.addEventListener("keydown", (event) => {
  const keys = {ArrowLeft: "last-step", ArrowRight: "next-step", PageUp: "last-phase", PageDown: "next-phase",
    Home: "start", End: "end", " ": "play"};
  if (!keys[event.key] || event.target.tagName === "SELECT") return;
  event.preventDefault();
  $(keys[event.key]).click();
});
window.addEventListener("resize", () => show(step));
const failureSide = trace.failure.sides.at(-1);
if (failureSide) show(film.stepOf(Math.min(failureSide.clock, trace.count - 1)));
else show(trace.failure.message ? film.ends.length - 1 : 0);
obeyFragment();
