import { actForm } from "./act-form.js";
import { count, percent } from "./amounts.js";
import { post } from "./api.js";
import { hideBanner, showBanner } from "./banners.js";
import { fill, h } from "./dom.js";
import { clockAt, lasting, when } from "./when.js";

export const CIRCUIT_COLUMNS = ["Agent", "State", "Since", "While open", "Counted", "Opens at", "By hand"];

const STATES = { closed: "closed", open: "open", half_open: "on trial" };

/** Each circuit's row, with the reason that somebody may be writing in it. */
const rows = new Map();

export function closeCircuits() {
  rows.clear();
}

/** One circuit as a row of a table. The same row each time, reasons anew. */
export function circuitRow(circuit, { caller, reload }) {
  const known = rows.get(circuit.agent) ?? build(circuit.agent, { caller, reload });
  rows.set(circuit.agent, known);
  const { cells, form } = known;
  cells.state.replaceChildren(...stateOf(circuit));
  fill(cells.since, when(circuit.changed_ms));
  fill(cells.reaction, h("span", { text: circuit.reaction || "alert" }));
  fill(cells.counted, h("span", { text: countedOf(circuit) }));
  fill(cells.rule, h("span", { class: "quiet", text: ruleOf(circuit.declared) }));
  form?.update({ version: circuit.generation, actions: actionsFor(circuit) });
  return known.element;
}

function build(agent, { caller, reload }) {
  const cell = () => h("td", {});
  const cells = { state: cell(), since: cell(), reaction: cell(), counted: cell(), rule: cell() };
  const form =
    caller.role === "viewer"
      ? null
      : actForm({
          label: `Why, for the circuit of ${agent}`,
          reload,
          send: (/** @type {"open" | "close"} */ action, body) =>
            post(`/v1/circuits/{agent}/${action}`, { path: { agent }, body }),
        });
  const element = h(
    "tr",
    {},
    h("th", { scope: "row", text: agent }),
    ...Object.values(cells),
    h("td", {}, form === null ? "" : form.element),
  );
  return { element, cells, form };
}

function stateOf({ state, held_by: heldBy, until_ms: untilMs, outputs, malformed }) {
  const name = h("span", { class: "circuit-state", data: { state }, text: STATES[state] ?? state });
  if (state === "closed") return [name];
  const why =
    heldBy === null
      ? ` ${count(malformed)} of ${count(outputs)} outputs were malformed.`
      : ` ${heldBy} opened it.`;
  if (state === "half_open") return [name, " Some of its work is done the usual way, and decides."];
  if (heldBy !== null) return [name, h("span", { text: `${why} It stays open until somebody closes it.` })];
  return [
    name,
    h("span", { text: why }),
    ...(untilMs === null ? [] : [" On trial from ", clockAt(untilMs), "."]),
  ];
}

function countedOf({ state, counted, declared }) {
  const share = counted.outputs === 0 ? "" : ` (${percent(counted.malformed / counted.outputs)})`;
  const text = `${count(counted.malformed)} malformed of ${count(counted.outputs)}${share}`;
  if (state === "open") return "nothing while it is open";
  if (state === "half_open")
    return declared === null
      ? `on trial: ${text}`
      : `on trial: ${text}; ${count(declared.trial_outputs)} decide`;
  return text;
}

function ruleOf(declared) {
  if (declared === null) return "its team is not loaded here";
  const opens = `${percent(declared.threshold)} of at least ${count(declared.outputs_min)} outputs`;
  const trial = `trial after ${lasting(declared.cooldown_ms)} with ${percent(declared.trial_share)} of its work`;
  return `${opens} in ${lasting(declared.window_ms)}; ${trial}`;
}

function actionsFor({ agent, state }) {
  const open = { name: "open", title: `Open ${agent}`, needsWhy: true, kind: "danger" };
  const close = { name: "close", title: `Close ${agent}`, needsWhy: true };
  return state === "closed" ? [open] : state === "open" ? [close] : [close, open];
}

/** A banner while a circuit is open, on every page. */
export function showOpenCircuits(circuits) {
  const open = circuits.filter(({ state }) => state !== "closed");
  if (open.length === 0) return hideBanner("circuits");
  const reasons = open.map(
    ({ agent, state, reaction }) => `${agent} (${STATES[state] ?? state}: ${reaction || "alert"})`,
  );
  showBanner(
    "circuits",
    h("strong", { text: open.length === 1 ? "A circuit is open: " : "Circuits are open: " }),
    `${reasons.join(", ")}. `,
    h("a", { href: "#producers", text: "See who makes malformed outputs" }),
  );
}
