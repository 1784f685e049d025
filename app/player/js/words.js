// From events to sentences. The templates come with the payload, in one language.

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
    } else if (kind === "evict") kind += event.entry ? ".torn" : event.left ?? state.map.get(event.tag) === event.block ? ".left" : ".other";
    else if (kind === "append") {
      args.block = Math.floor(event.slot / size);
      args.bed = event.slot % size;
      args.pos = (state.tokens.get(event.seq)?.length ?? 1) - 1;
    } else if (kind === "register") {
      args.older = state.map.get(event.tag);
      kind += event.entry ? ".card" : ".copy";
    } else if (kind === "unshare") args.old = event.ref + 1;
    else if (kind === "changed" && event.field === "hashes" && event.old && event.new) {
      const i = event.new.findIndex((tag, at) => tag !== event.old[at]);
      Object.assign(args, { seq: name(event.key), i, from: short(event.old[i]), to: short(event.new[i]) });
      kind += ".chain";
    } else if (kind === "changed") {
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
