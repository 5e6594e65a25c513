// SPDX-License-Identifier: MIT
// Reads the trace and replays it to any event. compaction/simt/host/trace.cpp defines the format.

const kKinds = ["load", "store", "atomic", "fence", "backoff", "end", "block", "launch", "sync",
  "sync_count", "sync_warp", "ballot", "any", "all", "shfl", "shfl_up", "shfl_down"];
const kCellBytes = [1, 4, 8, 8];
const kTileStates = 3;      // value of Region.cells
const kWarp = 32;           // lanes
const kKeyframes = 64;      // copies of the state, so that seeking is fast
const isAccess = (kind) => kind === "load" || kind === "store" || kind === "atomic";
const isShuffle = (kind) => kind.startsWith("shfl");
const isOfBlock = (kind) => kind === "sync" || kind === "sync_count";
const isVote = (kind) => ["ballot", "any", "all", "sync_count"].includes(kind);
const isCall = (kind) => kKinds.indexOf(kind) >= kKinds.indexOf("sync");

function readTrace(bytes) {
  let at = 4;
  const number = () => {  // up to 2^53
    let value = 0, scale = 1;
    for (;;) {
      const byte = bytes[at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  const signed = () => { const v = number(); return v % 2 ? -(v + 1) / 2 : v / 2; };
  const take = () => { const size = number(); at += size; return bytes.subarray(at - size, at); };
  const text = () => new TextDecoder().decode(take());
  const list = (read) => Array.from({length: number()}, read);

  const trace = {};
  trace.places = list(() => ({file: text(), line: number()}));
  trace.operations = list(() => ({kind: kKinds[number()], size: number(), region: number(), place: number()}));
  trace.regions = list(() => ({name: text(), cells: number(), before: take()}));
  trace.launches = list(() => ({kernel: text(), blocks: number(), threads: number(), shared: number()}));
  trace.failure = {message: text(), sides: list(() => ({block: number(), thread: number(),
    clock: number(), does: text(), file: text(), line: number()}))};
  const count = trace.count = number();
  trace.truncated = number();
  const end = number() + at;

  // The events, one array per field.
  const e = trace.events = {operation: new Uint16Array(count), block: new Uint32Array(count),
    thread: new Uint16Array(count), offset: new Uint32Array(count), low: new Uint32Array(count),
    high: new Uint32Array(count)};
  const last = trace.operations.map(() => ({offset: 0, stride: 0, low: 0, high: 0}));
  let block = 0, thread = 0;
  for (let i = 0; at < end;) {
    const n = number();
    if (n === 0) { block += signed(); thread += 1 + signed(); continue; }
    const what = trace.operations[n - 1], p = last[n - 1];
    if (isAccess(what.kind) || isShuffle(what.kind)) {
      const offset = (p.offset + p.stride + signed()) >>> 0;
      p.stride = offset - p.offset;
      e.offset[i] = p.offset = offset;
    }
    if (!["load", "fence", "backoff", "end", "sync", "sync_warp"].includes(what.kind)) {
      e.low[i] = p.low = (p.low + signed()) >>> 0;
      if (what.size > 4) e.high[i] = p.high = (p.high + signed()) >>> 0;
    }
    e.operation[i] = n - 1;
    e.block[i] = block;
    e.thread[i] = thread;
    ++i;
  }
  return trace;
}

/// Contents of memory, and the last writer and reader of each word of 4 bytes.
class Memory {
  constructor(bytes, isWritten) {
    this.bytes = new Uint8Array(bytes);
    const words = Math.ceil(this.bytes.length / 4);
    this.writer = new Int32Array(words).fill(-1);  // event
    this.reader = new Int32Array(words).fill(-1);
    this.isWritten = isWritten;  // whether it is initialized before the first event
  }
  copy() {
    const other = Object.create(Memory.prototype);
    return Object.assign(other, {bytes: this.bytes.slice(), writer: this.writer.slice(),
      reader: this.reader.slice(), isWritten: this.isWritten});
  }
  value(cell, size) {
    const b = this.bytes, at = cell * size;
    if (size === 1) return b[at];
    if (size === 4) return (b[at] | b[at + 1] << 8 | b[at + 2] << 16 | b[at + 3] << 24) >>> 0;
    let value = 0;
    for (let i = size - 1; i >= 0; --i) value = value * 256 + this.bytes[cell * size + i];
    return value;
  }
}

class Block {
  constructor(threads, shared) {
    this.status = new Array(threads).fill("");  // last operation of the thread; "" before its start
    this.event = new Int32Array(threads).fill(-1);
    this.shared = new Memory(shared, false);
    this.arrived = 0;
    this.arrivedInWarp = new Uint8Array(threads / kWarp);
    this.phase = 0;  // barriers passed so far
  }
  copy() {
    const other = Object.create(Block.prototype);
    return Object.assign(other, this, {status: this.status.slice(), event: this.event.slice(),
      shared: this.shared.copy(), arrivedInWarp: this.arrivedInWarp.slice()});
  }
}

/// The state of the machine after a number of events.
class State {
  static first(trace) {
    const state = new State();
    state.at = 0;
    state.launch = -1;
    state.blocks = new Map();
    state.memory = trace.regions.map((r) => new Memory(r.before, true));
    state.counts = {launches: 0, barriers: 0, votes: 0, shuffles: 0, atomics: 0, backoffs: 0,
      read: 0, written: 0, sharedRead: 0, sharedWritten: 0};
    return state;
  }
  copy() {
    const other = new State();
    return Object.assign(other, this, {memory: this.memory.map((m) => m.copy()),
      blocks: new Map([...this.blocks].map(([i, b]) => [i, b.copy()])), counts: {...this.counts}});
  }

  /// Applies the next event. Returns "block" or "warp" if it completes a barrier or call of a block
  /// or warp, otherwise "".
  advance(trace) {
    const i = this.at++, e = trace.events, what = trace.operations[e.operation[i]], kind = what.kind;
    const counts = this.counts;
    if (kind === "launch") {
      this.launch = e.low[i];
      this.blocks = new Map();
      ++counts.launches;
      return "";
    }
    if (kind === "block") {
      const launch = trace.launches[this.launch];
      this.blocks.set(e.low[i], new Block(launch.threads, launch.shared));
      return "";
    }
    const block = this.blocks.get(e.block[i]), thread = e.thread[i];
    block.status[thread] = kind;
    block.event[thread] = i;
    if (isAccess(kind)) this.access(trace, i, what, block);
    else if (kind === "backoff") ++counts.backoffs;
    else if (isOfBlock(kind)) {
      if (++block.arrived < block.status.length) return "";
      block.arrived = 0;
      ++block.phase;
      ++counts.barriers;
      block.status.fill("met");
      return "block";
    } else if (isCall(kind)) {
      const warp = thread >> 5;
      if (++block.arrivedInWarp[warp] < kWarp) return "";
      block.arrivedInWarp[warp] = 0;
      ++counts[isShuffle(kind) ? "shuffles" : kind === "sync_warp" ? "barriers" : "votes"];
      return "warp";
    }
    return "";
  }

  access(trace, i, what, block) {
    const e = trace.events, counts = this.counts, isShared = what.region === 0;
    const memory = isShared ? block.shared : this.memory[what.region];
    const offset = e.offset[i];
    if (what.kind === "load") {
      counts[isShared ? "sharedRead" : "read"] += what.size;
    } else {
      this.hasChanged = false;
      for (let b = 0; b < what.size; ++b) {
        const byte = (b < 4 ? e.low[i] >>> (8 * b) : e.high[i] >>> (8 * (b - 4))) & 255;
        if (memory.bytes[offset + b] !== byte) this.hasChanged = true;
        memory.bytes[offset + b] = byte;
      }
      if (what.kind === "atomic") ++counts.atomics;
      else counts[isShared ? "sharedWritten" : "written"] += what.size;
    }
    const reads = what.kind === "load" || (what.kind === "atomic" && !this.hasChanged);
    for (let word = offset >> 2; word <= (offset + what.size - 1) >> 2; ++word)
      (reads ? memory.reader : memory.writer)[word] = i;
  }
}

/// The trace, divided into steps and phases. A step is what one warp does until another warp continues
/// or a barrier or call is complete. A phase ends with a barrier of a block or with a launch.
class Film {
  constructor(trace) {
    this.trace = trace;
    this.ends = [];    // [step]: number of events up to its end
    this.phases = [];  // [phase]: number of steps up to its end
    this.keyframes = [];
    this.flow = new Map();  // "launch block": flow of data through shared memory, see noteFlow()
    this.globalFlow = [];
    const e = trace.events, interval = Math.max(1, Math.ceil(trace.count / kKeyframes));
    const state = State.first(trace), loads = new Map();
    this.votes = new Map();  // "block warp": its complete votes, in order
    const bits = new Map();
    this.changes = new Uint8Array(trace.count);  // [event]: whether an atomic access changed the value
    for (let i = 0; i < trace.count; ++i) {
      if (i % interval === 0) this.keyframes.push(state.copy());
      const kind = this.kind(i);
      if (kind === "launch" || kind === "block") loads.clear();
      const met = state.advance(trace);
      if (isAccess(kind)) this.noteFlow(state, i, loads);
      if (kind === "atomic") this.changes[i] = state.hasChanged;
      if (kind === "launch") bits.clear();
      if (isVote(kind)) this.noteVote(i, kind, bits);
      const next = i + 1;
      const ends = met || next === trace.count || kind === "launch" ||
        (kind !== "block" && (["launch", "block"].includes(this.kind(next)) ||
          e.block[i] !== e.block[next] || e.thread[i] >> 5 !== e.thread[next] >> 5)) ||
        (kind === "block" && this.kind(next) !== "block");
      if (ends) this.ends.push(next);
      if (met === "block" || kind === "launch" || next === trace.count) this.phases.push(this.ends.length);
    }
    this.interval = interval;
    this.state = State.first(trace);
    this.last = state;  // the state after all events
  }
  kind(event) { return this.trace.operations[this.trace.events.operation[event]].kind; }

  /// Connects a store with the loads of its thread that came before it.
  noteFlow(state, i, loads) {
    const kMaxLoads = 64, e = this.trace.events;
    const what = this.trace.operations[e.operation[i]], block = e.block[i];
    const key = block * 4096 + e.thread[i], phase = state.blocks.get(block).phase;
    let own = loads.get(key);
    if (!own) loads.set(key, own = {cells: [], stored: false});
    const size = what.region === 0 ? 4 : kCellBytes[this.trace.regions[what.region].cells];
    const cell = Math.floor(e.offset[i] / size);
    if (what.kind === "load") {
      if (own.stored) { own.cells = []; own.stored = false; }
      if (own.cells.length < kMaxLoads) own.cells.push({region: what.region, cell, phase});
      return;
    }
    own.stored = true;
    if (what.kind === "atomic") return;
    // A thread combines a value of the last phase with one of this phase. It loaded older ones for
    // something else.
    const isLoaded = own.cells.some((load) => load.phase === phase);
    const from = isLoaded ? own.cells.filter((load) => load.phase >= phase - 1) : [];
    if (!from.length) return;
    const edge = {event: i, launch: state.launch, row: phase, to: cell, from, value: e.low[i]};
    if (what.region !== 0) {
      edge.row = state.launch;
      edge.from = from.filter((load) => load.region !== 0);
      if (edge.from.length) this.globalFlow.push(edge);
      return;
    }
    edge.from = from.filter((load) => load.region === 0);
    const place = `${state.launch} ${block}`;
    if (!this.flow.has(place)) this.flow.set(place, []);
    if (edge.from.length) this.flow.get(place).push(edge);
  }

  /// Collects the bits of a warp until each lane has passed one.
  noteVote(i, kind, bits) {
    const e = this.trace.events, warp = `${e.block[i]} ${e.thread[i] >> 5}`;
    let vote = bits.get(warp);
    if (!vote) bits.set(warp, vote = {bits: new Uint8Array(kWarp), count: 0});
    vote.bits[e.thread[i] & 31] = e.low[i] ? 1 : 0;
    if (++vote.count < kWarp) return;
    bits.delete(warp);
    if (!this.votes.has(warp)) this.votes.set(warp, []);
    this.votes.get(warp).push({event: i, kind, bits: vote.bits});
  }

  /// Moves the state to the end of the first `events` events, and returns it.
  goTo(events) {
    const frame = Math.min(this.keyframes.length - 1, Math.floor(events / this.interval));
    if (events < this.state.at || (frame >= 0 && this.keyframes[frame].at > this.state.at + this.interval))
      this.state = frame < 0 ? State.first(this.trace) : this.keyframes[frame].copy();
    while (this.state.at < events) this.state.advance(this.trace);
    return this.state;
  }
  /// Returns the step that contains `event`.
  stepOf(event) {
    let low = 0, high = this.ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ends[middle] > event) high = middle; else low = middle + 1;
    }
    return low;
  }
  firstEvent(step) { return step > 0 ? this.ends[step - 1] : 0; }
}
