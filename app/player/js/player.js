// The player: where in the trace we are, the controls, and one painting a frame.

const HUES = 8;
const BEAT = 900; // ms from event to event at 1×
const FAST = 4; // from speeds above this on nothing flies
const PLACES = new Map(); // story, start -> place; outlives a remount, so a language or page switch loses nothing
const KEYS = { ArrowRight: ["event", "op"], ArrowLeft: ["back", "backop"], Home: ["first", "first"], End: ["end", "end"] };

class Player {
  constructor(root) {
    this.root = root;
    this.part = (key) => root.querySelector(`[data-part="${key}"]`);
    this.stop = new AbortController();
    const on = (target, type, handle) => target.addEventListener(type, handle, { signal: this.stop.signal });
    on(root, "click", (event) => this.click(event));
    on(root, "input", (event) => this.input(event));
    on(root, "change", (event) => this.input(event));
    on(document, "keydown", (event) => this.key(event));
    on(window, "kvhotel:goto", (event) => this.goto(event.detail));
    const width = () => this.part("panes").firstElementChild?.clientWidth ?? 0;
    this.sizes = new ResizeObserver(() => root.classList.toggle("wide", width() > 560));
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
    const each = (field, act) => [node, ...node.querySelectorAll(`[data-${field}]`)].forEach((one) => one.dataset[field] && act(one, this.words.ui(one.dataset[field])));
    each("word", (one, content) => (one.textContent = content));
    each("aria", (one, content) => one.setAttribute("aria-label", content));
    each("tip", (one, content) => {
      one.title = content;
      if (!one.dataset.word) one.setAttribute("aria-label", content);
    });
  }

  /** Puts a payload on the screen; the same story again (another language, another manager) keeps its place. */
  load(payload) {
    this.pause();
    this.payload = payload;
    this.words = new Words(payload.words);
    this.story = payload.traces[0].story;
    this.tapes = payload.traces.map((record) => new Tape(record, this.story));
    this.ops = Math.max(...this.tapes.map((tape) => tape.steps.length));
    this.first = new Uint32Array(this.ops + 1); // events before each op, of whichever manager has more
    for (let op = 0; op < this.ops; op++) this.first[op + 1] = this.first[op] + Math.max(...this.tapes.map((tape) => tape.length(op)));
    this.total = this.first[this.ops];
    this.hues = new Map();
    for (const op of this.story.ops) if (op[0] === "allocate" && !this.hues.has(narrow(op[1]))) this.hues.set(narrow(op[1]), this.hues.size % HUES);
    this.place = JSON.stringify([payload.traces[0].words.id, { ...this.story, ops: this.story.ops.slice(0, 40) }, this.story.ops.length, payload.start]);
    this.found = null;
    this.told = undefined;
    this.root.lang = payload.lang;
    this.root.hidden = false;
    this.root.classList.toggle("inset", Boolean(payload.inset));
    this.label(this.root);
    this.about();
    const both = this.tapes.length > 1;
    this.hotels = this.tapes.map((tape, i) => new Hotel(this, tape, both ? [payload.who, this.words.ui("reference")][i] : ""));
    this.root.classList.toggle("both", both);
    this.part("panes").replaceChildren(...this.hotels.map((hotel) => hotel.node));
    if (both) this.hotels.forEach((hotel) => hotel.node.append(hotel.side.node));
    this.part("right").replaceChildren(...(both ? [] : [this.hotels[0].side.node]));
    this.listing = new Listing(this);
    this.telling = new Telling(this);
    this.follow = new Follow(this);
    this.guess = new Guess(this);
    this.follow.paint();
    const kept = PLACES.get(this.place);
    this.at = this.clamp(kept ? Math.min(this.first[Math.min(kept.op, this.ops)] + kept.count, this.first[Math.min(kept.op + 1, this.ops)]) : payload.start ?? 0);
    this.shown = -1; // the place on the screen
    this.paint();
  }

  /** All that stays the same while a payload is played. */
  about() {
    const { payload, words, story } = this;
    const button = (key) => this.root.querySelector(`[data-do="${key}"]`);
    for (const key of ["title", "note", "who", "notice"]) say(this.part(key), payload[key]);
    this.part("notice").hidden = !payload.notice;
    say(this.part("pool"), words.ui(story.enable_prefix_cache === false ? "pool.off" : "pool.on", { rooms: story.num_blocks, beds: story.block_size }));
    this.tell("");
    button("link").hidden = Boolean(payload.offline);
    button("link").disabled = !payload.link;
    button("link").title = payload.link ? "" : words.ui("no.link");
    button("page").hidden = !this.shell();
    this.part("find").hidden = story.num_blocks <= CARDS;
    this.part("find-room").max = story.num_blocks - 1;
    this.part("scrub").max = this.total;
    const { difference } = payload;
    this.root.querySelector('[data-to="differs"]').hidden = !difference;
    this.part("difference").hidden = !difference;
    say(this.part("difference"), difference?.text ?? "");
    const mark = (op, cls) => {
      const line = el("i", cls);
      line.style.left = `${(100 * this.first[op]) / this.total}%`;
      return line;
    };
    const marks = this.ops <= 150 ? Array.from({ length: Math.max(0, this.ops - 1) }, (_, i) => mark(i + 1, "")) : [];
    if (difference?.step >= 0) marks.push(mark(difference.step + 1, "differs"));
    this.part("marks").replaceChildren(...marks);
  }

  tell(content) {
    say(this.part("said"), content);
  }

  hue(seq) {
    return seq === undefined ? "transparent" : `var(--g${this.hues.get(seq) ?? 0})`;
  }

  // Where we are: `at` events have been played, the last of them in op `op`, of which `count` have.

  clamp(at) {
    return Math.max(0, Math.min(this.total, at));
  }

  where() {
    const op = this.at === 0 ? -1 : locate(this.first, this.at - 1);
    return { op, count: op < 0 ? 0 : this.at - this.first[op] };
  }

  /** What `tape` shows here: the op, its last event, and whether the op is over. */
  now(tape) {
    const { op, count } = this.where();
    if (op < 0 || op >= tape.steps.length) return { op: null, event: null, done: true };
    const events = tape.events(op);
    return { op: events[0].op, event: events[Math.min(count, events.length) - 1], done: count >= events.length };
  }

  go(at) {
    at = this.clamp(at);
    if (at !== this.at) this.guess.dismiss();
    this.at = at;
    this.frame ??= requestAnimationFrame(() => this.paint());
  }

  /** One event on, unless the next op is to be guessed first. */
  forward() {
    if (this.guess.asks()) return false;
    this.go(this.at + 1);
    return true;
  }

  /** Asked from outside, as by a click in a chart: to the end of an op, and a room to follow. */
  goto({ op, room }) {
    this.pause();
    this.go(this.first[Math.max(0, Math.min(this.ops, op + 1))]);
    if (room !== null && room !== undefined) this.follow.set(room);
  }

  act(what, node) {
    const { op, count } = this.where();
    const over = op < 0 || this.at === this.first[op + 1];
    const acts = {
      first: () => this.go(0),
      end: () => this.go(this.total),
      back: () => this.go(this.at - 1),
      event: () => this.forward(),
      op: () => this.guess.asks() || this.go(this.first[Math.min(this.ops, over ? op + 2 : op + 1)]),
      backop: () => this.go(count ? this.first[op] : 0),
      jump: () => this.jump(node.dataset.to),
      check: () => this.guess.check(),
      watch: () => this.watch(),
    };
    if (what === "play") return this.timer ? this.pause() : this.play();
    if (what === "close") return this.follow.set(null);
    if (what === "more") return this.more(node);
    if (!acts[what]) return this.keep(what);
    const { resume } = this;
    this.pause(what === "check" && resume);
    if (what === "watch") this.resume = resume;
    return acts[what]();
  }

  /** On with the op that was asked about, playing again if that is how we came here. */
  watch() {
    const { resume } = this;
    this.guess.done();
    this.go(this.at + 1);
    if (resume) this.play();
  }

  more(node) {
    const open = this.part("transport").classList.toggle("open");
    node.setAttribute("aria-expanded", String(open));
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
    if (this.words) this.showPlay();
  }

  showPlay() {
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
    const wanted = { share: found.hit, revive: found.hit, evict: found.evict };
    tape.steps.forEach(([result, rows], op) => {
      rows.forEach((row, i) => wanted[tape.record.kinds[row[0]]]?.push(this.first[op] + i + 1));
      if (isRefused(result)) found.refused.push(this.first[op] + tape.length(op));
    });
    if (this.payload.difference) found.differs.push(this.first[Math.max(0, this.payload.difference.step + 1)]);
    return (this.found = found);
  }

  jump(to) {
    const places = this.places()[to];
    const next = places.find((at) => at > this.at) ?? places[0];
    if (next === undefined) this.tell(this.words.ui("no.such"));
    else this.go(next);
  }

  // What the learner does.

  click(event) {
    const node = event.target.closest("button, .room, .chip, .card");
    if (!node) return;
    const { dataset } = node;
    if (dataset.do) this.act(dataset.do, node);
    else if (dataset.at !== undefined) {
      this.pause();
      this.go(Number(dataset.at));
    } else if (dataset.law) this.telling.explain(dataset.law);
    else if (dataset.pos !== undefined) this.follow.token(node.closest(".group").seq, Number(dataset.pos));
    else {
      const room = node.closest("[data-room]");
      if (!room) return;
      const block = Number(room.dataset.room);
      if (this.guess.waiting) this.guess.pick(block);
      else this.follow.toggle(block, dataset.bed === undefined ? null : Number(dataset.bed));
    }
  }

  input({ target, type }) {
    const { part } = target.dataset;
    if (part === "scrub" && type === "input") {
      this.pause();
      this.go(Number(target.value));
    } else if (part === "find-room" && type === "change" && target.value !== "") {
      if (this.guess.waiting) this.guess.pick(Number(target.value));
      else this.follow.set(Number(target.value));
    } else if (part === "guess" && type === "change" && !target.checked) this.guess.dismiss();
    else if (target.name === "cached") this.guess.choose("cached", Number(target.value));
    else if (target.name === "fate") this.guess.choose("fate", target.value);
  }

  key(event) {
    const [target] = event.composedPath();
    const ours = event.composedPath().includes(this.root) || (target === document.body && !this.payload?.inset);
    if (!ours || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches?.("select, textarea, input:not([type=range], [role=switch])")) return;
    let what = KEYS[event.key]?.[Number(event.shiftKey)];
    if (event.key === " " && !target.matches?.("button, input")) what = "play";
    if (event.key === "Escape" && this.follow.block !== null) what = "close";
    if (!what) return;
    event.preventDefault();
    this.act(what);
  }

  // Keeping.

  shell() {
    return this.root.parentNode.querySelector("template.kvh-page")?.content.textContent;
  }

  keep(what) {
    const { payload, words } = this;
    const file = `kv-hotel-${String(payload.traces[0].words.id ?? "story").replace(/[^\w-]/g, "")}`;
    const offer = (content, type, end) => {
      const link = el("a");
      link.href = URL.createObjectURL(new Blob([content], { type }));
      link.download = `${file}${end}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    };
    if (what === "json") offer(JSON.stringify(payload.traces[0]), "application/json", ".json");
    else if (what === "picture") offer(picture(this.hotels, words, payload.title, this.part("what").textContent), "image/svg+xml", `-${this.at}.svg`);
    else if (what === "page") {
      const data = JSON.stringify({ ...payload, start: this.at, offline: true }).replace(/</g, "\\u003c");
      offer(this.shell().replace("__PAYLOAD__", () => data), "text/html", ".html");
    } else if (what === "link") {
      const url = new URL(`explore?${payload.link}&step=${this.at}`, location.href).href;
      const failed = () => this.tell(`${words.ui("not.copied")} ${url}`);
      if (!navigator.clipboard) failed();
      else navigator.clipboard.writeText(url).then(() => this.tell(words.ui("copied")), failed);
    }
  }

  // Painting: once a frame, whatever has been asked for in between.

  paint() {
    this.frame = undefined;
    const { op, count } = this.where();
    const speed = Number(this.part("speed").value);
    this.part("ghosts").replaceChildren();
    const onward = this.at === this.shown + 1 && this.shown >= 0 && speed <= FAST && !REDUCED.matches;
    const found = onward ? this.hotels.flatMap((hotel) => this.moves(hotel, op, count)) : [];
    const all = this.shown < 0;
    this.shown = this.at;
    for (const hotel of this.hotels) {
      hotel.tape.seek(Math.max(0, op), count);
      hotel.paint(all);
    }
    this.compare(op, count);
    this.listing.paint(op, count);
    this.telling.paint(op, count);
    if (this.follow.block !== null) this.follow.paint();
    const step = this.words.ui("step", { at: this.at, all: this.total });
    const scrub = this.part("scrub");
    scrub.value = this.at;
    scrub.setAttribute("aria-valuetext", op < 0 ? step : `${step}, ${opText(this.tapes[0].op(op), 6)}`);
    this.part("marks").style.setProperty("--done", this.total ? this.at / this.total : 0);
    say(this.part("step"), step);
    PLACES.set(this.place, { op: Math.max(0, op), count });
    fly(this.root, this.part("ghosts"), found, speed);
    window.kvhotelAt = op; // for a listener that comes later
    if (this.told !== op) window.dispatchEvent(new CustomEvent("kvhotel:at", { detail: { op } }));
    this.told = op;
  }

  moves(hotel, op, count) {
    const { tape } = hotel;
    return op < tape.steps.length && count <= tape.length(op) ? moves(hotel, tape.events(op)[count - 1]) : [];
  }

  /** Marks the rooms in which two hotels differ, at the end of an op. */
  compare(op, count) {
    if (this.hotels.length < 2) return;
    const over = op < 0 || this.hotels.every(({ tape }) => count >= tape.length(op));
    const inside = this.hotels.every(({ tape }) => tape.state.readable);
    const [mine, other] = this.hotels.map((hotel) => hotel.rooms.map((room, block) => [room, inside ? room.lasting : hotel.tape.state.guests[block].map(name).join()]));
    mine.forEach(([room, seen], block) => {
      const differs = over && seen !== other[block][1];
      room.classList.toggle("differs", differs);
      other[block][0].classList.toggle("differs", differs);
    });
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
