// Tour groups and the catalogue of one manager.

const GROUPS = 6; // shown at a time
const ENTRIES = 10;

function badge(seq, hue) {
  const node = el("span", "badge", name(seq));
  node.style.setProperty("--a", hue);
  return node;
}

class Side {
  constructor(player, tape) {
    this.player = player;
    this.words = player.words;
    this.tape = tape;
    this.node = player.stamp("side");
    this.part = (key) => this.node.querySelector(`[data-part="${key}"]`);
  }

  paint(state) {
    this.groups(state);
    this.cards(state);
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
      head.append(badge(row.seq, this.player.hue(row.seq)), node.rooms);
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
    const [head, hidden, tail] = cut(tokens.map((token, pos) => [token, pos]), tokens.length > 48 ? 12 : 40, 3);
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
    say(this.part("no-cards"), this.words.ui(state.readable ? (state.cache ? "no.cards" : "no.catalogue") : "hidden.cards"));
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
      const held = story?.tokens ?? state.content[block] ?? [];
      const tokens = `${story?.before.length ? "… " : ""}${held.length > 6 ? `${held.slice(0, 3).join(" ")} …` : held.join(" ")}`;
      const content = this.words.ui("leads", { tokens, block }) + (stale ? ` · ${this.words.ui("stale")}` : "");
      node.dataset.room = block;
      node.classList.toggle("stale", stale);
      say(node.text, content);
    });
  }
}
