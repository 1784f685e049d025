// The list of ops, with the small events inside the one that is being played.

const PAGE = 100; // ops listed at a time

class Listing {
  constructor(player) {
    this.player = player;
    this.tape = player.tapes[0];
    this.page = -1;
    this.op = -1; // the one that is open
    this.list = player.part("ops");
  }

  paint(op, count) {
    const page = Math.floor(Math.max(0, op) / PAGE);
    if (page !== this.page) this.turn(page);
    this.rows.forEach((row, i) => this.result(row, this.from + i, op, count));
    if (op !== this.op) this.open(op);
    const row = op < 0 ? null : this.rows[op - this.from];
    if (!row) return;
    const last = Math.min(count, this.events.length) - 1;
    this.events.forEach((button, i) => {
      button.classList.toggle("ahead", i > last);
      if (i === last) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    this.reveal(row, this.events[last] ?? row);
  }

  /** Lists the ops of one page; the edges lead to the pages before and after. */
  turn(page) {
    const { story, ops, first, words } = this.player;
    this.page = page;
    this.op = -1;
    this.from = page * PAGE;
    const to = Math.min(story.ops.length, this.from + PAGE);
    this.rows = [];
    for (let i = this.from; i < to; i++) {
      const row = el("li", i < ops ? "" : "beyond");
      row.button = el("button", "op");
      row.button.append(el("code", "", opText(this.tape.op(i))));
      row.button.title = opText(this.tape.op(i), 60);
      if (i < ops) row.button.dataset.at = first[i + 1];
      else row.button.disabled = true;
      row.append(row.button);
      this.rows.push(row);
    }
    this.list.replaceChildren(...this.rows);
    this.list.start = this.from + 1;
    const edge = (key, n, at) => {
      const button = this.player.part(key);
      button.hidden = n <= 0;
      button.dataset.at = at;
      if (n > 0) say(button, words.ui(key, { n }));
    };
    edge("earlier", this.from, first[Math.min(this.from, ops)]);
    edge("later", story.ops.length - to, first[Math.min(to + 1, ops)]);
  }

  open(op) {
    const old = this.rows[this.op - this.from];
    old?.classList.remove("now");
    old?.button.removeAttribute("aria-current");
    old?.querySelector(".events")?.remove();
    this.op = op;
    this.events = [];
    const row = this.rows[op - this.from];
    if (op < 0 || !row) return;
    row.classList.add("now");
    row.button.setAttribute("aria-current", "step");
    const events = op < this.tape.steps.length ? this.tape.events(op) : [];
    if (events.length === 1 && ["question", "outside"].includes(events[0].kind)) return;
    const wrong = this.strange(op, events);
    const list = el("ol", "events");
    this.events = events.map((event, i) => {
      const button = el("button", wrong.has(event) ? "wrong" : "", this.player.words.event(this.tape, op, event, this.tape.state)[0]);
      button.dataset.at = this.player.first[op] + i + 1;
      const item = el("li");
      item.append(button);
      list.append(item);
      return button;
    });
    row.append(list);
  }

  /** The events of an op that are not the contract's. */
  strange(op, events) {
    if (this.tape.extra(op).agree !== false) return new Set();
    const plain = ({ kind, block, ref, tag, slot, entry, older }) => JSON.stringify([kind, slot ?? block, ref, tag, entry, older]);
    const right = new Set(this.tape.explained(op).map(plain));
    return new Set(events.filter((event) => !right.has(plain(event))));
  }

  /** What an op gave, once it is over; and a mark where that was not the contract's. */
  result(row, i, op, count) {
    const over = i < this.tape.steps.length && (i < op || (i === op && count >= this.tape.length(i)));
    if (Boolean(row.over) === over) return;
    row.over = over;
    row.classList.toggle("past", over);
    row.querySelector(".gave")?.remove();
    if (!over) return;
    const result = narrow(this.tape.steps[i][0]);
    const { agree, broken } = this.tape.extra(i);
    const wrong = agree === false ? " ≠" : broken ? " !" : "";
    if (result === null && !wrong) return;
    const gave = `${result === null ? "" : `→ ${text(result)}`}${wrong}`;
    row.button.append(el("span", wrong ? "gave wrong" : "gave", gave));
  }

  /** Scrolls the list, never the page, until the current event can be seen. */
  reveal(row, lit) {
    const box = this.player.part("scroll");
    const top = (node) => node.offsetTop;
    if (top(lit) + lit.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top(lit) + lit.offsetHeight - box.clientHeight + 40;
    else if (top(lit) < box.scrollTop) box.scrollTop = top(lit);
    if (top(row) < box.scrollTop && top(lit) + lit.offsetHeight - top(row) < box.clientHeight) box.scrollTop = top(row);
  }
}
