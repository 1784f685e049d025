// A room or a bed that is followed through time: what is in it now, and everything that happens to it.

const NEAR = 12; // events shown before and after now

class Follow {
  constructor(player) {
    this.player = player;
    this.tape = player.tapes[0];
    this.block = null;
    this.bed = null;
    this.slot = "";
    this.lives = new Map();
  }

  /** Follows a room, or a bed in it; the same again stops it. */
  toggle(block, bed = null) {
    if (this.block === block && this.bed === bed) this.set(null);
    else this.set(block, bed);
  }

  set(block, bed = null, slot = "") {
    this.block = block === null || !(block in this.player.hotels[0].rooms) ? null : block;
    this.bed = this.block === null ? null : bed;
    this.slot = slot;
    this.paint();
  }

  /** Follows the bed of a token, and says how its slot comes about. */
  token(seq, pos) {
    const { state } = this.tape;
    const { size } = state;
    const { words } = this.player;
    const block = state.tables.get(seq)?.[Math.floor(pos / size)];
    const bed = pos % size;
    if (block === undefined) this.player.tell(words.ui("slot.none", { pos, seq: name(seq) }));
    else this.set(block, bed, words.ui("slot.of", { pos, seq: name(seq), size, block, bed, slot: block * size + bed }));
  }

  paint() {
    const { hotels, part, words } = this.player;
    const { block, bed } = this;
    for (const lit of this.lit ?? []) lit.classList.remove("followed");
    this.lit = [];
    part("detail").hidden = block === null;
    if (block === null) return;
    for (const hotel of hotels) this.lit.push(hotel.rooms[block], ...(bed === null ? [] : [hotel.rooms[block].beds?.[bed]]));
    this.lit = this.lit.filter(Boolean);
    for (const lit of this.lit) lit.classList.add("followed");
    const { state } = this.tape;
    const kind = hotels[0].kinds[block];
    const tag = state.hash[block];
    const story = this.tape.stories.get(tag);
    const now = [
      words.ui(kind),
      state.readable ? words.ui("ref", { ref: state.ref[block] }) : "",
      state.guests[block].map(name).join(", "),
      tag === null ? "" : `${short(tag)} ${story ? words.quote(story.tokens, story.before) : ""}`,
    ];
    say(part("detail-title"), words.ui("through.time", { block }));
    say(part("detail-now"), now.filter(Boolean).join(" · "));
    this.beds(state, kind === "free" ? [] : state.content[block]);
    this.life(block);
  }

  beds(state, tokens) {
    const { part, words } = this.player;
    const beds = Array.from({ length: state.size }, (_, i) => i);
    const make = (i) => {
      const button = el("button", "bed");
      button.dataset.bed = i;
      return button;
    };
    keyed(part("detail-beds"), beds, (i) => i, make, (button, i) => {
      const filled = i < tokens.length;
      button.dataset.room = this.block;
      say(button, filled ? String(tokens[i]) : "·");
      button.setAttribute("aria-label", words.ui("bed", { bed: i, token: filled ? tokens[i] : words.ui("empty.bed") }));
      button.setAttribute("aria-pressed", String(i === this.bed));
    });
    part("formula").hidden = this.bed === null;
    const { block, bed } = this;
    if (bed !== null) say(part("formula"), this.slot || words.ui("bed.of", { bed, block, slot: block * state.size + bed }));
  }

  life(block) {
    const { at, words, part } = this.player;
    if (!this.lives.has(block)) this.lives.set(block, this.events(block));
    const rows = this.lives.get(block);
    const after = rows.findIndex((row) => row.at > at);
    const now = (after < 0 ? rows.length : after) - 1;
    const shown = rows.slice(Math.max(0, now + 1 - NEAR), now + 1 + NEAR);
    const make = (row) => {
      const item = el("li");
      if (row.op === undefined) item.append(words.ui("never.touched"));
      else {
        const told = words.event(this.tape, row.op, this.tape.events(row.op)[row.i], this.tape.state)[0];
        const button = el("button", "plain", `${row.op + 1} · ${told}`);
        button.dataset.at = row.at;
        item.append(button);
      }
      return item;
    };
    keyed(part("life"), shown.length ? shown : [{}], (row) => (row.op === undefined ? "none" : `${block}/${row.at}`), make, (item, row) => {
      const button = item.firstElementChild;
      if (!button) return;
      button.classList.toggle("ahead", row.at > at);
      if (row === rows[now]) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  /** Every event that is about a room, found without decoding the whole trace. */
  events(block) {
    const { kinds } = this.tape.record;
    const { first, story } = this.player;
    const place = kinds.map((kind) => FIELDS[kind].filter((field) => !OF_THE_OP.has(field)).indexOf("block") + 1);
    const about = (row) => {
      const kind = kinds[row[0]];
      if (kind === "append") return Math.floor(row[1] / story.block_size);
      if (kind === "changed") return row[2];
      return place[row[0]] ? row[place[row[0]]] : null;
    };
    const rows = [];
    this.tape.steps.forEach(([, events], op) =>
      events.forEach((row, i) => {
        if (about(row) === block) rows.push({ op, i, at: first[op] + i + 1 });
      }),
    );
    return rows;
  }
}
