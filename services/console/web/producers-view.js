import { count, percent } from "./amounts.js";
import { get } from "./api.js";
import { circuitRow, CIRCUIT_COLUMNS, closeCircuits } from "./circuits-view.js";
import { at, choiceOf, fill, h } from "./dom.js";
import { empty, failed, loading, table } from "./states.js";
import { trendLine } from "./trend.js";

const SPANS = { hour: "the last hour", two_days: "the last two days" };
const COLUMNS = ["Agent", "Contract", "Model", "Prompt", "Outputs", "Malformed", "Rate", "Trend"];

/** @type {{ span: "hour" | "two_days" }} */
const asked = { span: "hour" };

/** Who makes malformed outputs, and what happens because of it. */
export async function openProducers(caller) {
  if (at("detail").querySelector("[data-page=producers]") === null) {
    closeCircuits();
    fill(at("detail"), build(caller));
  }
  await load(caller);
}

function build(caller) {
  const onchoose = (span) => {
    asked.span = span;
    void load(caller);
  };
  const span = choiceOf(SPANS, { value: asked.span, onchoose });
  return h(
    "section",
    { class: "page", data: { page: "producers" } },
    h("h2", { text: "Producers and their circuits" }),
    h("p", {
      class: "quiet",
      text: "The surgeon heals data, not causes. This is who makes what it heals; past a threshold an agent's circuit opens, and what its team declares happens.",
    }),
    h(
      "section",
      { class: "panel" },
      h("h3", { text: "Circuits" }),
      h("div", { data: { slot: "circuits" } }, loading("circuits")),
    ),
    h(
      "section",
      { class: "panel" },
      h("h3", { text: "Malformed outputs" }),
      h("label", { class: "field narrow" }, "Counted over ", span),
      h("div", { data: { slot: "rates" } }, loading("rates")),
    ),
  );
}

async function load(caller) {
  const slot = (name) => at("detail").querySelector(`[data-page=producers] [data-slot=${name}]`);
  const again = () => load(caller);
  try {
    const [{ circuits }, { producers, span }] = await Promise.all([
      get("/v1/circuits"),
      get("/v1/producers", { query: { span: asked.span } }),
    ]);
    if (slot("circuits") === null || span !== asked.span) return;
    showCircuits(slot("circuits"), circuits, { caller, reload: again });
    fill(slot("rates"), ...rates(producers));
  } catch (problem) {
    if (slot("circuits") !== null) fill(slot("rates"), failed(problem, again));
  }
}

/** Rows stay while somebody writes a reason in one of them: each is kept, and told anew. */
function showCircuits(slot, circuits, around) {
  if (circuits.length === 0) {
    fill(slot, empty("No agent has worked in the last week: there are no circuits."));
    return;
  }
  const rows = circuits.map((circuit) => circuitRow(circuit, around));
  const body = slot.querySelector("tbody");
  const isInPlace =
    body !== null && body.children.length === rows.length && rows.every((row, i) => body.children[i] === row);
  if (!isInPlace) fill(slot, table({ caption: "Circuits", columns: CIRCUIT_COLUMNS, rows }));
}

function rates(producers) {
  if (producers.length === 0) return [empty(`Nothing was made in ${SPANS[asked.span]}.`)];
  const bad = producers.filter(({ malformed }) => malformed > 0).length;
  return [
    h("p", {
      class: bad > 0 ? "" : "good",
      text:
        bad > 0
          ? `${bad} of ${producers.length} producers made malformed outputs; the worst first.`
          : "Every output was well-formed.",
    }),
    table({ caption: "Malformed outputs by producer", columns: COLUMNS, rows: producers.map(rateRow) }),
  ];
}

function rateRow(one) {
  const unit = asked.span === "hour" ? "minute" : "hour";
  return h(
    "tr",
    {},
    h("th", { scope: "row", text: one.agent }),
    h("td", { text: one.contract }),
    h("td", { text: one.model ?? "handed on" }),
    h("td", { text: one.prompt_version ?? "" }),
    h("td", { text: count(one.outputs) }),
    h("td", { text: count(one.malformed) }),
    h("td", {}, h("span", { class: one.malformed > 0 ? "bad" : "", text: percent(one.rate) })),
    h(
      "td",
      {},
      trendLine(one.trend.outputs, {
        part: one.trend.malformed,
        label: `Outputs by ${unit}; malformed in this one: ${one.trend.malformed.at(-1) ?? 0}`,
      }),
    ),
  );
}
