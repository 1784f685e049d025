// Reading a trace: the form that grader/replay/record.py writes.
//
// These files are one script, joined in the order of page.py. The whole trace is in the browser, so every move is made
// there: no call to the server, no network. Ids, tokens and texts of a story come from anybody: they reach the page as
// text, never as markup.

const KEYFRAME = 50; // ops between kept states, for going back

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
