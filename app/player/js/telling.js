// What happened, and why; and whether the invariants hold.

const LAWS = ["I1", "I2", "I3", "I4", "I5"];
const SEEN_OUTSIDE = new Set(["I1", "I4", "I5"]);
const READS = new Set(["hit", "miss", "limit", "capacity", "boundary"]);

class Telling {
  constructor(player) {
    this.player = player;
    this.tape = player.tapes[0];
    this.chips = LAWS.map((law) => {
      const chip = el("button", "law");
      chip.dataset.law = law;
      chip.title = player.words.ui(law);
      return chip;
    });
    player.part("laws").replaceChildren(...this.chips);
    player.part("meaning").hidden = true;
  }

  paint(op, count) {
    const { part, words } = this.player;
    const ended = op >= this.tape.steps.length;
    const done = op < 0 || ended || count >= this.tape.length(op);
    const { event } = this.player.now(this.tape);
    let told = words.words.events.start;
    if (event) told = words.event(this.tape, op, event, this.tape.state);
    else if (op >= 0) told = ["", words.ui("ended"), ""];
    say(part("what"), told[1]);
    part("why").replaceChildren(el("b", "", told[2] ? words.ui("why") : ""), " ", told[2]);
    const broken = narrow(this.tape.extra(Math.min(done ? op : op - 1, this.tape.steps.length - 1)).broken ?? []);
    for (const chip of this.chips) this.law(chip, broken.filter((row) => row[0] === chip.dataset.law));
    const problems = broken.slice(0, 4).map(([law, , { say: msgid, args }]) => el("li", "", `${law}: ${words.fill(this.player.payload.says[msgid] ?? msgid, args)}`));
    if (done && !ended && op >= 0 && this.tape.extra(op).agree === false) problems.unshift(...this.contract(op));
    part("problems").replaceChildren(...problems);
    part("tells").classList.toggle("alarm", problems.length > 0);
  }

  law(chip, broken) {
    const { words } = this.player;
    const { law } = chip.dataset;
    const hidden = !this.tape.state.readable && !SEEN_OUTSIDE.has(law);
    const kind = broken.length ? "broken" : hidden ? "not.seen" : "holds";
    const rooms = [...new Set(broken.map((row) => row[1]).filter((room) => room !== null))];
    const where = rooms.length ? ` ${words.ui("in.room", { block: brief(rooms, 4) })}` : "";
    say(chip, `${law} ${{ broken: "✗", holds: "✓", "not.seen": "–" }[kind]}${where}`);
    chip.className = `law ${kind === "not.seen" ? "unseen" : kind}`;
    chip.setAttribute("aria-label", `${law} ${words.ui(kind)}${where}`);
  }

  /** What the contract would have given and done from where this manager stood. */
  contract(op) {
    const { words } = this.player;
    const { expected, readable } = this.tape.extra(op);
    const result = narrow(expected ?? null);
    const lines = [result === null ? words.ui("contract.nothing") : words.ui("contract.gives", { result: text(result) })];
    const steps = this.tape.explained(op).filter((event) => !READS.has(event.kind));
    if (steps.length && readable !== false) {
      const told = steps.slice(0, 12).map((event) => words.event(this.tape, op, event, this.tape.state)[0]);
      lines.push(`${words.ui("contract.does")} ${told.join("; ")}${steps.length > 12 ? " …" : ""}`);
    }
    return lines.map((line) => el("li", "contract", line));
  }

  /** Says what an invariant means; asked again, stops saying it. */
  explain(law) {
    const meaning = this.player.part("meaning");
    const content = `${law}: ${this.player.words.ui(law)}`;
    meaning.hidden = !meaning.hidden && meaning.textContent === content;
    say(meaning, content);
  }
}
