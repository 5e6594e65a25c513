// SPDX-License-Identifier: MIT
'use strict';
const byId = id => document.getElementById(id);
const canvas = byId('image');

// ---- The image: a texture of half floats, to which the GPU applies exposure and tone curve. ----

const kVertexShader = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`;

// The curves are those of src/image/tone_mapping.cpp and agx.cpp, which name their sources.
const kFragmentShader = `#version 300 es
precision highp float;
uniform highp sampler2D image;
uniform highp sampler3D agx_table;             // [red][green][blue]
uniform vec2 canvas_size, image_size, offset;  // device pixels; offset of the top left corner
uniform float zoom, scale;                     // device pixels per pixel; factor of the exposure
uniform int curve;                             // srgb, aces, agx
out vec4 color;

vec3 aces(vec3 c) {
  c = vec3(dot(vec3(0.59719, 0.35458, 0.04823), c), dot(vec3(0.07600, 0.90834, 0.01566), c),
           dot(vec3(0.02840, 0.13383, 0.83777), c));
  c = (c * (c + 0.0245786) - 0.000090537) / (c * (0.983729 * c + 0.4329510) + 0.238081);
  return vec3(dot(vec3(1.60475, -0.53108, -0.07367), c), dot(vec3(-0.10208, 1.10813, -0.00605), c),
              dot(vec3(-0.00327, -0.07276, 1.07602), c));
}

vec3 agx(vec3 c) {
  c = vec3(dot(vec3(0.55937111, 0.30478331, 0.13584557), c), dot(vec3(0.07622073, 0.78797179, 0.13580747), c),
           dot(vec3(0.06552674, 0.16454678, 0.76992648), c));
  vec3 at = clamp(56.0 * (log2(max(c, 1e-30)) + 12.47393) / 25.0, 0.0, 56.0);
  ivec3 node = min(ivec3(at), 55);
  vec3 f = at - vec3(node);
  // The tetrahedron goes from corner to corner of the cell, along the largest fraction first.
  bool xy = f.x >= f.y, yz = f.y >= f.z, xz = f.x >= f.z;
  ivec3 first = xy && xz ? ivec3(1, 0, 0) : !xy && yz ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
  ivec3 last = !xy && !xz ? ivec3(1, 0, 0) : xy && !yz ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
  ivec3 second = node + 1 - last;
  float high = max(f.x, max(f.y, f.z)), low = min(f.x, min(f.y, f.z)), middle = f.x + f.y + f.z - high - low;
  vec3 encoded = (1.0 - high) * texelFetch(agx_table, node.zyx, 0).rgb +
                 (high - middle) * texelFetch(agx_table, (node + first).zyx, 0).rgb +
                 (middle - low) * texelFetch(agx_table, second.zyx, 0).rgb +
                 low * texelFetch(agx_table, node.zyx + 1, 0).rgb;
  return pow(max(encoded, 0.0), vec3(2.4));
}

vec3 srgb(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}

void main() {
  vec2 at = (vec2(gl_FragCoord.x, canvas_size.y - gl_FragCoord.y) - offset) / zoom;
  if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, image_size))) {
    color = vec4(0.067, 0.075, 0.082, 1.0);
    return;
  }
  vec3 c = clamp(texture(image, at / image_size).rgb * scale, 0.0, 65504.0);
  color = vec4(srgb(curve == 1 ? aces(c) : curve == 2 ? agx(c) : c), 1.0);
}`;

const gl = canvas.getContext('webgl2', {antialias: false});
const shown = {width: 0, height: 0, zoom: 1, x: 0, y: 0, fits: true, number: 0, view: -1, picture: ''};
let uniforms = {};

function setUpGl() {
  if (!gl) {
    byId('message').textContent = 'This browser has no WebGL 2, which shows the image.';
    return;
  }
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, kVertexShader], [gl.FRAGMENT_SHADER, kFragmentShader]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    byId('message').textContent = 'WebGL: ' + gl.getProgramInfoLog(program);
    return;
  }
  gl.useProgram(program);
  for (const name of ['canvas_size', 'image_size', 'offset', 'zoom', 'scale', 'curve'])
    uniforms[name] = gl.getUniformLocation(program, name);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
  gl.uniform1i(gl.getUniformLocation(program, 'agx_table'), 1);
  fetchAgx();
}

/// Loads the table of AgX into texture unit 1.
async function fetchAgx() {
  const kSize = 57, answer = await fetch('/agx');
  const halves = new Uint16Array(await answer.arrayBuffer());
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_3D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGB16F, kSize, kSize, kSize, 0, gl.RGB, gl.HALF_FLOAT, halves);
  gl.activeTexture(gl.TEXTURE0);
  draw();
}

// A system that is short of time or memory may reset the GPU context for a while.
canvas.addEventListener('webglcontextlost', event => event.preventDefault());  // so that it comes back
canvas.addEventListener('webglcontextrestored', () => {
  setUpGl();
  shown.number = 0;
  if (status) fetchFrame();
});

function upload(width, height, halves) {
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB16F, width, height, 0, gl.RGB, gl.HALF_FLOAT, halves);
  shown.width = width;
  shown.height = height;
}

function fit() {
  shown.zoom = Math.min(canvas.width / shown.width, canvas.height / shown.height);
  center();
}

function center() {
  shown.x = Math.round((canvas.width - shown.width * shown.zoom) / 2);
  shown.y = Math.round((canvas.height - shown.height * shown.zoom) / 2);
}

function draw() {
  if (!gl || shown.width === 0) return;
  const width = Math.round(canvas.clientWidth * devicePixelRatio), height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  if (shown.fits) fit();
  const isRadiance = byId('picture').selectedIndex === 0;
  const filter = shown.zoom < 1 ? gl.LINEAR : gl.NEAREST;
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
  gl.viewport(0, 0, width, height);
  gl.uniform2f(uniforms.canvas_size, width, height);
  gl.uniform2f(uniforms.image_size, shown.width, shown.height);
  gl.uniform2f(uniforms.offset, shown.x, shown.y);
  gl.uniform1f(uniforms.zoom, shown.zoom);
  gl.uniform1f(uniforms.scale, isRadiance ? 2 ** Number(byId('exposure').value) : 1);
  gl.uniform1i(uniforms.curve, isRadiance ? byId('curve').selectedIndex : 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

/// Returns the colour that the canvas shows at a pixel of the image. For tests.
function colorAt(x, y) {
  draw();
  const bytes = new Uint8Array(4);
  gl.readPixels(Math.floor(shown.x + (x + 0.5) * shown.zoom),
                canvas.height - 1 - Math.floor(shown.y + (y + 0.5) * shown.zoom), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  return Array.from(bytes.slice(0, 3));
}

// ---- Events from the program. ----

let status = null;      // the last event
let isFetching = false;

function connect() {
  const events = new EventSource('/events');
  events.onmessage = event => {
    const isFirst = status === null;
    status = JSON.parse(event.data);
    if (isFirst) begin();
    showStatus();
    fetchFrame();
    if (status.ended) events.close();
  };
  events.onerror = () => {
    if (status && status.ended) return;
    byId('state').textContent = 'the program does not answer';
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 1000);  // else it tries again by itself
  };
}

function begin() {
  const render = status.render;
  byId('scene').textContent = render.scene.split('/').pop();
  byId('device').textContent = render.device + ', ' + render.width + ' x ' + render.height;
  document.title = byId('scene').textContent + ' - Winnow';
  byId('picture').replaceChildren(...render.pictures.map(name => new Option(name)));
  byId('curve').value = render.tone_curve;
  setExposure(render.exposure);
  wantsAutoExposure = render.exposure_is_automatic;
  if (render.why_camera_is_fixed) {
    byId('look').disabled = byId('reset').disabled = true;
    byId('pan').checked = true;
  }
  showHelp();
}

const digits = (value, count) => Number(value.toPrecision(count)).toString();

function showStatus() {
  const progress = status.progress;
  byId('message').textContent = status.message;
  if (progress) {
    byId('done').style.width = 100 * progress.fraction + '%';
    byId('spp').textContent = Math.floor(progress.spp) + (progress.spp_goal ? ' of ' + progress.spp_goal : '');
    byId('speed').textContent = digits(progress.samples_per_second / 1e6, 3) + ' Msamples/s';
    byId('seconds').textContent = progress.seconds.toFixed(1) + ' s';
    byId('error').textContent = status.error === null ? '-' : digits(status.error, 2);
    byId('alive').replaceChildren(...status.alive.map((share, bounce) => {
      const bar = document.createElement('div');
      bar.style.height = 100 * share + '%';
      bar.title = 'bounce ' + bounce + ': ' + (100 * share).toFixed(1) + ' %';
      return bar;
    }));
    byId('option').textContent = status.camera.option;
    byId('json').textContent = status.camera.json;
  }
  byId('state').textContent = status.ended ? 'ended; the images are written' :
      !progress ? 'no image yet' : status.is_final ? 'done; the page may stay open' : 'rendering';
  for (const id of ['save', 'stop', 'reset'])
    byId(id).disabled = status.ended || (id === 'reset' && status.render.why_camera_is_fixed !== '');
}

let wantsAutoExposure = false;

/// Fetches the newest frame unless it is shown, one frame at a time.
async function fetchFrame() {
  const picture = byId('picture').value;
  if (isFetching || !status.progress || (shown.number === status.frame && shown.picture === picture && !wantsAutoExposure)) return;
  isFetching = true;
  try {
    const auto = wantsAutoExposure && byId('picture').selectedIndex === 0;
    const answer = await fetch('/frame?picture=' + picture + (auto ? '&exposure=auto' : ''));
    if (answer.ok) {
      const halves = new Uint16Array(await answer.arrayBuffer());
      upload(status.render.width, status.render.height, halves);
      shown.number = Number(answer.headers.get('Winnow-Frame'));
      shown.view = Number(answer.headers.get('Winnow-View'));
      shown.picture = picture;
      if (auto) {
        setExposure(Number(answer.headers.get('Winnow-Exposure')));
        wantsAutoExposure = false;
      }
      draw();
    }
    isFetching = false;
    if (answer.ok) fetchFrame();
    sendCamera();
  } catch (failure) {
    isFetching = false;  // the events say whether the program is still there
  }
}

function setExposure(stops) {
  byId('exposure').value = stops;
  byId('stops').textContent = (stops > 0 ? '+' : '') + digits(Number(stops), 3);
}

// ---- The camera. ----

const add = (a, b, scale = 1) => a.map((value, i) => value + scale * b[i]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = a => Math.sqrt(dot(a, a));
const unit = a => a.map(value => value / length(a));

/// Rodrigues' rotation about a unit axis.
function turned(v, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return add(add(v.map(value => value * c), cross(axis, v), s), axis, dot(axis, v) * (1 - c));
}

let camera = null;        // {position, look_at, up}, last camera requested by this page
let cameraIsNew = false;  // and has not been sent
let isDragging = false;
let viewOfLastMove = -1;  // the next one is sent once there is a frame of a later one
let timeOfLastMove = 0;

/// Returns a camera that turns about a point in the middle of the scene, as seen from there.
function turningCamera({position, look_at, up}) {
  const ahead = unit(add(look_at, position, -1)), radius = status.render.radius || 1;
  const depth = dot(add(status.render.center, position, -1), ahead);
  const distance = depth > 0.05 * radius ? depth : 0.5 * radius;
  return {position, look_at: add(position, ahead, distance), up: unit(up)};
}

/// Returns the camera to move: that of the program if no move is in progress.
function cameraNow() {
  const isSettled = !isDragging && !cameraIsNew && shown.view > viewOfLastMove;
  if (!camera || isSettled) camera = turningCamera(status.camera);
  const ahead = unit(add(camera.look_at, camera.position, -1));
  const right = unit(cross(ahead, camera.up));
  return {ahead, right, above: cross(right, ahead), distance: length(add(camera.look_at, camera.position, -1))};
}

function moved() {
  cameraIsNew = true;
  sendCamera();
}

/// Sends the camera when the last one sent is on the screen, or after half a second.
async function sendCamera() {
  const kPatience = 500;  // ms
  if (!cameraIsNew || !status || status.ended) return;
  const waits = shown.view <= viewOfLastMove && performance.now() - timeOfLastMove < kPatience;
  if (waits) {
    setTimeout(sendCamera, 50);
    return;
  }
  cameraIsNew = false;
  viewOfLastMove = shown.view;
  timeOfLastMove = performance.now();
  await post('/camera', JSON.stringify({position: camera.position, look_at: camera.look_at}));
}

function orbit(dx, dy) {
  const kRadiansPerPixel = 0.006, kNearPole = 0.02;
  const {right} = cameraNow();
  let arm = turned(add(camera.position, camera.look_at, -1), camera.up, -dx * kRadiansPerPixel);
  const elevation = Math.asin(Math.max(-1, Math.min(1, dot(unit(arm), camera.up))));
  const limit = Math.PI / 2 - kNearPole;
  const lifted = Math.max(-limit, Math.min(limit, elevation + dy * kRadiansPerPixel));
  arm = turned(arm, turned(right, camera.up, -dx * kRadiansPerPixel), elevation - lifted);
  camera.position = add(camera.look_at, arm);
  moved();
}

function shift(right, up, ahead) {
  const now = cameraNow();
  for (const [axis, distance] of [[now.right, right], [now.above, up], [now.ahead, ahead]]) {
    camera.position = add(camera.position, axis, distance);
    camera.look_at = add(camera.look_at, axis, distance);
  }
  moved();
}

function turn(yaw, pitch) {
  const {right} = cameraNow();
  const arm = add(camera.look_at, camera.position, -1);
  camera.look_at = add(camera.position, turned(turned(arm, right, pitch), camera.up, yaw));
  moved();
}

function approach(factor) {
  cameraNow();
  camera.position = add(camera.look_at, add(camera.position, camera.look_at, -1).map(value => value * factor));
  moved();
}

// ---- Controls. ----

const post = (path, body) => fetch(path, {method: 'POST', body}).then(async answer => {
  if (!answer.ok) byId('message').textContent = await answer.text();
}).catch(() => {});

const movesCamera = () => byId('look').checked;

function showHelp() {
  const reason = status.render.why_camera_is_fixed;
  byId('help').textContent = reason ? 'The camera is fixed: ' + reason + '.' : movesCamera() ?
      'Drag to orbit, with Shift to shift; wheel or W, S to approach; A, D, Q, E to shift; arrows to turn.' :
      'Drag to pan, wheel to zoom.';
}

function zoomAt(factor, x, y) {
  shown.fits = false;
  const zoom = Math.max(0.05, Math.min(64, shown.zoom * factor));
  shown.x = x - (x - shown.x) * zoom / shown.zoom;
  shown.y = y - (y - shown.y) * zoom / shown.zoom;
  shown.zoom = zoom;
  draw();
}

function showOneToOne() {
  shown.fits = false;
  shown.zoom = 1;
  center();
  draw();
}

function showAll() {
  shown.fits = true;
  draw();
}

canvas.addEventListener('pointermove', event => {
  if (event.buttons === 0 || !status || !status.progress) return;
  const dx = event.movementX, dy = event.movementY;
  if (!movesCamera()) {
    shown.fits = false;
    shown.x += dx * devicePixelRatio;
    shown.y += dy * devicePixelRatio;
    draw();
  } else if (event.shiftKey || event.buttons !== 1) {
    const height = 2 * cameraNow().distance * Math.tan(status.camera.vertical_fov * Math.PI / 360);
    const perPixel = height * devicePixelRatio / (shown.zoom * shown.height);
    shift(-dx * perPixel, dy * perPixel, 0);
  } else {
    orbit(dx, dy);
  }
});
canvas.addEventListener('pointerdown', event => {
  canvas.setPointerCapture(event.pointerId);
  if (status && status.progress) cameraNow();
  isDragging = true;
});
for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, () => { isDragging = false; });
canvas.addEventListener('contextmenu', event => event.preventDefault());
canvas.addEventListener('wheel', event => {
  event.preventDefault();
  if (!status || !status.progress) return;
  if (movesCamera())
    approach(Math.exp(event.deltaY * 0.001));
  else
    zoomAt(Math.exp(-event.deltaY * 0.002), event.offsetX * devicePixelRatio, event.offsetY * devicePixelRatio);
}, {passive: false});

const kTurn = 0.05;  // radians
const kShifts = {w: [0, 0, 1], s: [0, 0, -1], a: [-1, 0, 0], d: [1, 0, 0], q: [0, -1, 0], e: [0, 1, 0]};
const kTurns = {ArrowLeft: [kTurn, 0], ArrowRight: [-kTurn, 0], ArrowUp: [0, kTurn], ArrowDown: [0, -kTurn]};
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !status || !status.progress) return;
  const tag = event.target.tagName;  // lists take letters, and sliders arrows
  if (tag === 'SELECT' || (tag === 'INPUT' && event.key.startsWith('Arrow'))) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === 'f') showAll();
  if (key === '1') showOneToOne();
  if (status.render.why_camera_is_fixed) return;
  const step = 0.05 * (status.render.radius || 1);
  if (key in kShifts) shift(...kShifts[key].map(value => value * step));
  if (key in kTurns) turn(...kTurns[key]);
  if (key in kShifts || key in kTurns) event.preventDefault();
});

byId('picture').addEventListener('change', fetchFrame);
byId('exposure').addEventListener('input', () => { setExposure(byId('exposure').value); draw(); });
byId('curve').addEventListener('change', draw);
byId('auto').addEventListener('click', () => { wantsAutoExposure = true; fetchFrame(); });
byId('fit').addEventListener('click', showAll);
byId('one').addEventListener('click', showOneToOne);
for (const id of ['look', 'pan']) byId(id).addEventListener('change', showHelp);
byId('save').addEventListener('click', () => post('/save'));
byId('stop').addEventListener('click', () => post('/stop'));
byId('reset').addEventListener('click', () => {
  camera = turningCamera(status.render.camera);
  moved();
});
async function copy(text) {
  await navigator.clipboard.writeText(text);
  byId('message').textContent = 'copied';
}
byId('copy-option').addEventListener('click', () => copy(byId('option').textContent));
byId('copy-json').addEventListener('click', () => copy(byId('json').textContent));
new ResizeObserver(draw).observe(canvas);

setUpGl();
connect();
