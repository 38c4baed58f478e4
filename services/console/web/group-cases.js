import { count, usd } from "./amounts.js";
import { get } from "./api.js";
import { caseHead } from "./case-link.js";
import { fill, h } from "./dom.js";
import { empty, failed, table } from "./states.js";
import { when } from "./when.js";

const LIMIT = 50;
const COLUMNS = ["Case", "Status", "Arrived", "Operations", "Cost", "Why it waits"];

/** Which page of which group's cases is shown: cursors of the pages before it, so that one can go back. */
const shown = { fingerprint: "", cursors: [null], status: "" };

/** A page of the cases of a group. However many there are, one page is fetched and drawn. */
export async function showGroupCases(slot, fingerprint) {
  if (shown.fingerprint !== fingerprint) Object.assign(shown, { fingerprint, cursors: [null], status: "" });
  const given = { fingerprint, status: shown.status, cursor: shown.cursors.at(-1) ?? "", limit: LIMIT };
  const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  const again = () => showGroupCases(slot, fingerprint);
  try {
    const page = await get("/v1/ward/cases", { query });
    if (shown.fingerprint !== fingerprint) return;
    fill(slot, filter(again), ...list(page, again));
  } catch (problem) {
    fill(slot, failed(problem, again));
  }
}

function filter(again) {
  const options = ["", "quarantined", "admitted", "in_surgery", "discharged", "released", "discarded"];
  const select = h(
    "select",
    {
      data: { key: "cases:status" },
      onchange: () => {
        Object.assign(shown, { status: select.value, cursors: [null] });
        void again();
      },
    },
    ...options.map((value) => h("option", { value, text: value === "" ? "any" : value.replace("_", " ") })),
  );
  select.value = shown.status;
  return h("label", { class: "field narrow" }, "Status ", select);
}

function list({ cases, cursor, searched, total }, again) {
  const isFirst = shown.cursors.length === 1;
  const none =
    cursor !== null
      ? `None of this status among ${count(searched)} of ${count(total)} cases that were looked at. “Older” looks at the next ones.`
      : shown.status === ""
        ? "Its cases are kept no more."
        : "No case of this status.";
  const go = (cursors) => {
    shown.cursors = cursors;
    void again();
  };
  const button = (text, isOff, onclick) =>
    h("button", { type: "button", text, disabled: isOff, data: { key: `cases:${text}` }, onclick });
  return [
    cases.length === 0
      ? empty(none)
      : table({ caption: "Cases of this group", columns: COLUMNS, rows: cases.map(row) }),
    h(
      "nav",
      { class: "buttons", "aria-label": "Pages of cases" },
      button("Newer", isFirst, () => go(shown.cursors.slice(0, -1))),
      h("span", { class: "quiet", text: `page ${shown.cursors.length}, newest first` }),
      button("Older", cursor === null, () => go([...shown.cursors, cursor])),
    ),
  ];
}

function row(one) {
  return h(
    "tr",
    {},
    caseHead(one.case_id, "row"),
    h(
      "td",
      {},
      h("span", { class: "status", data: { status: one.status }, text: one.status.replace("_", " ") }),
      one.messages > 1 && h("span", { class: "badge bad", text: `came back ${one.messages - 1}×` }),
    ),
    h("td", {}, when(one.admitted_ms)),
    h("td", { text: one.operations }),
    h("td", { text: usd(one.cost) }),
    h("td", { text: one.diagnosis ?? "" }),
  );
}
