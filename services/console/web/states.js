import { h } from "./dom.js";

/** What stands where something is being fetched. */
export const loading = (what) => h("p", { class: "quiet", role: "status", text: `Loading ${what} …` });

/** What stands where there is nothing, and why that is so. */
export const empty = (text) => h("p", { class: "quiet none", text });

/** What went wrong, in words, with a way to try again. */
export function failed(problem, retry) {
  return h(
    "div",
    { class: "failed", role: "alert" },
    h("p", { class: "bad", text: problem.message }),
    h("button", { type: "button", text: "Try again", onclick: () => void retry() }),
  );
}

/** A table that scrolls by itself where it is too wide. `caption` says what it is to who cannot see it. */
export function table({ caption, columns, rows }) {
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    h(
      "table",
      { class: "list" },
      h("caption", { class: "unseen", text: caption }),
      h("thead", {}, h("tr", {}, ...columns.map((text) => h("th", { scope: "col", text })))),
      h("tbody", {}, ...rows),
    ),
  );
}

/** Facts with their names; a value is a text or an element. */
export function facts(pairs) {
  return h(
    "dl",
    { class: "facts" },
    ...pairs
      .filter((pair) => pair !== null && pair !== false)
      .map(([name, value]) => h("div", {}, h("dt", { text: name }), h("dd", {}, value))),
  );
}

/**
 * The way to the page before and after.
 *
 * @param {{ offset: number, limit: number, total: number, go: (offset: number) => void }} page
 */
export function pager({ offset, limit, total, go }) {
  if (total <= limit && offset === 0) return null;
  const button = (text, to, isOff) =>
    h("button", {
      type: "button",
      text,
      disabled: isOff,
      data: { key: `page:${text}` },
      onclick: () => go(to),
    });
  const last = Math.min(total, offset + limit);
  return h(
    "nav",
    { class: "buttons", "aria-label": "Pages of this list" },
    button("Before", Math.max(0, offset - limit), offset === 0),
    h("span", { class: "quiet", text: `${offset + 1} to ${last} of ${total}` }),
    button("After", offset + limit, last >= total),
  );
}
