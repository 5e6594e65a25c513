// SPDX-License-Identifier: MIT
// Describes a step in words.

const kExplanations = {
  launch: "A kernel is launched. Its blocks start in an order that the kernel cannot choose. It sees everything that earlier kernels wrote, because the end of a kernel is a barrier for all blocks, and the only one.",
  block: "Blocks become resident: a multiprocessor has room for them. Their shared memory is not initialized. Reading it before a thread has written it is an error.",
  load: "The lanes of a warp load together. Addresses within one line of 128 bytes cost one transaction. A loaded value is in a register, which no other lane can see.",
  sharedLoad: "The lanes load from shared memory, which all threads of the block can access. Values that other warps stored there are certain to be visible only after a barrier.",
  store: "The lanes store to global memory, where the next kernel can load the values. Neighbouring lanes that store neighbouring items fill whole lines of 128 bytes.",
  sharedStore: "The lanes store to shared memory for other threads of the block. Those may load the values after the next barrier, not before.",
  combine: "Each active lane combines two items of shared memory and stores the result. Lanes without a pair of items are idle. The stride decides how many lanes are.",
  sync: "The warp has arrived at a barrier of its block and waits until all threads of the block have arrived. After the barrier, each thread sees what the others wrote before it.",
  sync_count: "A barrier that also counts: each thread passes one bit, and all receive the number of ones. One instruction counts the selected items of a block.",
  sync_warp: "A barrier of the 32 lanes of this warp. It orders their accesses to memory. The other warps of the block do not take part.",
  ballot: "Each lane passes one bit, and every lane receives all 32 bits. The number of ones in the lanes below a lane is its rank among the selected lanes.",
  any: "Each lane passes one bit, and every lane learns whether any bit is set. No memory is accessed.",
  all: "Each lane passes one bit, and every lane learns whether all bits are set. No memory is accessed.",
  shfl: "Each lane receives the value that a lane of its choice holds in a register. A lane can give its result to the whole warp in this way, without shared memory.",
  shfl_up: "Each lane receives the value of the lane that is a fixed distance below. Five such steps, with distances 1, 2, 4, 8 and 16, scan the values of a warp.",
  shfl_down: "Each lane receives the value of the lane that is a fixed distance above. Five such steps, with distances 1, 2, 4, 8 and 16, reduce the values of a warp. Lane 0 has the result.",
  atomic: "An atomic access: no other thread can access the word between its read and its write. A counter that all blocks increase gives each block a number of its own, such as a ticket or a position in the output.",
  publish: "A tile publishes its state: one word with a status and a value, so a reader sees both or neither. With status A, the value is the sum of the tile alone. With status P, it includes all tiles before.",
  lookBack: "A warp looks back at the states of the tiles before its own, one tile per lane. It adds aggregates (A) back to the nearest inclusive prefix (P), which includes all earlier tiles.",
  backoff: "A thread waits for a value that another block will publish, and lets other threads run meanwhile. The wait ends only if that block is resident. For this reason blocks draw their tiles from a counter when they start.",
  fence: "A fence orders the accesses of this thread. A thread that sees what this one writes after the fence also sees what it wrote before. A fence does not wait for other threads.",
  end: "Threads return from the kernel. Once all threads of a block have returned, another block can take its place.",
};

const kVerbs = {load: "load", store: "store", atomic: "change", fence: "execute a fence",
  backoff: "back off", end: "return", sync: "wait in sync()", sync_count: "wait in sync_count()",
  sync_warp: "wait in the warp's sync()", ballot: "call ballot()", any: "call any()", all: "call all()",
  shfl: "call shfl()", shfl_up: "call shfl_up()", shfl_down: "call shfl_down()"};

/// Returns the singular of a verb: "loads" for "load", "waits in sync()" for "wait in sync()".
const singular = (verb) => verb.replace(/^\w+/, (word) => word + (word.endsWith("s") ? "es" : "s"));

/// Returns sorted numbers in short form: "0–31", "0, 1, 5", "0–62 by 2".
function ranges(numbers) {
  if (numbers.length > 2) {
    const stride = numbers[1] - numbers[0];
    if (stride > 0 && numbers.every((n, i) => n === numbers[0] + i * stride))
      return `${numbers[0]}–${numbers.at(-1)}` + (stride > 1 ? ` by ${stride}` : "");
  }
  const parts = [];
  for (let i = 0; i < numbers.length;) {
    let j = i;
    while (j + 1 < numbers.length && numbers[j + 1] === numbers[j] + 1) ++j;
    parts.push(j > i + 1 ? `${numbers[i]}–${numbers[j]}` : numbers.slice(i, j + 1).join(", "));
    i = j + 1;
  }
  return parts.length > 4 ? parts.slice(0, 3).join(", ") + ", …" : parts.join(", ");
}

const cellName = (trace, region, cells) =>
  `${trace.regions[region].name}[${ranges([...new Set(cells)].sort((a, b) => a - b))}]`;
const cellOf = (trace, region, offset) =>
  Math.floor(offset / (region === 0 ? 4 : kCellBytes[trace.regions[region].cells]));

/// Returns the accesses and calls of a step, grouped by operation: accesses first, otherwise in the
/// order of their first event.
function groupsOf(film, step) {
  const {trace} = film, e = trace.events, groups = new Map();
  for (let i = film.firstEvent(step); i < film.ends[step]; ++i) {
    const id = e.operation[i];
    if (!groups.has(id)) groups.set(id, {what: trace.operations[id], events: []});
    groups.get(id).events.push(i);
  }
  // Lanes leave a call one after the other, so one may already be at the next call.
  const order = ({what}) => isAccess(what.kind) ? 0 : 1;
  return [...groups.values()].sort((a, b) => order(a) - order(b));
}

/// Returns the largest number of different words of one bank that lanes access at once; 1 means no
/// conflict.
function bankConflict(film, group) {
  const e = film.trace.events, turns = new Map();  // the n-th access of each lane
  let worst = 1;
  const seen = new Map();
  for (const i of group.events) {
    const turn = seen.get(e.thread[i]) ?? 0;
    seen.set(e.thread[i], turn + 1);
    if (!turns.has(turn)) turns.set(turn, new Map());
    const word = e.offset[i] >> 2, banks = turns.get(turn), bank = word % 32;
    if (!banks.has(bank)) banks.set(bank, new Set());
    worst = Math.max(worst, banks.get(bank).add(word).size);
  }
  return worst;
}

function linesOf(film, group) {
  const lines = new Set(group.events.map((i) => film.trace.events.offset[i] >> 7));
  return lines.size;
}

function factsOf(film, step) {
  const {trace} = film, e = trace.events, first = film.firstEvent(step);
  const kind = film.kind(first);
  if (kind === "launch") {
    const launch = trace.launches[e.low[first]];
    return `Launch ${e.low[first] + 1} of ${trace.launches.length}: ${shortKernel(launch.kernel)}, ` +
      `${launch.blocks} block${launch.blocks > 1 ? "s" : ""} of ${launch.threads} threads.`;
  }
  if (kind === "block") {
    const blocks = [];
    for (let i = first; i < film.ends[step]; ++i) if (film.kind(i) === "block") blocks.push(e.low[i]);
    if (blocks.length === film.ends[step] - first) return blocks.length > 1 ? `Blocks ${ranges(blocks)} start.` : `Block ${blocks[0]} starts.`;
  }
  const parts = [];
  for (const {what, events} of groupsOf(film, step)) {
    if (what.kind === "block" || what.kind === "launch") continue;
    const lanes = [...new Set(events.map((i) => e.thread[i] & 31))].sort((a, b) => a - b);
    let text = (lanes.length > 1 ? "lanes " : "lane ") + ranges(lanes) + " ";
    const verb = what.kind === "atomic" && !events.some((i) => film.changes[i]) ? "read" : kVerbs[what.kind];
    text += lanes.length > 1 ? verb : singular(verb);
    if (what.kind === "atomic") text += " atomically";
    if (isAccess(what.kind)) {
      text += " " + cellName(trace, what.region, events.map((i) => cellOf(trace, what.region, e.offset[i])));
      if (what.region === 0) {
        const conflict = bankConflict(film, {what, events});
        if (conflict > 1) text += ` (${conflict}-way bank conflict)`;
      } else if (lanes.length > 1) {
        const lines = linesOf(film, {what, events});
        text += ` (${lines} line${lines > 1 ? "s" : ""})`;
      }
    }
    parts.push(text);
  }
  const i = first + (kind === "block" ? film.ends[step] - first - 1 : 0);
  return `Block ${e.block[i]}, warp ${e.thread[i] >> 5}: ${parts.slice(0, 6).join("; ")}${parts.length > 6 ? "; …" : ""}.`;
}

/// Returns the explanation of the most important operation of a step.
function explanationOf(film, step) {
  const groups = groupsOf(film, step), {trace} = film;
  const has = (test) => groups.some(({what}) => test(what));
  const ofStates = (what) => what.kind === "atomic" && trace.regions[what.region].cells === kTileStates;
  for (const kind of ["launch", "backoff"]) if (has((what) => what.kind === kind)) return kExplanations[kind];
  if (has(ofStates)) {
    const reads = groups.some(({what, events}) => ofStates(what) && events.some((i) => !film.changes[i]));
    return kExplanations[reads ? "lookBack" : "publish"];
  }
  for (const kind of ["ballot", "any", "all", "sync_count", "shfl_up", "shfl_down"])
    if (has((what) => what.kind === kind)) return kExplanations[kind];
  if (has((what) => what.kind === "atomic")) return kExplanations.atomic;
  const sharedLoad = has((w) => w.kind === "load" && w.region === 0);
  const sharedStore = has((w) => w.kind === "store" && w.region === 0);
  if (sharedLoad && sharedStore) return kExplanations.combine;
  if (has((w) => w.kind === "store" && w.region !== 0)) return kExplanations.store;
  if (sharedStore) return kExplanations.sharedStore;
  if (has((w) => w.kind === "load" && w.region !== 0)) return kExplanations.load;
  if (sharedLoad) return kExplanations.sharedLoad;
  for (const kind of ["shfl", "fence", "sync_warp", "sync", "end", "block"])
    if (has((what) => what.kind === kind)) return kExplanations[kind];
  return "";
}

/// Returns the name of a kernel without namespaces and template arguments.
function shortKernel(kernel) {
  const name = kernel.replace(/<.*$/s, "");
  return name.slice(name.lastIndexOf("::") < 0 ? 0 : name.lastIndexOf("::") + 2);
}
