import { count, percent } from "./amounts.js";
import { get } from "./api.js";
import { at, choiceOf, fill, h } from "./dom.js";
import { empty, failed, loading, table } from "./states.js";
import { trendLine } from "./trend.js";

const SPANS = { hour: "the last hour", two_days: "the last two days" };
const COLUMNS = ["Agent", "Contract", "Model", "Prompt", "Outputs", "Malformed", "Rate", "Trend"];

/** @type {{ span: "hour" | "two_days" }} */
const asked = { span: "hour" };

/** Who makes malformed outputs. */
export async function openProducers() {
  if (at("detail").querySelector("[data-page=producers]") === null) fill(at("detail"), build());
  await load();
}

function build() {
  const onchoose = (span) => {
    asked.span = span;
    void load();
  };
  const span = choiceOf(SPANS, { value: asked.span, onchoose });
  return h(
    "section",
    { class: "page", data: { page: "producers" } },
    h("h2", { text: "Producers" }),
    h("p", {
      class: "quiet",
      text: "The surgeon heals data, not causes. This is who makes what it heals.",
    }),
    h(
      "section",
      { class: "panel" },
      h("h3", { text: "Malformed outputs" }),
      h("label", { class: "field narrow" }, "Counted over ", span),
      h("div", { data: { slot: "rates" } }, loading("rates")),
    ),
  );
}

async function load() {
  const slot = () => at("detail").querySelector("[data-page=producers] [data-slot=rates]");
  try {
    const { producers, span } = await get("/v1/producers", { query: { span: asked.span } });
    if (slot() === null || span !== asked.span) return;
    fill(slot(), ...rates(producers));
  } catch (problem) {
    if (slot() !== null) fill(slot(), failed(problem, load));
  }
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
