// The hotel. The whole trace is here, so every move is made here: no call to the server, no network.
// Top to bottom: reading a trace · playing events on a state · words · one hotel on the screen · its picture · the player.
// Ids, tokens and texts of a story come from anybody: they reach the page as text, never as markup.

const KEYFRAME = 50; // ops between kept states, for going back
const CARDS = 16; // rooms up to which each is a card with beds
const COMPACT = 128; // rooms up to which each still has its number
const PAGE = 100; // ops listed at a time
const GROUPS = 8; // tour groups, and catalogue cards below, shown at a time
const ENTRIES = 12;
const HUES = 8;
const BEAT = 900; // ms from event to event at 1×
const REDUCED = matchMedia("(prefers-reduced-motion: reduce)");
const PLACES = new Map(); // story -> place; outlives a remount, so a language or page switch loses nothing

// ---- reading a trace: the form that grader/replay/record.py writes ----

const OF_THE_OP = new Set(["seq", "prompt", "new token"]);
const FIELDS = {
  "fill register": ["block", "tag", "entry"],
  "fill duplicate": ["block", "tag", "older"],
  to_cart: ["seq", "block", "tag"],
  evict: ["seq", "block", "tag", "entry"],
  boundary: ["seq", "pos", "opens"],
  append: ["seq", "new token", "slot"],
  hit: ["seq", "i", "tag", "block"],
  share: ["seq", "block", "ref", "tag"],
  unshare: ["seq", "block", "ref"],
  take: ["seq", "block"],
  to_free: ["seq", "block"],
  revive: ["seq", "block", "tag"],
  miss: ["seq", "i", "tag"],
  limit: ["seq", "i"],
  capacity: ["seq", "needed", "available"],
  refused: ["seq", "needed", "available"],
  arrive: ["seq", "prompt"],
  leave: ["seq"],
  fill: ["seq", "block", "tag"],
  register: ["block", "tag", "entry"],
  duplicate: ["block", "tag", "older"],
  changed: ["field", "key", "old", "new"],
};

/** Numbers too wide for JavaScript travel as digits, strings that look like them with an apostrophe. */
function narrow(value) {
  if (typeof value === "string") {
    if (/^-?\d{16,}$/.test(value)) return BigInt(value);
    return /^'+-?\d{16,}$/.test(value) ? value.slice(1) : value;
  }
  if (Array.isArray(value)) return value.map(narrow);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, narrow(item)]));
}

/** One manager's trace: its events decoded when they are needed, its state at any place. */
class Tape {
  constructor(record, story) {
    this.record = record;
    this.story = story;
    this.tags = narrow(record.tags);
    this.steps = record.steps;
    this.first = new Uint32Array(this.steps.length + 1); // events before each op
    this.steps.forEach((step, op) => (this.first[op + 1] = this.first[op] + Math.max(1, step[1].length)));
    this.decoded = new Map();
    this.stories = new Map(); // tag -> what the block holds, and what comes before it
    const start = fresh(story);
    if (record.initial) this.decode(record.initial, []).forEach((event) => apply(this, start, event));
    else outside(start, narrow(record.opening), []);
    this.keys = [{ at: 0, state: start }];
    this.state = copy(start);
    this.at = 0;
  }

  get total() {
    return this.first[this.steps.length];
  }

  op(index) {
    return narrow(this.story.ops[index]);
  }

  extra(index) {
    return this.steps[index]?.[2] ?? {};
  }

  length(index) {
    return index < this.steps.length ? this.first[index + 1] - this.first[index] : 0;
  }

  /** The events of an op; one that changes nothing is one event all the same. */
  events(index) {
    let events = this.decoded.get(index);
    if (!events) {
      const op = this.op(index);
      events = this.decode(this.steps[index][1], op);
      if (this.extra(index).readable === false) events = [{ kind: "outside", op }];
      else if (!events.length) events = [{ kind: "question", op }];
      if (this.decoded.size > 200) this.decoded.clear();
      this.decoded.set(index, events);
    }
    return events;
  }

  explained(index) {
    return this.decode(this.extra(index).explained ?? [], this.op(index));
  }

  decode(rows, op) {
    return rows.map((row) => {
      const name = this.record.kinds[row[0]];
      const event = { kind: name.split(" ").pop(), filled: name.startsWith("fill "), op, entry: true, opens: false };
      let at = 1;
      for (const field of FIELDS[name]) {
        if (field === "seq") event.seq = op[1];
        else if (field === "prompt") event.tokens = op[2];
        else if (field === "new token") event.token = op[2];
        else if (at < row.length) event[field] = field === "tag" ? this.tags[row[at++]] ?? null : narrow(row[at++]);
      }
      return event;
    });
  }

  /** Brings the state to where `count` events of op `index` have been played. */
  seek(index, count) {
    const target = index < this.steps.length ? this.first[index] + Math.min(count, this.length(index)) : this.total;
    let key = this.keys[0];
    for (const one of this.keys) if (one.at <= target) key = one;
    if (target < this.at || key.at > this.at) {
      this.state = copy(key.state);
      this.state.touched = null; // all of it
      this.at = key.at;
    }
    let op = locate(this.first, this.at);
    while (this.at < target) {
      const events = this.events(op);
      const from = this.at - this.first[op];
      const to = Math.min(events.length, target - this.first[op]);
      for (let i = from; i < to; i++) this.play(op, events[i], i, i === events.length - 1);
      this.at = this.first[op] + to;
      if (to === events.length) op++;
      if (op % KEYFRAME === 0 && to === events.length && this.at > this.keys.at(-1).at)
        this.keys.push({ at: this.at, state: copy(this.state) });
    }
  }

  play(op, event, i, last) {
    const state = this.state;
    if (i === 0) {
      for (const block of state.evicted) touch(state, block);
      state.evicted = new Set();
    }
    if (state.change) touch(state, state.change.block);
    state.change = null;
    const extra = this.extra(op);
    if (event.kind === "outside") {
      guestsNote(state, event.op, this.steps[op][0]);
      outside(state, narrow(extra.view), event.op);
    } else apply(this, state, event);
    if (last && state.readable) {
      state.view = extra.view ? narrow(extra.view) : null;
      state.said = state.view?.num_free_blocks ?? null;
    }
  }
}

/** The op that holds event number `at`, counted from 0, where `first` says how many events come before each. */
function locate(first, at) {
  let low = 0;
  let high = first.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (first[middle] <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

// ---- the state, and what events do to it: the same as grader/replay/events.py. Rows are replaced, never changed ----

function fresh(story) {
  const rooms = story.num_blocks;
  const every = (value) => Array.from({ length: rooms }, () => value);
  return {
    size: story.block_size, rooms, cache: story.enable_prefix_cache !== false, readable: true,
    free: every(0).map((_, block) => block), cart: [], ref: every(0), hash: every(null), map: new Map(),
    tables: new Map(), tokens: new Map(), chain: new Map(), cached: new Map(), content: every([]), guests: every([]),
    evicted: new Set(), change: null, said: null, view: null, lost: false, touched: null,
  };
}

function copy(state) {
  const twin = { ...state, touched: null, evicted: new Set(state.evicted) };
  for (const name of ["free", "cart", "ref", "hash", "content", "guests"]) twin[name] = state[name].slice();
  for (const name of ["map", "tables", "tokens", "chain", "cached"]) twin[name] = new Map(state[name]);
  return twin;
}

const touch = (state, block) => state.touched?.add(block);
const without = (row, item) => row.filter((one) => one !== item);

function setRef(state, block, ref) {
  state.change = { block, from: state.ref[block], to: ref };
  state.ref[block] = ref;
}

function moveIn(state, seq, block) {
  state.tables.set(seq, [...(state.tables.get(seq) ?? []), block]);
  state.guests[block] = [...state.guests[block], seq];
}

function moveOut(state, seq, block) {
  const at = state.guests[block].indexOf(seq);
  state.guests[block] = state.guests[block].filter((_, i) => i !== at);
}

function open(state, event) {
  const { seq, block } = event;
  const from = (state.tables.get(seq)?.length ?? 0) * state.size;
  setRef(state, block, 1);
  state.content[block] = (state.tokens.get(seq) ?? []).slice(from, from + state.size);
  moveIn(state, seq, block);
}

function hit(state, event) {
  moveIn(state, event.seq, event.block);
  state.chain.set(event.seq, [...state.chain.get(event.seq), event.tag]);
  state.cached.set(event.seq, state.cached.get(event.seq) + state.size);
}

function give(state, event, queue) {
  setRef(state, event.block, 0);
  moveOut(state, event.seq, event.block);
  if (queue === "cart") state.cart = without(state.cart, event.block);
  state[queue].push(event.block);
}

/** A full block: the chain of its sequence grows, and its tag gets a story that people can read. */
function fill(tape, state, event) {
  const seq = event.seq ?? event.op[1];
  const chain = state.chain.get(seq) ?? [];
  const tokens = state.tokens.get(seq) ?? [];
  const from = chain.length * state.size;
  tape.stories.set(event.tag, { tokens: tokens.slice(from, from + state.size), before: tokens.slice(0, from) });
  state.chain.set(seq, [...chain, event.tag]);
}

const APPLY = {
  arrive(state, { seq, tokens }) {
    state.tables.set(seq, []);
    state.tokens.set(seq, tokens);
    state.chain.set(seq, []);
    state.cached.set(seq, 0);
  },
  share(state, event) {
    setRef(state, event.block, event.ref);
    hit(state, event);
  },
  revive(state, event) {
    state.cart = without(state.cart, event.block);
    setRef(state, event.block, 1);
    hit(state, event);
  },
  take(state, event) {
    const at = state.free.indexOf(event.block);
    if (at >= 0) state.free.splice(at, 1);
    open(state, event);
  },
  evict(state, event) {
    const { block, tag, entry } = event;
    state.cart = without(state.cart, block);
    state.hash[block] = null;
    if (entry && tag !== null) state.map.delete(tag);
    event.left = tag !== null && state.map.get(tag) === block;
    state.evicted.add(block);
    open(state, event);
  },
  append(state, event) {
    event.block = Math.floor(event.slot / state.size);
    state.tokens.set(event.seq, [...state.tokens.get(event.seq), event.token]);
    state.content[event.block] = [...state.content[event.block], event.token];
  },
  register(state, { block, tag, entry }) {
    state.hash[block] = tag;
    if (entry) state.map.set(tag, block);
  },
  unshare(state, event) {
    setRef(state, event.block, event.ref);
    moveOut(state, event.seq, event.block);
  },
  to_free: (state, event) => give(state, event, "free"),
  to_cart: (state, event) => give(state, event, "cart"),
  leave(state, { seq }) {
    for (const block of state.tables.get(seq) ?? []) {
      moveOut(state, seq, block);
      touch(state, block);
    }
    for (const name of ["tables", "tokens", "chain", "cached"]) state[name].delete(seq);
  },
  changed(state, { field, key, new: value }) {
    const name = { free_list: "free", evictable: "cart", block_hash: "hash", hash_to_block: "map", hashes: "chain" }[field] ?? field;
    if (name === "free" || name === "cart") state[name] = value.slice();
    else if (Array.isArray(state[name])) state[name][key] = value;
    else if (value === null) state[name].delete(key);
    else state[name].set(key, value);
    if (name === "tables") settle(state);
    state.touched = null;
  },
};

function apply(tape, state, event) {
  if (event.kind === "fill" || event.filled) fill(tape, state, event);
  APPLY[event.kind]?.(state, event);
  if (event.block !== undefined) touch(state, event.block);
}

/** Who lives where, from the tables alone. */
function settle(state) {
  state.guests = state.guests.map(() => []);
  for (const [seq, table] of state.tables)
    for (const block of table) if (state.guests[block]) state.guests[block] = [...state.guests[block], seq];
}

/** What the caller knows of a sequence's tokens when the inside of the manager cannot be read. */
function guestsNote(state, [name, seq, given], result) {
  if (name === "allocate" && Array.isArray(result)) state.tokens.set(seq, given);
  else if (name === "append_slot" && Number.isInteger(result)) state.tokens.set(seq, [...(state.tokens.get(seq) ?? []), given]);
  else if (name === "free" && result === null) state.tokens.delete(seq);
}

/** From here the state is only what public calls tell: `change` is what is different in the view. */
function outside(state, change) {
  if (state.readable) {
    merge(state, state.view);
    Object.assign(state, { readable: false, free: [], cart: [], map: new Map(), hash: state.hash.map(() => null), view: null });
    state.said ??= state.rooms - new Set([...state.tables.values()].flat()).size;
  }
  merge(state, change);
  settle(state);
  state.content = state.content.map(() => []);
  for (const [seq, table] of state.tables)
    table.forEach((block, i) => {
      if (block in state.content) state.content[block] = (state.tokens.get(seq) ?? []).slice(i * state.size, (i + 1) * state.size);
    });
  state.ref = state.guests.map((guests) => guests.length);
  state.touched = null;
}

function merge(state, change) {
  state.lost = Boolean(change?.lost);
  if (!change || change.lost) return;
  if (change.num_free_blocks !== undefined) state.said = change.num_free_blocks;
  for (const name of ["tables", "cached"])
    for (const [seq, value] of change[name] ?? []) value === null ? state[name].delete(seq) : state[name].set(seq, value);
}

/** free, used, shared, cart; lost: in no list at all; unknown: an empty room of a manager seen from outside. */
function kindOf(state, block, queues) {
  const guests = state.guests[block].length;
  if (!state.readable) return guests ? (guests > 1 ? "shared" : "used") : "unknown";
  if (queues.cart.has(block)) return "cart";
  if (state.ref[block] === 0 && !guests) return queues.free.has(block) ? "free" : "lost";
  return state.ref[block] > 1 ? "shared" : "used";
}

// ---- words ----

const isRefused = (result) => Boolean(result && result.refused === true);

/** A value as people read it: None, True, [0 1 2]. */
function text(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${brief(value)}]`;
  if (typeof value !== "object") return String(value);
  if ("raise" in value) return value.text ? `${value.raise[0]}: ${value.text}` : String(value.raise[0]);
  if ("odd" in value) return `${value.odd} ${value.text ?? ""}`.trim();
  if ("trouble" in value) return String(value.trouble);
  return "—";
}

/** A list cut in the middle. */
function brief(list, most = 14) {
  if (list.length <= most) return list.map((item) => text(item)).join(" ");
  return `${list.slice(0, most - 4).map(text).join(" ")} … ${list.slice(-3).map(text).join(" ")}`;
}

/** An id that cannot be mistaken: 7 is a number, "7" and "" are texts. */
const name = (seq) => (typeof seq === "string" && !/^[^\s\d"'][^\s]*$/.test(seq) ? JSON.stringify(seq) : String(seq));
const short = (tag) => (tag === null || tag === undefined ? "—" : `#${tag.replace(/'/g, "").slice(0, 4)}${/'*$/.exec(tag)[0]}`);

function opText([kind, ...args], most = 14) {
  return [kind, ...args.map((arg, i) => (i === 0 && kind !== "can_allocate" ? name(arg) : Array.isArray(arg) ? `[${brief(arg, most)}]` : text(arg)))].join(" ");
}

class Words {
  constructor(words) {
    this.words = words;
  }

  fill(template, args) {
    return template.replace(/\{(\w+)\}/g, (hole, key) => (key in args ? String(args[key]) : hole));
  }

  ui(key, args = {}) {
    const template = this.words.ui[key] ?? key;
    return this.fill(Array.isArray(template) ? template[args.n === 1 ? 0 : 1] : template, args);
  }

  /** “3 4 after 1 2” */
  quote(tokens, before) {
    const tail = before.length > 4 ? `… ${before.slice(-3).join(" ")}` : before.join(" ");
    return this.ui(before.length ? "quote.after" : "quote", { tokens: brief(tokens, 8), before: tail });
  }

  /** An event's [short form, what, why]. `state` is the one right after it, if it is the last one played. */
  event(tape, index, event, state) {
    const { size } = state;
    const result = tape.steps[index]?.[0];
    const args = { ...event, size, seq: name(event.seq ?? event.op[1]), tag: short(event.tag), result: text(narrow(result)), call: opText(event.op, 8) };
    let kind = event.kind;
    if (kind === "question" || kind === "outside") {
      kind = this.question(event, result, args, state, tape);
    } else if (kind === "hit" || kind === "miss" || kind === "limit") {
      const tokens = event.op[2];
      args.story = this.quote(tokens.slice(event.i * size, (event.i + 1) * size), tokens.slice(0, event.i * size));
    } else if (kind === "share" || kind === "revive") {
      const i = (state.tables.get(event.seq)?.length ?? 1) - 1;
      args.story = this.quote(state.content[event.block] ?? [], (state.tokens.get(event.seq) ?? []).slice(0, i * size));
      args.old = kind === "share" ? event.ref - 1 : 0;
    } else if (kind === "capacity") kind += event.needed <= event.available ? ".yes" : ".no";
    else if (kind === "boundary") {
      args.i = Math.floor(event.pos / size);
      kind += event.opens ? ".new" : ".old";
    } else if (kind === "evict") kind += event.entry ? ".torn" : event.left ? ".left" : ".other";
    else if (kind === "append") {
      args.block = Math.floor(event.slot / size);
      args.bed = event.slot % size;
      args.pos = (state.tokens.get(event.seq)?.length ?? 1) - 1;
    } else if (kind === "register") {
      args.older = state.map.get(event.tag);
      kind += event.entry ? ".card" : ".copy";
    } else if (kind === "unshare") args.old = event.ref + 1;
    else if (kind === "changed") {
      args.field = event.key === null ? event.field : `${event.field}[${event.field === "hash_to_block" ? short(event.key) : text(event.key)}]`;
      const show = (value) => (event.field === "block_hash" && value !== null ? short(value) : text(value));
      args.from = show(event.old);
      args.to = show(event.new);
    }
    return this.words.events[kind].map((template) => this.fill(template, args));
  }

  /** Which sentence fits an op that changes nothing, or nothing that can be seen. */
  question(event, result, args, state, tape) {
    const [call, subject, pos] = event.op;
    if (result && typeof result === "object" && !Array.isArray(result)) {
      if ("skip" in result) return "skip";
      if ("trouble" in result) return "lost";
      if ("raise" in result) return isRefused(result) ? "refused" : "raised";
    }
    if (event.kind === "outside") return "outside";
    const { size } = state;
    Object.assign(args, { free: state.free.length, cart: state.cart.length, tokens: subject });
    if (call === "num_free_blocks" || call === "num_cached_tokens") return call;
    if (call === "can_allocate") {
      Object.assign(args, { needed: Math.ceil(Number(subject) / size), free: state.free.length + state.cart.length });
      return call;
    }
    if (call === "slot" && Number.isInteger(result)) {
      Object.assign(args, { pos, block: Math.floor(result / size), bed: result % size });
      return call;
    }
    return "question";
  }
}

// ---- the page ----

function el(tag, cls = "", content = "") {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  if (content !== "") node.textContent = content;
  return node;
}

function say(node, content) {
  if (node.textContent !== content) node.textContent = content;
}

function icon(id) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#kvh-${id}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** Makes the children of `box` those of `items`, touching only what is new, gone or moved. */
function keyed(box, items, keyOf, make, update) {
  const old = (box.rows ??= new Map());
  const now = new Map(items.map((item) => [keyOf(item), item]));
  for (const [key, node] of old) {
    if (now.has(key)) continue;
    node.remove();
    old.delete(key);
  }
  let at = box.firstElementChild;
  for (const [key, item] of now) {
    let node = old.get(key);
    if (!node) old.set(key, (node = make(item)));
    update(node, item);
    if (node === at) at = at.nextElementSibling;
    else box.insertBefore(node, at);
  }
}

const cut = (list, head, tail) => (list.length <= head + tail + 1 ? [list, 0, []] : [list.slice(0, head), list.length - head - tail, list.slice(-tail)]);

/** One manager's hotel: rooms, queues, groups, catalogue. Shows `tape.state`. */
class Hotel {
  constructor(player, tape, who) {
    this.player = player;
    this.words = player.words;
    this.tape = tape;
    this.node = player.stamp("pane");
    this.side = player.stamp("side");
    this.part = (key) => this.node.querySelector(`[data-part="${key}"]`) ?? this.side.querySelector(`[data-part="${key}"]`);
    this.part("manager").hidden = !who;
    this.part("manager").textContent = who;
    this.layout = tape.state.rooms <= CARDS ? "cards" : tape.state.rooms <= COMPACT ? "compact" : "dense";
    this.kinds = [];
    this.counts = { used: 0, shared: 0, cart: 0, free: 0, lost: 0, unknown: 0 };
    this.lit = new Set(); // rooms that were painted for the current event only
    this.build();
  }

  build() {
    const { rooms, size } = this.tape.state;
    const box = this.part("rooms");
    box.classList.add(this.layout);
    box.style.setProperty("--beds", size <= 4 ? size : 4);
    this.rooms = [];
    for (let block = 0; block < rooms; block++) {
      if (this.layout === "dense" && block % 16 === 0) {
        const label = el("li", block % 32 ? "label half" : "label", String(block));
        label.setAttribute("aria-hidden", "true");
        box.append(label);
      }
      const room = el("li", "room");
      room.dataset.room = block;
      if (this.layout === "dense") room.cell = room;
      else this.furnish(room, block, size);
      this.rooms.push(room);
      box.append(room);
    }
    this.legend = {};
    for (const kind of Object.keys(this.counts)) {
      const item = el("span", `key ${kind}`);
      const number = el("b");
      item.append(icon(kind === "unknown" ? "free" : kind), number, " ", this.words.ui(kind));
      this.legend[kind] = { item, number };
      this.part("legend").append(item);
    }
  }

  furnish(room, block, size) {
    const door = el("button", "door");
    room.state = el("span", "state");
    door.append(el("b", "", String(block)), room.state);
    room.append((room.door = door));
    room.who = el("div", "who");
    if (this.layout === "cards") {
      const beds = el("div", "beds");
      for (let i = 0; i < size; i++) {
        const bed = el("button", "bed");
        bed.tabIndex = -1;
        bed.dataset.bed = i;
        beds.append(bed);
      }
      room.beds = [...beds.children];
      room.tag = el("span", "tag");
      room.append(beds, room.who, room.tag);
    } else {
      room.bar = el("i", "bar");
      room.append(room.bar, room.who);
    }
  }

  paint(all) {
    const state = this.tape.state;
    const queues = { free: new Set(state.free), cart: new Set(state.cart) };
    if (all || state.touched === null) for (let block = 0; block < state.rooms; block++) this.room(state, block, queues);
    else for (const block of new Set([...state.touched, ...this.lit, ...state.evicted])) this.room(state, block, queues);
    state.touched = new Set();
    this.lit = new Set(state.evicted);
    if (state.change) this.lit.add(state.change.block);
    for (const [kind, { item, number }] of Object.entries(this.legend)) {
      item.hidden = !this.counts[kind] && (kind === "lost" || (kind === "unknown") === state.readable || (!state.readable && (kind === "free" || kind === "cart")));
      say(number, String(this.counts[kind]));
    }
    this.node.querySelector(".queues").hidden = !state.readable;
    this.queue("free", state.free);
    this.queue("cart", state.cart);
    const note = state.readable ? "" : this.words.ui(state.lost ? "view.lost" : "outside");
    this.part("outside").hidden = !note;
    say(this.part("outside"), note);
    const said = this.part("says");
    said.hidden = state.said === null;
    if (state.said !== null) say(said, this.words.ui("says.free", { n: state.said }));
    this.groups(state);
    this.cards(state);
  }

  /** Everything of a room that can be seen, and only if it is not what is there already. */
  room(state, block, queues) {
    const room = this.rooms[block];
    const kind = kindOf(state, block, queues);
    const ref = state.ref[block];
    const change = state.change?.block === block && state.change.from !== ref ? state.change : null;
    const evicted = state.evicted.has(block);
    const guests = state.guests[block];
    const tokens = kind === "free" || kind === "unknown" ? [] : state.content[block];
    const tag = state.hash[block];
    const seen = [kind, ref, change?.from, evicted, guests.map(name).join(), tokens.join(), tag].join("|");
    if (room.seen === seen) return;
    room.seen = seen;
    if (this.kinds[block]) this.counts[this.kinds[block]]--;
    this.counts[kind]++;
    this.kinds[block] = kind;
    room.dataset.state = kind;
    room.classList.toggle("evicted", evicted);
    const counted = state.readable && (ref > 0 || guests.length || change);
    const refs = !counted ? "" : change ? this.words.ui("ref.change", { old: change.from, ref }) : this.words.ui("ref", { ref });
    const label = [this.words.ui(kind), refs].filter(Boolean).join(" · ") + (evicted ? ` · ${this.words.ui("evicted")}` : "");
    if (room.cell) {
      room.textContent = kind === "shared" ? String(Math.min(ref, 99)) : "";
      room.setAttribute("aria-label", `${this.words.ui("room", { block })}, ${label}`);
      room.style.setProperty("--a", this.player.hue(guests[0]));
      return;
    }
    room.style.setProperty("--a", this.player.hue(guests[0]));
    room.style.setProperty("--b", this.player.hue(guests[guests.length > 1 ? 1 : 0]));
    room.who.replaceChildren(...guests.slice(0, 6).map((seq) => this.badge(seq)));
    if (guests.length > 6) room.who.append(this.words.ui("more", { n: guests.length - 6 }));
    if (this.layout === "compact") {
      room.state.replaceChildren(icon(evicted ? "evicted" : kind === "unknown" ? "free" : kind), change ? `${change.from}→${ref}` : counted ? String(ref) : "");
      room.door.setAttribute("aria-label", `${this.words.ui("room", { block })}, ${label}`);
      room.bar.style.setProperty("--full", tokens.length / state.size);
      return;
    }
    room.state.replaceChildren(icon(kind === "unknown" ? "free" : kind), `${this.words.ui(kind)}${refs ? " · " : ""}`);
    if (refs) room.state.append(el(change ? "strong" : "span", "", refs));
    room.beds.forEach((bed, i) => {
      say(bed, i < tokens.length ? String(tokens[i]) : "·");
      bed.title = this.words.ui("bed", { bed: i, token: i < tokens.length ? tokens[i] : this.words.ui("empty.bed") });
      bed.classList.toggle("vacant", i >= tokens.length);
    });
    if (kind === "cart") room.who.replaceChildren(this.words.ui("waiting"));
    if (evicted) {
      const mark = el("span", "just", this.words.ui("evicted"));
      mark.prepend(icon("evicted"));
      room.who.append(mark);
    }
    room.tag.hidden = tag === null;
    say(room.tag, tag === null ? "" : short(tag));
  }

  badge(seq) {
    const badge = el("span", "badge", name(seq));
    badge.style.setProperty("--a", this.player.hue(seq));
    return badge;
  }

  queue(which, blocks) {
    const [head, hidden, tail] = cut(blocks, 12, 3);
    const items = [...head, ...(hidden ? [{ hidden }] : []), ...tail, ...(blocks.length ? [] : [{ empty: true }])];
    const counts = new Map();
    const keys = items.map((item) => {
      if (typeof item !== "number") return item.empty ? "empty" : "hidden";
      counts.set(item, (counts.get(item) ?? 0) + 1); // a broken manager queues a room twice
      return counts.get(item) > 1 ? `${item}/${counts.get(item)}` : item;
    });
    const rows = items.map((item, i) => [keys[i], item]);
    keyed(this.part(which), rows, (row) => row[0], ([, item]) => {
      if (typeof item !== "number") return el("li", "gap");
      const chip = el("li", `chip ${which}`, String(item));
      chip.dataset.room = item;
      return chip;
    }, (node, [, item]) => {
      if (item.hidden) say(node, this.words.ui("more", { n: item.hidden }));
      if (item.empty) say(node, this.words.ui("nothing"));
    });
  }

  /** Those who live here, and whoever stands at the door of the op that is being played. */
  groups(state) {
    const { op, event, done } = this.player.now(this.tape);
    const rows = [...state.tables.keys()].map((seq) => ({ seq }));
    const arriving = op?.[0] === "allocate" && !state.tables.has(op[1]) && event?.kind !== "question" && event?.kind !== "outside";
    if (arriving) rows.push({ seq: op[1], door: event.kind === "refused" || done ? "turned.away" : "at.door", tokens: op[2] });
    let shown = rows;
    if (rows.length > GROUPS) {
      const wanted = new Set([...rows.slice(1 - GROUPS).map((row) => row.seq), op?.[1]]);
      shown = rows.filter((row) => wanted.has(row.seq));
    }
    const hidden = rows.length - shown.length;
    this.part("no-groups").hidden = rows.length > 0;
    this.part("more-groups").hidden = !hidden;
    if (hidden) say(this.part("more-groups"), this.words.ui("more", { n: hidden }));
    keyed(this.part("groups"), shown, (row) => row.seq, (row) => {
      const node = el("li", "group");
      const head = el("div", "row");
      node.rooms = el("span", "small at");
      head.append(this.badge(row.seq), node.rooms);
      node.tokens = el("div", "tokens");
      node.note = el("p", "small");
      node.append(head, node.tokens, node.note);
      node.seq = row.seq;
      return node;
    }, (node, row) => this.group(node, row, state, event, done));
  }

  group(node, { seq, door, tokens: prompt }, state, event, done) {
    const tokens = prompt ?? state.tokens.get(seq) ?? [];
    const table = state.tables.get(seq) ?? [];
    const cached = state.cached.get(seq) ?? 0;
    const arriving = !done && event?.op[0] === "allocate" && event.op[1] === seq;
    const latest = event && event.seq === seq ? event.block : undefined;
    const seen = [table, tokens, cached, door, arriving, latest];
    if (node.seen?.every((one, i) => one === seen[i])) return;
    node.seen = seen;
    node.classList.toggle("pending", Boolean(door));
    node.rooms.replaceChildren();
    if (door) node.rooms.append(this.words.ui(door));
    else {
      const [before, after] = this.words.ui("at.rooms").split("{rooms}");
      const missing = arriving ? Math.max(0, Math.ceil(tokens.length / state.size) - table.length) : 0;
      const [head, hidden, tail] = cut(table, 9, 3);
      const rooms = [...head, ...(hidden ? ["…"] : []), ...tail, ...Array(Math.min(missing, 4)).fill("?")];
      node.rooms.append(before);
      rooms.forEach((block, i) => node.rooms.append(i ? " · " : "", block === latest ? el("b", "", String(block)) : String(block)));
      node.rooms.append(after);
    }
    const [head, hidden, tail] = cut(tokens.map((token, pos) => [token, pos]), 26, 4);
    const rows = [...head, ...(hidden ? [[`…${hidden}…`, -1]] : []), ...tail];
    keyed(node.tokens, rows, (row) => row[1], ([, pos]) => {
      const token = el(pos < 0 ? "span" : "button", pos < 0 ? "gap" : "token");
      if (pos >= 0) token.dataset.pos = pos;
      return token;
    }, (token, [value, pos]) => {
      say(token, String(value));
      token.classList.toggle("cached", pos >= 0 && pos < cached);
      if (pos >= 0) token.title = this.words.ui("token", { token: value, pos }) + (pos < cached ? ` · ${this.words.ui("from.cache")}` : "");
    });
    node.note.hidden = Boolean(door) || !state.cache;
    say(node.note, this.words.ui(arriving ? "cached.so.far" : "cached", { n: cached }));
  }

  cards(state) {
    const rows = [...state.map];
    const hidden = Math.max(0, rows.length - ENTRIES);
    say(this.part("no-cards"), this.words.ui(state.cache ? "no.cards" : "no.catalogue"));
    this.part("no-cards").hidden = rows.length > 0;
    this.part("more-cards").hidden = !hidden;
    if (hidden) say(this.part("more-cards"), this.words.ui("more", { n: hidden }));
    keyed(this.part("cards"), rows.slice(hidden), (row) => row[0], ([tag]) => {
      const node = el("li", "card");
      node.text = el("span");
      node.append(el("span", "hash", short(tag)), node.text);
      return node;
    }, (node, [tag, block]) => {
      const story = this.tape.stories.get(tag);
      const stale = state.hash[block] !== tag;
      const tokens = `${story?.before.length ? "… " : ""}${brief(story?.tokens ?? state.content[block] ?? [], 6)}`;
      const content = this.words.ui("leads", { tokens, block }) + (stale ? ` · ${this.words.ui("stale")}` : "");
      node.dataset.room = block;
      node.classList.toggle("stale", stale);
      say(node.text, content);
    });
  }

  // What moves in an event: where it starts is measured before the page changes, where it ends after.
  moves(event) {
    const at = (node) => node?.getBoundingClientRect();
    const { block, tag, seq } = event;
    const room = this.rooms[block];
    const chip = (queue) => this.part(queue).rows?.get(block) ?? this.part(queue);
    const group = () => this.part("groups").rows?.get(seq)?.querySelector(".badge");
    const card = () => this.part("cards").rows?.get(tag)?.firstElementChild;
    const guest = () => room?.querySelector(".badge:last-of-type") ?? room;
    const moves = [];
    const move = (cls, content, from, to) => moves.push({ cls, content, from: at(from), to, hue: this.player.hue(seq) });
    if (event.kind === "take") move("key", String(block), chip("free"), () => room);
    if (event.kind === "revive" || event.kind === "evict") move("book", String(block), chip("cart"), () => room);
    if (["take", "revive", "evict", "share"].includes(event.kind)) move("guests", name(seq), group(), guest);
    if (event.kind === "evict" && event.entry) move("torn", short(tag), card() ?? room?.tag ?? room, null);
    if (event.kind === "register" && event.entry) move("label", short(tag), room?.tag?.hidden === false ? room.tag : room, card);
    if (event.kind === "to_free") move("key", String(block), room, () => chip("free"));
    if (event.kind === "to_cart") move("book", String(block), room, () => chip("cart"));
    if (event.kind === "unshare") move("guests", name(seq), guest(), group);
    if (event.kind === "append") {
      const slot = Math.floor(event.slot / this.tape.state.size);
      move("guests", String(event.token), group(), () => this.rooms[slot]?.beds?.[event.slot % this.tape.state.size] ?? this.rooms[slot]);
    }
    return moves;
  }
}

// ---- the picture of a step: one SVG per call, drawn from the state, in the colours of the light theme ----

const INK = { used: ["#e3edf8", "#2f6db3"], shared: ["#f6e3db", "#a8482a"], cart: ["#fdf6e3", "#b07a12"], free: ["none", "#b9b7ae"], lost: ["none", "#b3261e"], unknown: ["none", "#b9b7ae"] };

function picture(hotels, words, title, what) {
  const escape = (value) => String(value).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const out = [];
  const write = (x, y, size, value, extra = "") => out.push(`<text x="${x}" y="${y}" font-size="${size}" ${extra}>${escape(value)}</text>`);
  const columns = hotels[0].layout === "cards" ? 4 : hotels[0].layout === "compact" ? 10 : 32;
  const wide = 640 / columns;
  const high = columns === 4 ? 78 : columns === 10 ? 40 : 20;
  let deepest = 0;
  write(20, 30, 17, title, 'font-weight="600"');
  write(20, 52, 13, what, 'fill="#5b5a55"');
  hotels.forEach((hotel, side) => {
    const { state } = hotel.tape;
    const left = 20 + side * 680;
    let y = 76;
    if (hotels.length > 1) write(left, y, 13, hotel.part("manager").textContent, 'font-weight="600"');
    for (let block = 0; block < state.rooms; block++) {
      const kind = hotel.kinds[block];
      const x = left + (block % columns) * wide;
      const top = y + 12 + Math.floor(block / columns) * high;
      const [paint, line] = INK[kind];
      out.push(`<rect x="${x + 2}" y="${top + 2}" width="${wide - 4}" height="${high - 4}" rx="4" fill="${paint}" stroke="${line}"${kind === "free" ? ' stroke-dasharray="3 2"' : ""}/>`);
      if (columns === 32) continue;
      write(x + 8, top + 18, 12, block, 'font-weight="600"');
      const ref = state.readable && state.ref[block] ? ` · ${words.ui("ref", { ref: state.ref[block] })}` : "";
      if (columns === 10) continue;
      write(x + wide - 8, top + 18, 11, words.ui(kind) + ref, 'text-anchor="end" fill="#5b5a55"');
      if (kind !== "free") write(x + 8, top + 42, 13, brief(state.content[block], 8), 'font-family="monospace"');
      write(x + 8, top + 62, 11, state.guests[block].map(name).join(" "), 'fill="#5b5a55"');
      if (state.hash[block] !== null) write(x + wide - 8, top + 62, 11, short(state.hash[block]), 'text-anchor="end" font-family="monospace"');
    }
    y += 34 + Math.ceil(state.rooms / columns) * high;
    if (state.readable) {
      write(left, y, 12, `${words.ui("free.list")}: ${brief(state.free, 24) || words.ui("nothing")}`);
      write(left, y + 20, 12, `${words.ui("cart.list")}: ${brief(state.cart, 24) || words.ui("nothing")}`);
    }
    y += 46;
    for (const [seq, table] of [...state.tables].slice(-GROUPS)) {
      write(left, y, 12, `${name(seq)}: ${words.ui("at.rooms", { rooms: brief(table, 16) })} · ${words.ui("cached", { n: state.cached.get(seq) ?? 0 })}`);
      y += 18;
    }
    deepest = Math.max(deepest, y);
  });
  const width = 680 * hotels.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${deepest + 8}" viewBox="0 0 ${width} ${deepest + 8}" font-family="system-ui, sans-serif" fill="#23221f"><rect width="100%" height="100%" fill="#fff"/>${out.join("")}</svg>`;
}

// ---- the player ----

class Player {
  constructor(root) {
    this.root = root;
    this.shown = -1; // the place on the screen
    this.timer = 0;
    this.score = { right: 0, asked: 0 };
    try {
      this.score = JSON.parse(sessionStorage.getItem("kvhotel.score")) ?? this.score;
    } catch {} // a page from a file may have no storage: the score lives as long as the page
    this.part = (key) => root.querySelector(`[data-part="${key}"]`);
    this.stop = new AbortController();
    const on = (target, type, handle) => target.addEventListener(type, handle, { signal: this.stop.signal });
    on(root, "click", (event) => this.click(event));
    on(root, "input", (event) => this.input(event));
    on(root, "change", (event) => this.input(event));
    on(document, "keydown", (event) => this.key(event));
    on(window, "kvhotel:goto", (event) => this.goto(event.detail));
    this.sizes = new ResizeObserver(() => root.classList.toggle("wide", (this.part("panes").firstElementChild?.clientWidth ?? 0) > 560));
    this.sizes.observe(this.part("panes"));
  }

  close() {
    this.pause();
    this.stop.abort();
    this.sizes.disconnect();
  }

  stamp(cls) {
    const node = this.root.querySelector(`template.${cls}`).content.firstElementChild.cloneNode(true);
    this.label(node);
    return node;
  }

  label(node) {
    for (const one of node.querySelectorAll("[data-word]")) one.textContent = this.words.ui(one.dataset.word);
    for (const one of [node, ...node.querySelectorAll("[data-aria]")]) if (one.dataset.aria) one.setAttribute("aria-label", this.words.ui(one.dataset.aria));
    for (const one of node.querySelectorAll("[data-tip]")) {
      one.title = this.words.ui(one.dataset.tip);
      if (!one.dataset.word) one.setAttribute("aria-label", one.title);
    }
  }

  /** Puts a payload on the screen; the same story again (another language, another manager) keeps its place. */
  load(payload) {
    this.pause();
    this.payload = payload;
    this.words = new Words(payload.words);
    this.story = payload.traces[0].story;
    this.tapes = payload.traces.map((record) => new Tape(record, this.story));
    this.ops = Math.max(...this.tapes.map((tape) => tape.steps.length));
    this.first = new Uint32Array(this.ops + 1);
    for (let op = 0; op < this.ops; op++) this.first[op + 1] = this.first[op] + Math.max(...this.tapes.map((tape) => tape.length(op)));
    this.total = this.first[this.ops];
    this.hues = new Map();
    for (const op of this.story.ops) if (op[0] === "allocate" && !this.hues.has(narrow(op[1]))) this.hues.set(narrow(op[1]), this.hues.size % HUES);
    this.place = `${payload.title}/${this.story.ops.length}/${JSON.stringify([this.story.num_blocks, this.story.block_size, this.story.ops.slice(0, 40)])}`;
    this.follow = null;
    this.ask = null;
    this.answered = new Set();
    this.told = undefined;
    this.found = null;
    this.chapter = -1;
    this.root.lang = payload.lang;
    this.root.hidden = false;
    this.label(this.root);
    this.root.classList.toggle("both", this.tapes.length > 1);
    say(this.part("title"), payload.title);
    say(this.part("note"), payload.note);
    say(this.part("who"), payload.who);
    const { num_blocks: rooms, block_size: beds } = this.story;
    say(this.part("pool"), this.words.ui(this.story.enable_prefix_cache === false ? "pool.off" : "pool.on", { rooms, beds }));
    this.part("notice").hidden = !payload.notice;
    say(this.part("notice"), payload.notice);
    say(this.part("said"), "");
    const names = this.tapes.length > 1 ? [payload.who, this.words.ui("reference")] : [""];
    this.hotels = this.tapes.map((tape, i) => new Hotel(this, tape, names[i]));
    this.part("panes").replaceChildren(...this.hotels.map((hotel) => hotel.node));
    if (this.hotels.length > 1) this.hotels.forEach((hotel) => hotel.node.append(hotel.side));
    this.part("right").replaceChildren(...(this.hotels.length > 1 ? [] : [this.hotels[0].side]));
    this.controls();
    const kept = PLACES.get(this.place);
    this.at = kept ? this.first[Math.min(kept.op, this.ops)] + kept.count : payload.start ?? 0;
    this.at = Math.max(0, Math.min(this.total, this.at));
    this.shown = -1;
    this.paint();
  }

  controls() {
    const { payload, words } = this;
    const button = (key) => this.root.querySelector(`[data-do="${key}"]`);
    button("link").disabled = !payload.link;
    button("link").title = payload.link ? "" : words.ui("no.link");
    button("link").hidden = Boolean(payload.offline);
    button("page").hidden = !this.root.parentNode.querySelector("template.kvh-page");
    this.root.querySelector('[data-to="differs"]').hidden = !payload.difference;
    this.part("find").hidden = this.story.num_blocks <= CARDS;
    this.part("find-room").max = this.story.num_blocks - 1;
    this.part("scrub").max = this.total;
    const parts = [...this.part("invariants").querySelectorAll("button")];
    parts.forEach((part) => part.remove());
    for (const law of ["I1", "I2", "I3", "I4", "I5"]) {
      const chip = el("button", "law");
      chip.dataset.law = law;
      chip.title = words.ui(law);
      this.part("invariants").append(chip);
    }
    const marks = [];
    if (this.ops <= 150)
      for (let op = 1; op < this.ops; op++) {
        const mark = el("i");
        mark.style.left = `${(100 * this.first[op]) / this.total}%`;
        marks.push(mark);
      }
    if (payload.difference && payload.difference.step >= 0) {
      const mark = el("i", "differs");
      mark.style.left = `${(100 * this.first[payload.difference.step + 1]) / this.total}%`;
      marks.push(mark);
    }
    this.part("marks").replaceChildren(...marks);
    const found = payload.difference && narrow(payload.difference);
    this.part("difference").hidden = !found;
    if (found) {
      const show = (value) => (found.field === "hash_to_block" ? `[${value.map(([tag, block]) => `${short(tag)}→${block}`).join(" ")}]` : Array.isArray(value?.[0]) ? value.map(([seq, row]) => `${text(seq)}: ${text(row)}`).join(", ") : text(value));
      say(this.part("difference"), words.ui("first.difference", { op: found.step + 1, field: found.field || words.ui("result"), actual: show(found.actual), expected: show(found.expected) }));
    }
    this.showScore();
  }

  hue(seq) {
    return seq === undefined ? "transparent" : `var(--g${this.hues.get(seq) ?? 0})`;
  }

  // where we are: `at` events have been played, the last of them in op `op`, of which `count` have

  where(at = this.at) {
    const op = at === 0 ? -1 : locate(this.first, at - 1);
    return { op, count: at === 0 ? 0 : at - this.first[op] };
  }

  /** What `tape` shows here: the op, its last event, and whether the op is over. */
  now(tape) {
    const { op, count } = this.where();
    if (op < 0 || op >= tape.steps.length) return { op: null, event: null, done: true };
    const events = tape.events(op);
    return { op: events[0].op, event: events[Math.min(count, events.length) - 1], done: count >= events.length };
  }

  go(at) {
    at = Math.max(0, Math.min(this.total, at));
    if (this.ask && at !== this.at) this.dismiss();
    this.at = at;
    this.frame ??= requestAnimationFrame(() => this.paint());
  }

  /** One event on, unless the next op is to be guessed first. */
  forward() {
    if (this.asks()) return false;
    this.go(this.at + 1);
    return true;
  }

  goto({ op, room }) {
    this.go(this.first[Math.max(0, Math.min(this.ops, op + 1))]);
    if (room !== null && room !== undefined) this.watch(room);
  }

  act(what, node) {
    const { op, count } = this.where();
    if (what !== "event" && what !== "play") this.pause();
    if (what === "first") this.go(0);
    else if (what === "end") this.go(this.total);
    else if (what === "back") this.go(this.at - 1);
    else if (what === "event") this.forward();
    else if (what === "op" && !this.asks()) {
      const over = op < 0 || this.at === this.first[op + 1];
      this.go(this.first[Math.min(this.ops, over ? op + 2 : op + 1)]);
    } else if (what === "backop") this.go(count > 0 && op >= 0 ? this.first[op] : 0);
    else if (what === "play") this.timer ? this.pause() : this.play();
    else if (what === "jump") this.jump(node.dataset.to);
    else if (what === "close") this.watch(null);
    else if (what === "check") this.check();
    else if (what === "watch") this.release();
    else if (["link", "picture", "page", "json"].includes(what)) this.keep(what);
  }

  play() {
    if (this.at === this.total) this.go(0);
    const beat = () => {
      if (this.at === this.total) return this.pause();
      this.timer = setTimeout(beat, BEAT / Number(this.part("speed").value));
      if (!this.forward()) this.pause(true);
    };
    this.timer = setTimeout(beat, 60);
    this.showPlay();
  }

  pause(resume = false) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.resume = resume;
    this.showPlay();
  }

  showPlay() {
    if (!this.words) return;
    const button = this.root.querySelector('[data-do="play"]');
    button.title = this.words.ui(this.timer ? "pause" : "play");
    button.setAttribute("aria-label", button.title);
    button.querySelector("use").setAttribute("href", this.timer ? "#kvh-pause" : "#kvh-play");
    this.part("what").setAttribute("aria-live", this.timer ? "off" : "polite");
  }

  /** The places of all hits, evictions and refusals; found when first asked for. */
  places() {
    if (this.found) return this.found;
    const found = { hit: [], evict: [], refused: [], differs: [] };
    const tape = this.tapes[0];
    const kinds = tape.record.kinds;
    const wanted = { share: "hit", revive: "hit", evict: "evict" };
    tape.steps.forEach(([result, rows], op) => {
      rows.forEach((row, i) => found[wanted[kinds[row[0]]]]?.push(this.first[op] + i + 1));
      if (isRefused(result)) found.refused.push(this.first[op] + tape.length(op));
    });
    const { difference } = this.payload;
    if (difference) found.differs.push(this.first[Math.max(0, difference.step + 1)]);
    return (this.found = found);
  }

  jump(to) {
    const places = this.places()[to];
    const next = places.find((at) => at > this.at) ?? places[0];
    if (next !== undefined) this.go(next);
  }

  watch(block, bed = null) {
    this.follow = block === null || !(block in this.hotels[0].rooms) ? null : { block, bed };
    this.slot = null;
    this.showFollowed();
  }

  // ---- what the learner does ----

  click(event) {
    const node = event.target.closest("button, .room, .chip, .card");
    if (!node || !this.root.contains(node)) return;
    const { dataset } = node;
    if (dataset.do) this.act(dataset.do, node);
    else if (dataset.at !== undefined) {
      this.pause();
      this.go(Number(dataset.at));
    } else if (dataset.law) this.explain(dataset.law);
    else if (dataset.pos !== undefined) this.token(node.closest(".group").seq, Number(dataset.pos), node);
    else {
      const room = node.closest("[data-room]");
      if (!room) return;
      const block = Number(room.dataset.room);
      if (this.ask && !this.ask.checked) this.pick(block);
      else this.watch(this.follow?.block === block && dataset.bed === undefined ? null : block, dataset.bed === undefined ? null : Number(dataset.bed));
    }
  }

  input(event) {
    const { target } = event;
    const { part } = target.dataset;
    if (part === "scrub" && event.type === "input") {
      this.pause();
      this.go(Number(target.value));
    } else if (part === "find-room" && event.type === "change" && target.value !== "") {
      const block = Number(target.value);
      if (this.ask && !this.ask.checked) this.pick(block);
      else this.watch(block);
    } else if (part === "guess" && event.type === "change" && !target.checked) this.dismiss();
    else if (this.ask && target.name === "cached") this.ask.cached = Number(target.value);
    else if (this.ask && target.name === "fate") this.ask.fate = target.value;
  }

  key(event) {
    const path = event.composedPath();
    const ours = path.includes(this.root) || path[0] === document.body;
    const target = path[0];
    if (!ours || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches?.("select, textarea, input:not([type=range])")) return;
    const keys = { ArrowRight: event.shiftKey ? "op" : "event", ArrowLeft: event.shiftKey ? "backop" : "back", Home: "first", End: "end" };
    let what = keys[event.key];
    if (event.key === " " && !target.matches?.("button, summary, a")) what = "play";
    if (event.key === "Escape" && this.follow) what = "close";
    if (!what) return;
    event.preventDefault();
    if (what === "event") this.pause();
    this.act(what);
  }

  explain(law) {
    const meaning = this.part("meaning");
    const content = `${law}: ${this.words.ui(law)}`;
    meaning.hidden = !meaning.hidden && meaning.textContent === content;
    say(meaning, content);
  }

  /** The slot of a token that was clicked; its bed lights up. */
  token(seq, pos) {
    const hotel = this.hotels[0];
    const { state } = hotel.tape;
    const { size } = state;
    const block = state.tables.get(seq)?.[Math.floor(pos / size)];
    const bed = pos % size;
    if (block === undefined) {
      say(this.part("said"), this.words.ui("slot.none", { pos, seq: name(seq) }));
      return;
    }
    this.watch(block, bed);
    this.slot = this.words.ui("slot.of", { pos, seq: name(seq), size, block, bed, slot: block * size + bed });
    this.showFollowed();
  }

  // ---- keeping ----

  keep(what) {
    const { story } = this;
    const file = `kv-hotel-${(this.payload.traces[0].words?.id ?? "story").replace(/[^\w-]/g, "")}`;
    const offer = (content, type, end) => {
      const link = el("a");
      link.href = URL.createObjectURL(new Blob([content], { type }));
      link.download = `${file}${end}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    };
    if (what === "json") offer(JSON.stringify(this.payload.traces[0]), "application/json", ".json");
    else if (what === "picture") offer(picture(this.hotels, this.words, this.payload.title, this.part("what").textContent), "image/svg+xml", `-${this.at}.svg`);
    else if (what === "page") {
      const shell = this.root.parentNode.querySelector("template.kvh-page").content.textContent;
      const data = JSON.stringify({ ...this.payload, start: this.at, offline: true }).replace(/</g, "\\u003c");
      offer(shell.replace("__PAYLOAD__", () => data), "text/html", ".html");
    } else {
      const url = `${location.origin}${location.pathname}?${this.payload.link}&step=${this.at}`;
      const told = (key, more = "") => say(this.part("said"), `${this.words.ui(key)} ${more}`.trim());
      if (!navigator.clipboard) told("not.copied", url);
      else navigator.clipboard.writeText(url).then(() => told("copied"), () => told("not.copied", url));
    }
    return story;
  }

  // ---- guess first ----

  /** Asks about the next op if it is to be guessed; false if there is nothing to ask. */
  asks() {
    const op = this.where().op + 1;
    if (!this.part("guess").checked || this.at !== this.first[Math.min(op, this.ops)] || op >= this.tapes[0].steps.length) return false;
    if (this.answered.has(op)) return false;
    if (this.ask) return true;
    const truth = this.truth(op);
    if (!truth) return false;
    this.ask = { op, truth, rooms: [], cached: null, fate: null, checked: false };
    this.showAsk();
    return true;
  }

  truth(op) {
    const tape = this.tapes[0];
    const [result] = tape.steps[op];
    const events = tape.events(op);
    const [call] = events[0].op;
    const kinds = events.map((event) => event.kind);
    if (!["allocate", "append_slot", "free"].includes(call) || kinds[0] === "outside") return null;
    const refused = isRefused(result);
    if (!refused && result !== null && typeof result === "object" && !Array.isArray(result)) return null; // skipped, or the end
    const count = (kind) => kinds.filter((one) => one === kind).length;
    const size = this.story.block_size;
    const fate = refused ? "refused" : count("evict") ? "evicted" : "neither";
    if (call === "free") return { rooms: events.filter((event) => /^to_/.test(event.kind)).map((event) => event.block), sorted: true };
    if (call === "append_slot") return { rooms: refused ? [] : [Math.floor(result / size)], fate };
    const cached = this.story.enable_prefix_cache === false ? undefined : refused ? null : (count("share") + count("revive")) * size;
    return { rooms: refused ? [] : result, cached, fate };
  }

  showAsk() {
    const { op, truth } = this.ask;
    const [call, seq, given] = this.tapes[0].op(op);
    const box = this.part("asks");
    const words = this.words;
    const key = { allocate: "allocate", append_slot: "append", free: "free" }[call];
    this.ask.question = { rooms: words.ui(`guess.rooms.${key}`, { seq: name(seq), token: text(given) }), cached: words.ui("guess.cached"), fate: words.ui("guess.fate") };
    const head = el("div", "row");
    head.append(el("h2", "cap grow", words.ui("guess")), el("code", "", opText([call, seq, ...(given === undefined ? [] : [given])], 10)));
    const picked = el("p", "picked");
    const form = el("div", "choices");
    const choose = (field, options) => {
      const set = el("fieldset");
      set.append(el("legend", "", this.ask.question[field]));
      for (const [value, label] of options) {
        const radio = el("input");
        Object.assign(radio, { type: "radio", name: field, value });
        const choice = el("label", "choice");
        choice.append(radio, label);
        set.append(choice);
      }
      form.append(set);
    };
    if (truth.cached !== undefined) {
      const size = this.story.block_size;
      const full = Math.min(Math.floor(given.length / size), 8);
      choose("cached", Array.from({ length: full + 1 }, (_, i) => [i * size, String(i * size)]));
    }
    if (truth.fate) choose("fate", ["neither", "evicted", "refused"].map((fate) => [fate, words.ui(`guess.${fate}`)]));
    const buttons = el("div", "row");
    for (const [what, label, cls] of [["check", "guess.check", "main"], ["watch", "guess.skip", "plain"]]) {
      const button = el("button", cls, words.ui(label));
      button.dataset.do = what;
      buttons.append(button);
    }
    box.replaceChildren(head, el("p", "question", this.ask.question.rooms), picked, form, buttons);
    box.hidden = false;
    this.part("tells").hidden = true;
    this.showPicks();
  }

  pick(block) {
    if (!(block in this.hotels[0].rooms)) return;
    const { rooms } = this.ask;
    this.ask.rooms = rooms.includes(block) ? without(rooms, block) : [...rooms, block];
    this.showPicks();
  }

  showPicks() {
    const rooms = this.ask?.rooms ?? [];
    this.hotels[0].rooms.forEach((room, block) => {
      const at = rooms.indexOf(block);
      if (at >= 0) room.dataset.pick = at + 1;
      else if (room.dataset.pick) delete room.dataset.pick;
    });
    const line = this.part("asks").querySelector(".picked");
    if (line) say(line, `${this.words.ui("picked")}: ${rooms.length ? rooms.join(" · ") : this.words.ui("guess.none")}`);
  }

  check() {
    const { ask, words } = this;
    const { truth, question } = ask;
    ask.checked = true;
    const order = (rooms) => (truth.sorted ? [...rooms].sort((a, b) => a - b) : rooms).join(" · ") || words.ui("guess.none");
    const rows = [];
    const judge = (field, yours, is, kinds) => rows.push({ question: question[field], right: yours === is, yours, truth: is, kinds });
    const fate = (value) => (value === null ? "—" : words.ui(`guess.${value}`));
    judge("rooms", order(ask.rooms), order(truth.rooms), ["hit", "miss", "limit", "boundary", "share", "revive", "take", "evict", "unshare", "to_free", "to_cart", "refused"]);
    if (truth.cached !== undefined && truth.cached !== null) judge("cached", ask.cached === null ? "—" : String(ask.cached), String(truth.cached), ["hit", "miss", "limit"]);
    if (truth.fate) judge("fate", fate(ask.fate), fate(truth.fate), ["capacity", "boundary", "evict", "refused"]);
    const right = rows.every((row) => row.right);
    this.score.asked++;
    if (right) this.score.right++;
    this.showScore();
    const box = this.part("asks");
    const verdict = el("div", right ? "verdict right" : "verdict wrong");
    verdict.setAttribute("role", "status");
    verdict.append(el("p", "what", words.ui(right ? "guess.right" : "guess.wrong")));
    const events = this.tapes[0].events(ask.op);
    for (const row of rows) {
      verdict.append(el("p", row.right ? "yes" : "no", words.ui(row.right ? "guess.same" : "guess.yours", row)));
      const why = events.filter((event) => row.kinds.includes(event.kind)).slice(0, 12);
      if (!row.right && why.length) {
        const list = el("ul");
        list.append(...why.map((event) => el("li", "", words.event(this.tapes[0], ask.op, event, this.tapes[0].state)[0])));
        verdict.append(list);
      }
    }
    const button = el("button", "main", words.ui("guess.watch"));
    button.dataset.do = "watch";
    verdict.append(button);
    box.querySelector(".choices")?.remove();
    box.lastElementChild.replaceWith(verdict);
    button.focus();
  }

  /** On with the op that was asked about. */
  release() {
    const { resume } = this;
    this.answered.add(this.ask.op);
    this.dismiss();
    this.go(this.at + 1);
    if (resume) this.play();
  }

  dismiss() {
    this.ask = null;
    this.part("asks").hidden = true;
    this.part("tells").hidden = false;
    this.showPicks();
  }

  showScore() {
    const { score } = this;
    say(this.part("score"), score.asked ? this.words.ui("guess.score", score) : "");
    try {
      sessionStorage.setItem("kvhotel.score", JSON.stringify(score));
    } catch {}
  }

  // ---- painting: once a frame, whatever has been asked for in between ----

  paint() {
    this.frame = undefined;
    const { op, count } = this.where();
    const stepped = this.at === this.shown + 1 && this.shown >= 0;
    const fast = Number(this.part("speed").value) > 4;
    for (const ghost of [...this.part("ghosts").children]) ghost.remove();
    const moves = [];
    if (stepped && !fast && !REDUCED.matches)
      for (const hotel of this.hotels) {
        const event = op < hotel.tape.steps.length && count <= hotel.tape.length(op) ? hotel.tape.events(op)[count - 1] : null;
        if (event) moves.push(...hotel.moves(event));
      }
    const all = this.shown < 0;
    this.shown = this.at;
    for (const hotel of this.hotels) {
      hotel.tape.seek(op < 0 ? 0 : op, count);
      hotel.paint(all);
    }
    this.compare(op, count);
    this.showOps(op, count);
    this.tell(op, count);
    this.showFollowed();
    const scrub = this.part("scrub");
    scrub.value = this.at;
    const step = this.words.ui("step", { at: this.at, all: this.total });
    scrub.setAttribute("aria-valuetext", op < 0 ? step : `${step}, ${opText(this.tapes[0].op(op), 6)}`);
    this.part("marks").style.setProperty("--done", this.total ? this.at / this.total : 0);
    say(this.part("step"), step);
    PLACES.set(this.place, op < 0 ? { op: 0, count: 0 } : { op, count });
    this.fly(moves);
    if (this.told !== op) window.dispatchEvent(new CustomEvent("kvhotel:at", { detail: { op } }));
    this.told = op;
  }

  /** Where the two hotels differ, at the end of an op. */
  compare(op, count) {
    if (this.hotels.length < 2) return;
    const over = op < 0 || this.hotels.every(({ tape }) => count >= tape.length(op));
    const [mine, other] = this.hotels;
    const seen = (hotel, block) => (hotel.tape.state.readable && !this.hotels.some(({ tape }) => !tape.state.readable) ? hotel.rooms[block].seen.split("|").filter((_, i) => i !== 2 && i !== 3).join("|") : hotel.tape.state.guests[block].map(name).join());
    mine.rooms.forEach((room, block) => {
      const differs = over && seen(mine, block) !== seen(other, block);
      if (room.classList.contains("differs") === differs) return;
      room.classList.toggle("differs", differs);
      other.rooms[block].classList.toggle("differs", differs);
    });
  }

  showOps(op, count) {
    const chapter = Math.floor(Math.max(0, op) / PAGE);
    const list = this.part("ops");
    const from = chapter * PAGE;
    const to = Math.min(this.story.ops.length, from + PAGE);
    if (chapter !== this.chapter || !list.children.length) {
      this.chapter = chapter;
      list.replaceChildren();
      list.start = from + 1;
      for (let i = from; i < to; i++) {
        const row = el("li", i < this.ops ? "" : "beyond");
        const button = el("button", "op");
        const full = opText(this.tapes[0].op(i), 40);
        button.append(el("code", "", opText(this.tapes[0].op(i))));
        button.title = full;
        if (i < this.ops) button.dataset.at = this.first[i + 1];
        else button.disabled = true;
        row.append(button);
        list.append(row);
      }
      const edge = (key, n, at) => {
        const button = this.part(key);
        button.hidden = n <= 0;
        button.dataset.at = at;
        if (n > 0) say(button, this.words.ui(key, { n }));
      };
      edge("earlier", from, this.first[Math.min(from, this.ops)]);
      edge("later", this.story.ops.length - to, this.first[Math.min(to, this.ops - 1) + 1]);
    }
    for (const row of list.querySelectorAll("li.now")) {
      row.classList.remove("now");
      row.querySelector(".events")?.remove();
      row.firstElementChild.removeAttribute("aria-current");
    }
    for (let i = from; i < to; i++) this.result(list.children[i - from], i, op, count);
    const row = op < 0 ? null : list.children[op - from];
    if (!row) return;
    row.classList.add("now");
    row.firstElementChild.setAttribute("aria-current", "step");
    row.append(this.eventList(op, count));
    const box = this.part("scroll");
    const lit = row.querySelector("[aria-current=true]") ?? row;
    const [top, inner] = [lit.getBoundingClientRect(), box.getBoundingClientRect()];
    if (top.bottom > inner.bottom) box.scrollTop += top.bottom - inner.bottom + 30;
    if (row.getBoundingClientRect().top < inner.top || top.top < inner.top) box.scrollTop += Math.min(top.top, row.getBoundingClientRect().top + inner.height - 60) - inner.top - 8;
  }

  /** What an op gave, once it is over; and a mark where that was not the contract's. */
  result(row, i, op, count) {
    const tape = this.tapes[0];
    const over = i < tape.steps.length && (i < op || (i === op && count >= tape.length(i)));
    if (row.over === over) return;
    row.over = over;
    row.classList.toggle("past", over);
    row.querySelector(".gave")?.remove();
    if (!over) return;
    const [result] = tape.steps[i];
    const wrong = tape.extra(i).agree === false || tape.extra(i).broken;
    const gave = el("span", wrong ? "gave wrong" : "gave", result === null ? "" : `→ ${text(narrow(result))}`);
    if (wrong) gave.append(" ≠");
    row.firstElementChild.append(gave);
  }

  eventList(op, count) {
    const list = el("ol", "events");
    const tape = this.tapes[0];
    if (op >= tape.steps.length) return list;
    const events = tape.events(op);
    const wrong = tape.extra(op).agree === false && tape.extra(op).readable !== false;
    const plain = ({ kind, block, ref, tag, slot, entry, older }) => JSON.stringify([kind, block ?? null, ref ?? null, tag ?? null, slot ?? null, entry, older ?? null]);
    const contract = wrong ? tape.explained(op) : [];
    if (contract.length) contract.forEach((event) => event.slot !== undefined && (event.block = Math.floor(event.slot / this.story.block_size)));
    const right = new Set(contract.map(plain));
    events.forEach((event, i) => {
      const item = el("li");
      const button = el("button", i < count ? "" : "ahead", this.words.event(tape, op, event, tape.state)[0]);
      button.dataset.at = this.first[op] + i + 1;
      if (i === Math.min(count, events.length) - 1) button.setAttribute("aria-current", "true");
      if (wrong && !right.has(plain(event))) button.classList.add("wrong");
      item.append(button);
      list.append(item);
    });
    return list;
  }

  tell(op, count) {
    const { words } = this;
    const tape = this.tapes[0];
    const ended = op >= tape.steps.length;
    const done = op < 0 || ended || count >= tape.length(op);
    const { event } = this.now(tape);
    const [, what, why] = event ? words.event(tape, op, event, tape.state) : ended && op >= 0 ? ["", words.ui("ended"), ""] : words.words.events.start;
    say(this.part("what"), what);
    const line = this.part("why");
    line.replaceChildren(el("b", "", why ? words.ui("why") : ""), " ", why);
    const judged = Math.min(done ? op : op - 1, tape.steps.length - 1);
    const broken = narrow(tape.extra(judged).broken ?? []);
    const seen = tape.state.readable ? null : new Set(["I1", "I4", "I5"]);
    for (const chip of this.part("invariants").querySelectorAll("button")) {
      const { law } = chip.dataset;
      const bad = broken.filter((row) => row[0] === law);
      const state = bad.length ? "broken" : seen && !seen.has(law) ? "not.seen" : "holds";
      const rooms = [...new Set(bad.map((row) => row[1]).filter((room) => room !== null))];
      const where = rooms.length ? ` ${brief(rooms, 4)}` : "";
      say(chip, `${law} ${{ broken: "✗", holds: "✓", "not.seen": "–" }[state]}${where}`);
      chip.className = `law ${state === "not.seen" ? "unseen" : state}`;
      chip.setAttribute("aria-label", `${law} ${words.ui(state)}${where}`);
    }
    const problems = broken.slice(0, 4).map(([law, , { say: msgid, args }]) => el("li", "", `${law}: ${words.fill(this.payload.says[msgid] ?? msgid, args)}`));
    const { agree, explained, expected, readable } = op < 0 || ended ? {} : tape.extra(op);
    if (done && agree === false) {
      const given = narrow(expected ?? null);
      problems.unshift(el("li", "contract", words.ui("contract.gives", { result: text(given) })));
      if (explained && readable !== false) problems.splice(1, 0, this.contract(tape, op));
    }
    this.part("problems").replaceChildren(...problems);
    this.part("tells").classList.toggle("alarm", problems.length > 0);
  }

  /** What the contract would have done from here: the steps that this manager left out. */
  contract(tape, op) {
    const item = el("li", "contract");
    const list = tape.explained(op).filter((event) => !["hit", "miss", "limit", "capacity", "boundary"].includes(event.kind));
    const steps = list.slice(0, 12).map((event) => this.words.event(tape, op, event, tape.state)[0]);
    item.append(`${this.words.ui("contract.does")} ${steps.join("; ")}`);
    return item;
  }

  showFollowed() {
    const { follow, words } = this;
    const [hotel] = this.hotels;
    for (const one of this.hotels)
      for (const room of one.node.querySelectorAll(".followed")) room.classList.remove("followed");
    this.part("detail").hidden = !follow;
    if (!follow) return;
    const { block, bed } = follow;
    const { state } = hotel.tape;
    for (const one of this.hotels) {
      one.rooms[block].classList.add("followed");
      if (bed !== null) one.rooms[block].beds?.[bed]?.classList.add("followed");
    }
    const kind = hotel.kinds[block];
    const tag = state.hash[block];
    const story = hotel.tape.stories.get(tag);
    const now = [words.ui(kind), state.readable ? words.ui("ref", { ref: state.ref[block] }) : "", state.guests[block].map(name).join(", "), tag === null ? "" : `${short(tag)} ${story ? words.quote(story.tokens, story.before) : ""}`];
    say(this.part("detail-title"), words.ui("through.time", { block }));
    say(this.part("detail-now"), now.filter(Boolean).join(" · "));
    const tokens = kind === "free" ? [] : state.content[block];
    const beds = Array.from({ length: state.size }, (_, i) => i);
    keyed(this.part("detail-beds"), beds, (i) => i, (i) => {
      const button = el("button", "bed");
      button.dataset.bed = i;
      return button;
    }, (button, i) => {
      button.dataset.room = block;
      say(button, i < tokens.length ? String(tokens[i]) : "·");
      button.setAttribute("aria-label", words.ui("bed", { bed: i, token: i < tokens.length ? tokens[i] : words.ui("empty.bed") }));
      button.setAttribute("aria-pressed", String(i === bed));
    });
    this.part("formula").hidden = bed === null;
    if (bed !== null) say(this.part("formula"), this.slot ?? words.ui("bed.of", { bed, block, slot: block * state.size + bed }));
    this.showLife(block);
  }

  showLife(block) {
    if (this.life?.block !== block || this.life.tape !== this.tapes[0]) this.life = { block, tape: this.tapes[0], rows: this.lifeOf(block) };
    const { rows } = this.life;
    const after = rows.findIndex((row) => row.at > this.at);
    const middle = after < 0 ? rows.length : after;
    const shown = rows.slice(Math.max(0, middle - 12), middle + 12);
    keyed(this.part("life"), shown.length ? shown : [null], (row) => row?.at ?? 0, (row) => {
      const item = el("li");
      if (!row) item.append(this.words.ui("never.touched"));
      else {
        const button = el("button", "plain", `${row.op + 1} · ${this.words.event(this.tapes[0], row.op, this.tapes[0].events(row.op)[row.i], this.tapes[0].state)[0]}`);
        button.dataset.at = row.at;
        item.append(button);
      }
      return item;
    }, (item, row) => {
      const button = item.firstElementChild;
      if (!row || !button) return;
      button.classList.toggle("ahead", row.at > this.at);
      if (row === rows[middle - 1]) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  /** Every event that is about a room, without decoding the whole trace. */
  lifeOf(block) {
    const tape = this.tapes[0];
    const { kinds } = tape.record;
    const place = kinds.map((kind) => FIELDS[kind].filter((field) => !OF_THE_OP.has(field)).indexOf("block") + 1);
    const slot = kinds.indexOf("append");
    const changed = kinds.indexOf("changed");
    const rows = [];
    tape.steps.forEach(([, events], op) =>
      events.forEach((row, i) => {
        const about = row[0] === slot ? Math.floor(row[1] / this.story.block_size) : row[0] === changed ? row[2] : place[row[0]] ? row[place[row[0]]] : null;
        if (about === block) rows.push({ op, i, at: this.first[op] + i + 1 });
      }),
    );
    return rows;
  }

  // ---- moving cards ----

  fly(moves) {
    const box = this.part("ghosts");
    const root = this.root.getBoundingClientRect();
    const time = 620 / Math.max(1, Number(this.part("speed").value));
    for (const { cls, content, from, to, hue } of moves) {
      const end = to === null ? from : to()?.getBoundingClientRect();
      if (!from || !end) continue;
      for (const half of cls === "torn" ? ["left", "right"] : [""]) {
        const ghost = el("span", `ghost ${cls} ${half}`, content);
        ghost.style.setProperty("--a", hue);
        box.append(ghost);
        const x = (rect) => rect.left + rect.width / 2 - root.left - ghost.offsetWidth / 2;
        const y = (rect) => rect.top + rect.height / 2 - root.top - ghost.offsetHeight / 2;
        const away = half === "left" ? "translate(-26px, 34px) rotate(-24deg)" : half === "right" ? "translate(26px, 40px) rotate(20deg)" : "";
        const frames = [
          { transform: `translate(${x(from)}px, ${y(from)}px)`, opacity: 1 },
          { transform: `translate(${x(end)}px, ${y(end)}px) ${away}`, opacity: half ? 0 : 1 },
        ];
        ghost.animate(frames, { duration: time, easing: "cubic-bezier(.45,.05,.25,1)", fill: "forwards" }).finished.then(() => ghost.remove(), () => {});
      }
    }
  }
}

/** What Streamlit calls at every mount and whenever the data or the theme changes; the exported page calls it once. */
export default function mount({ data, parentElement }) {
  const root = parentElement.querySelector(".kvh");
  root.player ??= new Player(root);
  const { payload } = root.player;
  if (!payload || JSON.stringify(payload) !== JSON.stringify(data)) root.player.load(data);
  return () => {
    root.player?.close();
    root.player = undefined;
  };
}
