// The picture of a step: one SVG, drawn from the state in the colours of the light theme.

const INK = { used: ["#e3edf8", "#2f6db3"], shared: ["#f6e3db", "#a8482a"], cart: ["#fdf6e3", "#b07a12"], free: ["none", "#b9b7ae"], lost: ["none", "#b3261e"], unknown: ["none", "#b9b7ae"] };

function picture(hotels, words, title, what) {
  const escape = (value) => String(value).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const out = [];
  const write = (x, y, size, value, extra = "") => out.push(`<text x="${x}" y="${y}" font-size="${size}" ${extra}>${escape(value)}</text>`);
  const columns = hotels[0].layout === "cards" ? 4 : hotels[0].layout === "compact" ? 10 : 32;
  const wide = 640 / columns;
  const high = columns === 4 ? 78 : columns === 10 ? 40 : 20;
  let deepest = 0;
  write(20, 30, 17, title, 'font-weight="600"');
  write(20, 52, 13, what, 'fill="#5b5a55"');
  hotels.forEach((hotel, side) => {
    const { state } = hotel.tape;
    const left = 20 + side * 680;
    let y = 76;
    if (hotels.length > 1) write(left, y, 13, hotel.part("manager").textContent, 'font-weight="600"');
    for (let block = 0; block < state.rooms; block++) {
      const kind = hotel.kinds[block];
      const x = left + (block % columns) * wide;
      const top = y + 12 + Math.floor(block / columns) * high;
      const [paint, line] = INK[kind];
      out.push(`<rect x="${x + 2}" y="${top + 2}" width="${wide - 4}" height="${high - 4}" rx="4" fill="${paint}" stroke="${line}"${kind === "free" ? ' stroke-dasharray="3 2"' : ""}/>`);
      if (columns === 32) continue;
      write(x + 8, top + 18, 12, block, 'font-weight="600"');
      const ref = state.readable && state.ref[block] ? ` · ${words.ui("ref", { ref: state.ref[block] })}` : "";
      if (columns === 10) {
        write(x + wide - 7, top + 31, 9, words.ui(kind) + (state.ref[block] > 1 ? ` ${state.ref[block]}` : ""), 'text-anchor="end"');
        continue;
      }
      write(x + wide - 8, top + 18, 11, words.ui(kind) + ref, 'text-anchor="end" fill="#5b5a55"');
      if (kind !== "free") write(x + 8, top + 42, 13, brief(state.content[block], 8), 'font-family="monospace"');
      write(x + 8, top + 62, 11, state.guests[block].map(name).join(" "), 'fill="#5b5a55"');
      if (state.hash[block] !== null) write(x + wide - 8, top + 62, 11, short(state.hash[block]), 'text-anchor="end" font-family="monospace"');
    }
    y += 34 + Math.ceil(state.rooms / columns) * high;
    let x = left;
    for (const [kind, number] of Object.entries(hotel.counts).filter(([, number]) => number)) {
      const [paint, line] = INK[kind];
      out.push(`<rect x="${x}" y="${y - 10}" width="11" height="11" rx="2" fill="${paint}" stroke="${line}"/>`);
      write(x + 17, y, 12, `${number} ${words.ui(kind)}`);
      x += 130;
    }
    y += 24;
    if (state.readable) {
      write(left, y, 12, `${words.ui("free.list")}: ${brief(state.free, 24) || words.ui("nothing")}`);
      write(left, y + 20, 12, `${words.ui("cart.list")}: ${brief(state.cart, 24) || words.ui("nothing")}`);
    }
    y += 46;
    for (const [seq, table] of [...state.tables].slice(-GROUPS)) {
      write(left, y, 12, `${name(seq)}: ${words.ui("at.rooms", { rooms: brief(table, 16) })} · ${words.ui("cached", { n: state.cached.get(seq) ?? 0 })}`);
      y += 18;
    }
    deepest = Math.max(deepest, y);
  });
  const width = 680 * hotels.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${deepest + 8}" viewBox="0 0 ${width} ${deepest + 8}" font-family="system-ui, sans-serif" fill="#23221f"><rect width="100%" height="100%" fill="#fff"/>${out.join("")}</svg>`;
}
