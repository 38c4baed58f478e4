import { visible } from "./visible.js";

/**
 * Makes an element. Every text becomes a text node: nothing that came with a message is ever read as markup, and what
 * cannot be seen in it is written out.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [about] Attributes; `on…` are listeners, `text` is the content, `data` a dataset.
 * @param {...(Node | string | null | false)} inside
 * @returns {any} The element, of whatever kind its tag makes it.
 */
export function h(tag, about = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) set(element, name, value);
  element.append(...inside.filter(isThere).map((part) => (typeof part === "string" ? visible(part) : part)));
  return element;
}

const isThere = (part) => part !== null && part !== undefined && part !== false;

/** Attributes that people read, or hear. */
const READ = new Set(["title", "aria-label", "placeholder"]);

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "text") element.textContent = visible(String(value));
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (READ.has(name)) element.setAttribute(name, visible(String(value)));
  else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * Makes a select.
 *
 * @param {Record<string, string>} options Texts by value.
 * @param {{value?: string, onchoose?: (value: string) => void}} [about] And attributes as `h` takes them.
 */
export function choiceOf(options, { value, onchoose, ...about } = {}) {
  const select = h(
    "select",
    { ...about, onchange: onchoose === undefined ? undefined : () => onchoose(select.value) },
    ...Object.entries(options).map(([name, text]) => h("option", { value: name, text })),
  );
  if (value !== undefined) select.value = value;
  return select;
}

/** @param {string} id @returns {any} The element, of whatever kind the page has there. */
export function at(id) {
  return document.getElementById(id);
}

/** What is pressed, and content that waits until it is let go. */
const press = { on: null, waiting: new Map() };

document.addEventListener("pointerdown", (event) => (press.on = event.target), true);
for (const end of ["pointerup", "pointercancel", "dragend"]) document.addEventListener(end, letGo, true);

/** After the click, which comes after this. */
function letGo() {
  setTimeout(() => {
    press.on = null;
    const waiting = [...press.waiting];
    press.waiting.clear();
    for (const [element, inside] of waiting) fill(element, ...inside);
  });
}

/**
 * Puts new content in place, and the focus back where it was if what had it is still there by its `data-key`. While
 * something in it is pressed it waits: a button that is replaced under a finger is never clicked.
 */
export function fill(element, ...inside) {
  press.waiting.delete(element);
  if (press.on !== null && element.contains(press.on)) {
    press.waiting.set(element, inside);
    return;
  }
  /** @type {any} */
  const active = document.activeElement;
  const key = element.contains(active) ? active.dataset.key : undefined;
  element.replaceChildren(
    ...inside.filter(isThere).map((part) => (typeof part === "string" ? visible(part) : part)),
  );
  if (key !== undefined)
    element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** Says something where it stands; again only when it is something else, because it is read out. "" says nothing. */
export function say(element, text) {
  const safe = visible(text);
  if (element.textContent !== safe || element.hidden) element.textContent = safe;
  element.hidden = text === "";
}

let noticeTimer;

/** Says something at the foot of the page for a while. */
export function notify(text, kind = "info") {
  const notice = at("notice");
  notice.textContent = visible(text);
  notice.dataset.kind = kind;
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => (notice.hidden = true), kind === "bad" ? 9000 : 4000);
}
