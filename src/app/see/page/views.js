// SPDX-License-Identifier: MIT
// Drawing of queues, picture and charts. Each function reads `view` (controls.js), the state of the page.

const byId = id => document.getElementById(id);
const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/// Clears a canvas and sets its size in CSS pixels. Returns its context, whose unit is a CSS pixel.
function prepare(canvas, height) {
  const width = canvas.clientWidth || 300, ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "11.5px system-ui, 'DejaVu Sans', sans-serif";
  context.textBaseline = "middle";
  return {context, width, height};
}

/// Returns colour and opacity of a lane: its path continues, ends now, or has ended before.
function laneColor(path, bounce, runs) {
  if (path === undefined) return {color: style("--cell"), alpha: 1};
  if (!isActive(path, bounce))
    return {color: kCauses[data.paths[path].termination].color, alpha: runs ? view.idleAlpha : 0.07};
  if (view.coloring === "surface") return {color: kSurfaceColors[surfaceAt(path, bounce)], alpha: 1};
  return {color: endsAt(path, bounce) ? kCauses[data.paths[path].termination].color : view.activeColor, alpha: 1};
}

/// Draws all bounces of a mode: a row for each, a cell for each lane, and how many lanes work.
function drawStrip(canvas, mode) {
  const rowHeight = Math.max(4, Math.min(12, Math.floor(200 / (lastBounce + 1))));
  const {context, width} = prepare(canvas, (lastBounce + 1) * rowHeight + 2);
  const left = 74, right = 150, warpCount = Math.ceil(pathCount / kLanes);
  const gap = warpCount > 32 ? 0.5 : 2, cell = (width - left - right - warpCount * gap) / (warpCount * kLanes);
  const xOf = entry => left + entry * cell + Math.floor(entry / kLanes) * gap;
  const boxes = [];
  for (let b = 0; b <= lastBounce; ++b) {
    const y = b * rowHeight + 1, h = rowHeight - (rowHeight > 6 ? 2 : 1);
    warpsOf(tracedQueue(mode, b)).forEach((warp, w) => {
      const runs = warp.some(path => isActive(path, b));
      warp.forEach((path, lane) => {
        const {color, alpha} = laneColor(path, b, runs), entry = w * kLanes + lane;
        context.globalAlpha = alpha;
        context.fillStyle = color;
        context.fillRect(xOf(entry), y, cell + (cell < 2 ? 0.25 : 0), h);
        if (path === view.path) boxes.push([xOf(entry), y, cell, h]);
      });
    });
    context.globalAlpha = 1;
    drawStripRow(context, mode, b, y, h, rowHeight, width - right + 10);
  }
  context.strokeStyle = style("--mark");
  for (const [x, y, w, h] of boxes) context.strokeRect(x - 1, y - 0.5, Math.max(w, 2) + 2, h + 1);
  canvas.laneAt = (x, y) => {
    const b = Math.floor((y - 1) / rowHeight), queue = tracedQueue(mode, b);
    const warp = Math.floor((x - left) / (kLanes * cell + gap));
    const lane = Math.floor((x - left - warp * (kLanes * cell + gap)) / cell);
    if (x < left || lane < 0 || lane >= kLanes || queue[warp * kLanes + lane] === undefined) return null;
    return {path: queue[warp * kLanes + lane], bounce: b};
  };
}

/// Draws the text at the start and at the end of a row of a strip.
function drawStripRow(context, mode, b, y, h, rowHeight, x) {
  const step = mode.work[b] || {active: 0, warps: 0}, kEvery = rowHeight < 9 ? 4 : 1, kBar = 60;
  if (b === view.bounce) {
    context.fillStyle = style("--pick");
    context.fillRect(65, y, 4, h);
  }
  if (b % kEvery) return;
  const middle = y + h / 2 + 0.5;
  context.fillStyle = b === view.bounce ? style("--ink") : style("--dim");
  context.textAlign = "right";
  context.fillText(rowHeight < 9 ? `${b}` : `bounce ${b}`, 61, middle);
  context.textAlign = "left";
  context.fillStyle = style("--cell");
  context.fillRect(x, y, kBar, Math.max(h, 3));
  if (step.warps === 0) return;
  const share = step.active / (kLanes * step.warps);
  context.fillStyle = view.activeColor;
  context.fillRect(x, y, kBar * share, Math.max(h, 3));
  context.fillStyle = style("--dim");
  context.fillText(`${step.warps} × ${percent(share)}`, x + kBar + 6, middle);
}

/// Draws a queue at one bounce: a row for each warp. Shows the paths that end at `bounce`.
function drawQueue(canvas, queue, bounce) {
  const warps = warpsOf(queue), count = Math.ceil(pathCount / kLanes), kRow = 13, left = 24, right = 38;
  const {context, width} = prepare(canvas, Math.max(count, 1) * kRow + 2);
  const cell = (width - left - right) / kLanes;
  context.font = "10.5px system-ui, 'DejaVu Sans', sans-serif";
  for (let w = 0; w < count; ++w) {
    const warp = warps[w] || [], y = w * kRow + 1;
    const active = warp.filter(path => isActive(path, bounce)).length;
    for (let lane = 0; lane < kLanes; ++lane) {
      if (w >= warps.length) continue;
      const {color, alpha} = laneColor(warp[lane], bounce, active > 0);
      context.globalAlpha = alpha;
      context.fillStyle = color;
      context.fillRect(left + lane * cell, y, cell - 1, kRow - 2);
      context.globalAlpha = 1;
      if (warp[lane] === undefined || warp[lane] !== view.path) continue;
      context.strokeStyle = style("--mark");
      context.lineWidth = 1.5;
      context.strokeRect(left + lane * cell - 0.5, y - 0.5, cell, kRow - 1);
    }
    context.fillStyle = style("--dim");
    context.textAlign = "right";
    context.fillText(`${w}`, left - 5, y + kRow / 2 - 0.5);
    context.textAlign = "left";
    if (w < warps.length)
      context.fillText(active ? `${active}/${kLanes}` : "skip", width - right + 5, y + kRow / 2 - 0.5);
  }
  canvas.laneAt = (x, y) => {
    const lane = Math.floor((x - left) / cell), path = queue[Math.floor((y - 1) / kRow) * kLanes + lane];
    return lane < 0 || lane >= kLanes || path === undefined ? null : {path, bounce};
  };
}

const kPicture = new Image();

/// Draws the picture with the followed pixels in the colours of their ends so far, and one path.
function drawPicture(canvas) {
  const scale = (canvas.clientWidth || 300) / data.width;
  const {context, width, height} = prepare(canvas, Math.round(data.height * scale));
  if (kPicture.complete && kPicture.naturalWidth) context.drawImage(kPicture, 0, 0, width, height);
  const side = Math.max(scale, 1), at = path => [data.paths[path].pixel % data.width,
                                                 Math.floor(data.paths[path].pixel / data.width)];
  for (let path = 0; path < pathCount; ++path) {
    const [x, y] = at(path), gone = !isActive(path, view.bounce + 1);
    context.fillStyle = gone ? kCauses[data.paths[path].termination].color : view.activeColor;
    context.fillRect(x * scale, y * scale, side, side);
  }
  context.lineWidth = 1;
  context.strokeStyle = "#000";
  for (let first = 0; first < pathCount; first += kLanes) {
    const [x0, y0] = at(first), [x1, y1] = at(Math.min(first + kLanes, pathCount) - 1);
    if (y1 - y0 < kLanes) context.strokeRect(x0 * scale - 1.5, y0 * scale - 1.5, (x1 - x0 + 1) * scale + 3, (y1 - y0 + 1) * scale + 3);
  }
  if (view.path !== null) drawPath(context, data.paths[view.path], scale);
  canvas.laneAt = (x, y) => nearestPath(x / scale, y / scale, 12 / scale);
}

function nearestPath(x, y, reach) {
  let best = null, least = reach * reach;
  data.paths.forEach((path, id) => {
    const dx = path.pixel % data.width + 0.5 - x, dy = Math.floor(path.pixel / data.width) + 0.5 - y;
    if (dx * dx + dy * dy < least) [best, least] = [{path: id, bounce: view.bounce}, dx * dx + dy * dy];
  });
  return best;
}

/// Draws the vertices of a path as the camera sees them, also through surfaces.
function drawPath(context, path, scale) {
  const points = path.vertices.map(v => v[3] === null ? null : [v[3] * scale, v[4] * scale]);
  for (const [width, color] of [[4, "rgba(0,0,0,0.65)"], [2, kCauses[path.termination].color]]) {
    context.lineWidth = width;
    context.strokeStyle = color;
    for (let i = 1; i < points.length; ++i) {
      if (!points[i - 1] || !points[i]) continue;
      context.setLineDash(path.vertices[i][5] === 0 ? [6, 4] : []);
      context.beginPath();
      context.moveTo(...points[i - 1]);
      context.lineTo(...points[i]);
      context.stroke();
    }
  }
  context.setLineDash([]);
  points.forEach((point, i) => {
    if (!point) return;
    context.beginPath();
    context.arc(point[0], point[1], i === 0 ? 5 : 3.5, 0, 2 * Math.PI);
    context.fillStyle = i === 0 ? "#fff" : kSurfaceColors[path.vertices[i][5]];
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = "#000";
    context.stroke();
  });
}

/// Draws the axes of a chart over bounces. Returns the function for the position of a bounce.
function drawAxes(context, width, height, left, bottom) {
  const xOf = b => left + (b + 0.5) * (width - left) / (lastBounce + 1);
  const every = Math.ceil((lastBounce + 1) / 12);
  context.fillStyle = style("--dim");
  context.textAlign = "center";
  for (let b = 0; b <= lastBounce; b += every) context.fillText(`${b}`, xOf(b), height - bottom / 2 + 1);
  context.fillStyle = style("--pick");
  context.globalAlpha = 0.16;
  context.fillRect(xOf(view.bounce) - (width - left) / (lastBounce + 1) / 2, 0, (width - left) / (lastBounce + 1), height - bottom);
  context.globalAlpha = 1;
  return xOf;
}

function drawOccupancy(canvas) {
  const {context, width, height} = prepare(canvas, 118), left = 32, bottom = 16, top = 6;
  const xOf = drawAxes(context, width, height, left, bottom);
  const yOf = share => top + (1 - share) * (height - bottom - top);
  context.textAlign = "right";
  context.strokeStyle = style("--line");
  context.lineWidth = 1;
  for (const share of [0, 0.5, 1]) {
    context.fillStyle = style("--dim");
    context.fillText(`${100 * share}`, left - 6, yOf(share));
    context.strokeRect(left, yOf(share), width - left, 0);
  }
  const drawMode = (mode, color, lineWidth) => {
    context.strokeStyle = color;
    context.lineWidth = lineWidth;
    context.beginPath();
    mode.work.forEach((w, b) => w.warps && context.lineTo(xOf(b), yOf(w.active / (kLanes * w.warps))));
    context.stroke();
  };
  for (const mode of data.modes) drawMode(mode, style("--line"), 2);
  drawMode(baseMode, style("--bad"), 2.5);
  if (view.mode !== baseMode) drawMode(view.mode, view.activeColor, 2.5);
  context.textAlign = "left";
  const y = height - bottom - 9;
  context.fillStyle = style("--bad");
  context.fillText(baseMode.name, left + 5, y);
  context.fillStyle = view.activeColor;
  if (view.mode !== baseMode) context.fillText(view.mode.name, left + 42, y);
}

function drawTerminations(canvas) {
  const {context, width, height} = prepare(canvas, 118), left = 32, bottom = 16, top = 6;
  const xOf = drawAxes(context, width, height, left, bottom);
  const yOf = count => top + (1 - count / pathCount) * (height - bottom - top);
  const bar = Math.max(2, (width - left) / (lastBounce + 1) * 0.72);
  context.textAlign = "right";
  context.fillStyle = style("--dim");
  for (const count of [0, pathCount]) context.fillText(`${count}`, left - 4, yOf(count));
  for (let b = 0; b <= lastBounce; ++b) {
    let sum = 0;
    const put = (count, color) => {
      context.fillStyle = color;
      context.fillRect(xOf(b) - bar / 2, yOf(sum + count), bar, yOf(sum) - yOf(sum + count));
      sum += count;
    };
    put(data.paths.filter(path => path.bounce > b).length, view.activeColor);
    terminationCounts(b).forEach((count, cause) => count && put(count, kCauses[cause].color));
  }
}
