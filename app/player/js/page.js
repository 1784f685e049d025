// Small helpers for the page.

function el(tag, cls = "", content = "") {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  if (content !== "") node.textContent = content;
  return node;
}

function say(node, content) {
  if (node.textContent !== content) node.textContent = content;
}

function icon(id) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#kvh-${id}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** Makes the children of `box` those of `items`, touching only what is new, gone or moved. */
function keyed(box, items, keyOf, make, update) {
  const old = (box.rows ??= new Map());
  const now = new Map(items.map((item) => [keyOf(item), item]));
  for (const [key, node] of old) {
    if (now.has(key)) continue;
    node.remove();
    old.delete(key);
  }
  let at = box.firstElementChild;
  for (const [key, item] of now) {
    let node = old.get(key);
    if (!node) old.set(key, (node = make(item)));
    update(node, item);
    if (node === at) at = at.nextElementSibling;
    else box.insertBefore(node, at);
  }
}

const cut = (list, head, tail) => (list.length <= head + tail + 1 ? [list, 0, []] : [list.slice(0, head), list.length - head - tail, list.slice(-tail)]);
