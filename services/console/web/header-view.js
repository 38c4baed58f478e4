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

/** What surgery costs in this hour, of what it may; at the limit, what that means. */
export function showSurgery({
  surgery_cost_this_hour: spent,
  surgery_limits: limits,
  surgery_put_off_this_hour: waits,
}) {
  const line = `Surgery: $${spent.toFixed(2)} of $${limits.cost_per_hour.toFixed(2)} this hour`;
  const limit = `at most $${limits.cost_per_case.toFixed(2)} a case, $${limits.cost_per_group.toFixed(2)} a group`;
  const rest =
    waits > 0 ? ` · SPENT: ${waits} questions wait for the next hour; it goes on by itself then` : "";
  at("surgery").className = waits > 0 ? "bad" : "quiet";
  at("surgery").textContent = `${line}, ${limit}${rest}`;
}
