// Rooms and queues of one manager.

const CARDS = 16; // rooms up to which each is a card with beds
const COMPACT = 128; // rooms up to which each still has its number

/** One manager's hotel; shows `tape.state`. */
class Hotel {
  constructor(player, tape, who) {
    this.player = player;
    this.words = player.words;
    this.tape = tape;
    this.node = player.stamp("pane");
    this.side = new Side(player, tape);
    this.part = (key) => this.node.querySelector(`[data-part="${key}"]`);
    this.part("manager").hidden = !who;
    this.part("manager").textContent = this.part("manager").title = who;
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
    this.side.paint(state);
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
    const lasting = [kind, ref, guests.map(name).join(), tokens.join(), tag].join("|");
    if (room.lasting === lasting && room.passing === `${change?.from} ${evicted}`) return;
    room.lasting = lasting;
    room.passing = `${change?.from} ${evicted}`;
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
    room.who.replaceChildren(...guests.slice(0, 6).map((seq) => badge(seq, this.player.hue(seq))));
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
}
