// The picture on the first page: moments of a trace, one after the other. It stands still for whoever asks for it.

const BEAT = 3600; // ms a moment
const PLAY = "M4 3v10l9-5z";
const PAUSE = "M4 3h3v10H4zM9 3h3v10H9z";
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const FIRST = 2; // the moment to begin with: two chats share what they have in common

const el = (tag, cls, content = "") => {
  const node = document.createElement(tag);
  node.className = cls;
  node.textContent = content;
  return node;
};

class Stage {
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.at = FIRST;
    this.moving = !STILL.matches;
    this.part("turn").onclick = () => (this.moving ? this.pause() : this.play());
    root.onpointerenter = () => clearTimeout(this.timer);
    root.onpointerleave = () => this.wait();
  }

  load(data) {
    this.data = data;
    this.root.hidden = false;
    this.root.lang = data.lang;
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", data.words.title);
    this.part("rooms").replaceChildren(...data.frames[0].rooms.map((_, i) => el("li", "room")));
    this.part("dots").replaceChildren(...data.frames.map((frame, i) => {
      const dot = el("button", "");
      dot.setAttribute("aria-label", `${i + 1} / ${data.frames.length}: ${frame.say}`);
      dot.onclick = () => { this.pause(); this.go(i); };
      return dot;
    }));
    this.paint();
    this.wait();
  }

  play() { this.moving = true; this.go(this.at + 1); }
  pause() { this.moving = false; clearTimeout(this.timer); this.button(); }
  wait() {
    clearTimeout(this.timer);
    if (this.moving) this.timer = setTimeout(() => this.go(this.at + 1), BEAT);
  }

  go(at) {
    this.at = at % this.data.frames.length;
    this.paint();
    this.wait();
  }

  button() {
    const name = this.data.words[this.moving ? "pause" : "play"];
    this.part("turn").setAttribute("aria-label", name);
    this.part("turn").title = name;
    this.part("icon").setAttribute("d", this.moving ? PAUSE : PLAY);
  }

  paint() {
    const { frames, words } = this.data;
    const frame = frames[this.at];
    this.button();
    this.part("who").textContent = frame.who;
    this.part("who").style.setProperty("--hue", frame.who ? `var(--${frame.who.toLowerCase()})` : "transparent");
    const spoken = frame.prompt.map((word, i) => el("li", i < frame.cached ? "cached" : "", word));
    this.part("prompt").replaceChildren(...(spoken.length ? spoken : [el("li", "idle", frame.who ? words.leaves : "")]));
    this.part("say").textContent = frame.say;
    [...this.part("dots").children].forEach((dot, i) => i === this.at ? dot.setAttribute("aria-current", "true") : dot.removeAttribute("aria-current"));
    frame.rooms.forEach((room, i) => this.room(this.part("rooms").children[i], room, i));
  }

  room(node, room, number) {
    const seen = JSON.stringify([room, this.data.lang]);
    if (node.seen === seen) return;
    const lit = room.groups.length > 0;
    node.className = `room ${lit ? "lit" : room.state}${node.seen ? " fresh" : ""}`;
    if (lit) {
      node.style.setProperty("--a", `var(--${room.groups[0].toLowerCase()})`);
      node.style.setProperty("--b", `var(--${room.groups.at(-1).toLowerCase()})`);
    } else node.style.cssText = "";
    const head = el("div", "head");
    head.append(el("b", "", number), el("span", "", lit ? room.groups.join(" + ") : this.data.words[room.state]));
    const beds = el("div", "beds");
    for (let i = 0; i < this.data.beds; i++) beds.append(el("span", room.beds[i] === undefined ? "bed none" : "bed", room.beds[i] ?? ""));
    node.replaceChildren(head, beds);
    node.seen = seen;
  }
}

export default function mount({ data, parentElement }) {
  const root = parentElement.querySelector(".kvf");
  root.stage ??= new Stage(root);
  if (JSON.stringify(root.stage.data) !== JSON.stringify(data)) root.stage.load(data);
  return () => {
    root.stage?.pause();
    root.stage = undefined;
  };
}
