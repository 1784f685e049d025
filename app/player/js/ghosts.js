// Moving cards: where each starts is measured before the page changes, where it ends after.

const FLIGHT = 620; // ms at 1×
const REDUCED = matchMedia("(prefers-reduced-motion: reduce)");

/** What moves in `event`, in the hotel that still shows the moment before it. */
function moves(hotel, event) {
  const at = (node) => node?.getBoundingClientRect();
  const { block, tag, seq, kind } = event;
  const { state } = hotel.tape;
  const room = hotel.rooms[block];
  const chip = (queue) => hotel.part(queue).rows?.get(block) ?? hotel.part(queue);
  const group = () => hotel.side.part("groups").rows?.get(seq)?.querySelector(".badge");
  const card = () => hotel.side.part("cards").rows?.get(tag)?.firstElementChild;
  const guest = () => room?.querySelector(".badge:last-of-type") ?? room;
  const found = [];
  const move = (cls, content, from, to) => found.push({ cls, content, from: at(from), to, hue: hotel.player.hue(seq) });
  if (kind === "take") move("key", String(block), chip("free"), () => room);
  if (kind === "revive" || kind === "evict") move("book", String(block), chip("cart"), () => room);
  if (["take", "revive", "evict", "share"].includes(kind)) move("guests", name(seq), group(), guest);
  if (kind === "evict" && event.entry) move("torn", short(tag), card() ?? room?.tag ?? room, null);
  if (kind === "register" && event.entry) move("label", short(tag), room?.tag?.hidden === false ? room.tag : room, card);
  if (kind === "to_free") move("key", String(block), room, () => chip("free"));
  if (kind === "to_cart") move("book", String(block), room, () => chip("cart"));
  if (kind === "unshare") move("guests", name(seq), guest(), group);
  if (kind === "append") {
    const home = hotel.rooms[Math.floor(event.slot / state.size)];
    move("guests", String(event.token), group(), () => home?.beds?.[event.slot % state.size] ?? home);
  }
  return found;
}

/** Sends the cards on their way over `root`; a torn one falls apart where it is. */
function fly(root, box, found, speed) {
  const { left, top } = root.getBoundingClientRect();
  for (const { cls, content, from, to, hue } of found) {
    const end = to === null ? from : to()?.getBoundingClientRect();
    if (!from || !end) continue;
    for (const half of cls === "torn" ? ["left", "right"] : [""]) {
      const ghost = el("span", `ghost ${cls} ${half}`, content);
      ghost.style.setProperty("--a", hue);
      box.append(ghost);
      const place = (rect) => {
        const x = rect.left + rect.width / 2 - left - ghost.offsetWidth / 2;
        const y = rect.top + rect.height / 2 - top - ghost.offsetHeight / 2;
        return `translate(${x}px, ${y}px)`;
      };
      const apart = { left: "translate(-26px, 34px) rotate(-24deg)", right: "translate(26px, 40px) rotate(20deg)" }[half] ?? "";
      const frames = [
        { transform: place(from), opacity: 1 },
        { transform: `${place(end)} ${apart}`, opacity: half ? 0 : 1 },
      ];
      const timing = { duration: FLIGHT / Math.max(1, speed), easing: "cubic-bezier(.45,.05,.25,1)", fill: "forwards" };
      ghost.animate(frames, timing).finished.then(() => ghost.remove(), () => {});
    }
  }
}
