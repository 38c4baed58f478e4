import { at, fill, h } from "./dom.js";

const SIGNS = [
  ["submitted", ""],
  ["completed", "="],
  ["failed", "+"],
  ["cancelled", "+"],
  ["expired", "+"],
  ["waiting", "+"],
];

/** submitted = completed + failed + … + waiting, and whether it holds. */
export function showEquation(equation) {
  const terms = SIGNS.flatMap(([name, sign]) => [
    sign === "" ? null : h("span", { class: "sign", text: sign, "aria-hidden": "true" }),
    h(
      "span",
      { class: "term", data: { term: name } },
      h("b", { text: equation[name] }),
      h("small", { text: name }),
    ),
  ]);
  const verdict = equation.balanced ? "balanced" : "NOT BALANCED";
  const state = equation.balanced ? "good" : "bad";
  fill(at("equation"), ...terms, h("span", { class: `verdict ${state}`, role: "status", text: verdict }));
}

export function showRehearsal(isRehearsal) {
  at("rehearsal").hidden = !isRehearsal;
}

/** Whether the page is told what happens. */
export function showConnection(state) {
  at("connection").dataset.state = state;
  at("connection").textContent = state;
}
