// Guess first: before an op is played the learner says what it will do, and the events say who was right.

const ABOUT = {
  rooms: ["hit", "miss", "limit", "boundary", "share", "revive", "take", "evict", "unshare", "to_free", "to_cart", "refused"],
  cached: ["hit", "miss", "limit"],
  fate: ["capacity", "boundary", "evict", "refused"],
};

class Guess {
  constructor(player) {
    this.player = player;
    this.ask = null; // the open question
    this.answered = new Set(); // ops
    this.score = { right: 0, asked: 0 };
    try {
      this.score = JSON.parse(sessionStorage.getItem("kvhotel.score")) ?? this.score;
    } catch {} // a page from a file may have no storage: then the score lives as long as the page
    this.dismiss();
    this.showScore();
  }

  get waiting() {
    return this.ask !== null && !this.ask.checked;
  }

  /** Asks about the op that would begin now; false if there is nothing to ask. */
  asks() {
    const { at, first, ops, part } = this.player;
    const op = this.player.where().op + 1;
    if (!part("guess").checked || op >= ops || at !== first[op] || this.answered.has(op)) return false;
    if (this.ask) return true;
    const truth = this.truth(op);
    if (!truth) return false;
    this.ask = { op, truth, rooms: [], cached: null, fate: null, checked: false };
    this.show();
    return true;
  }

  /** What the op does, as far as it can be asked; null if it cannot. */
  truth(op) {
    const tape = this.player.tapes[0];
    if (op >= tape.steps.length || tape.extra(op).readable === false) return null;
    const result = tape.steps[op][0];
    const events = tape.events(op);
    const [call] = events[0].op;
    const refused = isRefused(result);
    if (!refused && result !== null && typeof result === "object" && !Array.isArray(result)) return null; // skipped, or the end
    const count = (...kinds) => events.filter((event) => kinds.includes(event.kind)).length;
    const { size, cache } = tape.state;
    const fate = refused ? "refused" : count("evict") ? "evicted" : "neither";
    if (call === "free") return { rooms: events.filter((event) => /^to_/.test(event.kind)).map((event) => event.block), anyOrder: true };
    if (call === "append_slot") return { rooms: refused ? [] : [Math.floor(result / size)], fate };
    if (call === "allocate") return { rooms: refused ? [] : result, cached: cache && !refused ? count("share", "revive") * size : undefined, fate };
    return null;
  }

  show() {
    const { words, part, tapes, story } = this.player;
    const { op, truth } = this.ask;
    const [call, seq, given] = tapes[0].op(op);
    const key = { allocate: "allocate", append_slot: "append", free: "free" }[call];
    this.ask.question = { rooms: words.ui(`guess.rooms.${key}`, { seq: name(seq), token: text(given) }), cached: words.ui("guess.cached"), fate: words.ui("guess.fate") };
    const head = el("div", "row");
    head.append(el("h2", "cap grow", words.ui("guess")), el("code", "", opText(tapes[0].op(op), 10)));
    const form = el("div", "choices");
    const full = call === "allocate" && story.enable_prefix_cache !== false ? Math.min(Math.floor(given.length / story.block_size), 8) : -1;
    if (full >= 0) form.append(this.choice("cached", Array.from({ length: full + 1 }, (_, i) => [i * story.block_size, String(i * story.block_size)])));
    if (truth.fate) form.append(this.choice("fate", ["neither", "evicted", "refused"].map((fate) => [fate, words.ui(`guess.${fate}`)])));
    const buttons = el("div", "row");
    buttons.append(this.button("check", "guess.check", "main"), this.button("watch", "guess.skip", "plain"));
    part("asks").replaceChildren(head, el("p", "question", this.ask.question.rooms), el("p", "picked"), form, buttons);
    part("asks").hidden = false;
    part("tells").hidden = true;
    this.showPicks();
  }

  choice(field, options) {
    const set = el("fieldset");
    set.append(el("legend", "", this.ask.question[field]));
    for (const [value, label] of options) {
      const radio = el("input");
      Object.assign(radio, { type: "radio", name: field, value });
      const choice = el("label", "choice");
      choice.append(radio, label);
      set.append(choice);
    }
    return set;
  }

  button(what, label, cls) {
    const button = el("button", cls, this.player.words.ui(label));
    button.dataset.do = what;
    return button;
  }

  pick(block) {
    if (!(block in this.player.hotels[0].rooms)) return;
    const { rooms } = this.ask;
    this.ask.rooms = rooms.includes(block) ? without(rooms, block) : [...rooms, block];
    this.showPicks();
  }

  choose(field, value) {
    if (this.ask) this.ask[field] = value;
  }

  list(rooms) {
    return rooms.length ? rooms.join(" · ") : this.player.words.ui("guess.none");
  }

  showPicks() {
    const { hotels, part, words } = this.player;
    const picks = this.ask?.rooms ?? [];
    for (const room of this.picked ?? []) delete room.dataset.pick;
    this.picked = picks.map((block) => hotels[0].rooms[block]);
    this.picked.forEach((room, i) => (room.dataset.pick = i + 1));
    const line = part("asks").querySelector(".picked");
    if (line) say(line, `${words.ui("picked")}: ${this.list(picks)}`);
  }

  check() {
    const { ask } = this;
    const { words, part, tapes } = this.player;
    const { truth } = ask;
    ask.checked = true;
    const order = (rooms) => this.list(truth.anyOrder ? [...rooms].sort((a, b) => a - b) : rooms);
    const fate = (value) => (value === null ? "—" : words.ui(`guess.${value}`));
    const rows = [["rooms", order(ask.rooms), order(truth.rooms)]];
    if (truth.cached !== undefined) rows.push(["cached", text(ask.cached ?? "—"), text(truth.cached)]);
    if (truth.fate) rows.push(["fate", fate(ask.fate), fate(truth.fate)]);
    const right = rows.every(([, yours, is]) => yours === is);
    this.score.asked++;
    if (right) this.score.right++;
    this.showScore();
    const verdict = el("div", right ? "verdict right" : "verdict wrong");
    verdict.setAttribute("role", "status");
    const head = el("div", "row");
    const button = this.button("watch", "guess.watch", "main");
    head.append(el("p", "what grow", words.ui(right ? "guess.right" : "guess.wrong")), button);
    verdict.append(head);
    for (const [field, yours, is] of rows) {
      const args = { question: ask.question[field], yours, truth: is };
      verdict.append(el("p", yours === is ? "yes" : "no", words.ui(yours === is ? "guess.same" : "guess.yours", args)));
      const why = tapes[0].events(ask.op).filter((event) => ABOUT[field].includes(event.kind)).slice(0, 12);
      if (yours === is || !why.length) continue;
      const list = el("ul");
      list.append(...why.map((event) => el("li", "", words.event(tapes[0], ask.op, event, tapes[0].state)[0])));
      verdict.append(list);
    }
    part("asks").querySelector(".choices").remove();
    part("asks").lastElementChild.replaceWith(verdict);
    button.focus();
  }

  /** The question is over, answered or not. Returns whether there was one. */
  done() {
    if (!this.ask) return false;
    this.answered.add(this.ask.op);
    this.dismiss();
    return true;
  }

  dismiss() {
    this.ask = null;
    this.showPicks();
    this.player.part("asks").hidden = true;
    this.player.part("tells").hidden = false;
  }

  showScore() {
    say(this.player.part("score"), this.score.asked ? this.player.words.ui("guess.score", this.score) : "");
    try {
      sessionStorage.setItem("kvhotel.score", JSON.stringify(this.score));
    } catch {}
  }
}
