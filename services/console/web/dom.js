/**
 * Makes an element. Every text becomes a text node: nothing that came with a letter is ever read as markup.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [about] Attributes; `on…` are listeners, `text` is the content, `data` a dataset.
 * @param {...(Node | string | null | false)} inside
 */
export function h(tag, about = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) set(element, name, value);
  element.append(...inside.filter((part) => part !== null && part !== false));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "text") element.textContent = String(value);
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** @param {string} id */
export function at(id) {
  return document.getElementById(id);
}

/** Puts new content in place, and the focus back where it was if what had it is still there by its `data-key`. */
export function fill(element, ...inside) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...inside.filter((part) => part !== null && part !== false));
  if (key !== undefined)
    element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** Says something at the foot of the page for a while. */
export function notify(text, kind = "info") {
  const notice = at("notice");
  notice.textContent = text;
  notice.dataset.kind = kind;
  notice.hidden = false;
  clearTimeout(notify.timer);
  notify.timer = setTimeout(() => (notice.hidden = true), kind === "bad" ? 9000 : 4000);
}

const AGES = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** How long ago, in few letters. @param {number} ms Since the epoch. */
export function ago(ms) {
  const age = Math.max(0, Date.now() - ms);
  const [unit, name] = AGES.find(([size]) => age >= size) ?? [1000, "s"];
  return `${Math.floor(age / unit)} ${name} ago`;
}

/** The time of day of an RFC 3339 text. */
export function clock(text) {
  return new Date(text).toLocaleTimeString([], { hour12: false });
}
