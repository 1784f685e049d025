// The state, and what events do to it: the same as grader/replay/events.py. Rows are replaced, never changed, so that a
// kept state is cheap.

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
