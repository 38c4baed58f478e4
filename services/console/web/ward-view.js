import { count } from "./amounts.js";
import { get } from "./api.js";
import { at, fill, h, notify } from "./dom.js";
import { groupName } from "./group-name.js";
import { trendLine } from "./trend.js";
import { when } from "./when.js";

const STATUSES = ["quarantined", "admitted", "in_surgery", "discharged", "released", "discarded"];
const NAMES = { in_surgery: "in surgery", admitted: "admitted" };

/**
 * What the list shows: its filters, and the cases that met them. `searched` of `total` cases were looked at;
 * `isLonger`: somebody has gone on beyond the first page.
 */
const list = { status: "", fingerprint: "", text: "", cases: [], chosen: "", ...nothingYet() };

function nothingYet() {
  return { cursor: null, searched: 0, total: 0, isLonger: false };
}

export const chosenGroup = () => list.fingerprint;

/** The cases that are listed, for walking through them. */
export const listedIds = () => list.cases.map(({ case_id }) => case_id);

export function showCounts(counts) {
  const all = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  const chips = [["", all], ...STATUSES.map((status) => [status, counts[status]])].map(([status, cases]) =>
    h(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(list.status === status),
        data: { status, key: `status:${status}` },
        onclick: () => choose({ status }),
      },
      NAMES[status] ?? (status || "all"),
      h("b", { text: cases }),
    ),
  );
  fill(at("counts"), ...chips);
}

export function choose(filter) {
  Object.assign(list, filter, nothingYet());
  for (const chip of at("counts").children)
    chip.setAttribute("aria-pressed", String(chip.dataset.status === list.status));
  return loadWard();
}

export function markChosen(caseId) {
  list.chosen = caseId;
  showCases();
}

/** Loads groups and the first page anew; what is listed stays until it is there, and what was searched for beyond. */
export async function loadWard() {
  const asked = query(null);
  try {
    const [{ groups }, page] = await Promise.all([
      get("/v1/ward/groups", { query: { limit: 20 } }),
      get("/v1/ward/cases", { query: asked }),
    ]);
    // Somebody has chosen something else meanwhile, and that is loaded by itself.
    if (!isSame(asked, query(null))) return;
    if (list.isLonger) {
      const isNew = new Set(page.cases.map(({ case_id }) => case_id));
      list.cases = [...page.cases, ...list.cases.filter(({ case_id }) => !isNew.has(case_id))];
    } else take(page.cases, page);
    showGroups(groups);
    showCases();
  } catch (problem) {
    notify(problem.message, "bad");
  }
}

function take(cases, { cursor, searched, total }) {
  Object.assign(list, {
    cases,
    cursor,
    total,
    searched: list.isLonger ? list.searched + searched : searched,
  });
}

async function loadMore() {
  const asked = query(list.cursor);
  try {
    const page = await get("/v1/ward/cases", { query: asked });
    if (!isSame(asked, query(list.cursor))) return;
    list.isLonger = true;
    take([...list.cases, ...page.cases], page);
    showCases();
  } catch (problem) {
    notify(problem.message, "bad");
  }
}

function query(cursor) {
  const given = { status: list.status, fingerprint: list.fingerprint, text: list.text, cursor: cursor ?? "" };
  const entries = Object.entries(given).filter(([, value]) => value !== "");
  return { ...Object.fromEntries(entries), limit: 50 };
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function showGroups(groups) {
  const items = groups.map((group) => {
    const isChosen = group.fingerprint === list.fingerprint;
    const onclick = () => {
      location.hash = isChosen ? "" : `group/${encodeURIComponent(group.fingerprint)}`;
    };
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "group",
          "aria-pressed": String(isChosen),
          data: { key: `group:${group.fingerprint}` },
          onclick,
        },
        groupName(group, { class: "grow" }),
        group.attention === "regressed" && h("span", { class: "badge bad", text: "came back" }),
        group.attention === "failing_again" && h("span", { class: "badge bad", text: "fails again" }),
        trendLine(group.trend.slice(-24), { label: `${group.trend.at(-1) ?? 0} messages this hour` }),
        h("span", { class: "quiet", text: `${group.open} open of ${group.count}` }),
      ),
    );
  });
  fill(at("groups"), ...(items.length > 0 ? items : [h("li", { class: "quiet", text: "None." })]));
}

function showCases() {
  const items = list.cases.map((one) =>
    h(
      "li",
      {},
      h(
        "a",
        {
          href: `#case/${encodeURIComponent(one.case_id)}`,
          class: "case",
          "aria-current": one.case_id === list.chosen ? "true" : null,
          data: { key: `case:${one.case_id}` },
        },
        h("span", { class: "status", data: { status: one.status }, text: NAMES[one.status] ?? one.status }),
        h("span", { class: "grow" }, h("b", { text: one.agent }), ` ${one.contract}`),
        h("span", { class: "quiet", text: one.failure_class.replaceAll("_", " ") }),
        when(one.updated_ms),
      ),
    ),
  );
  const said = howFar();
  fill(at("cases"), ...items, said !== "" && h("li", { class: "quiet", role: "status", text: said }));
  at("more").hidden = list.cursor === null;
  at("more").textContent = list.text === "" ? "More" : "Search on";
}

/** What a list that is empty, or was searched for, says of itself; "" where it needs no word. */
function howFar() {
  const isEnd = list.cursor === null;
  if (list.text !== "" && !isEnd)
    return `Searched ${count(list.searched)} of ${count(list.total)} cases, the newest first${list.cases.length === 0 ? ": none of them meets this" : ""}.`;
  return list.cases.length === 0 && isEnd ? "No case meets this." : "";
}

export function listen() {
  let timer;
  // Typed before anybody listened, or kept by the browser when the page was loaded again.
  list.text = at("find").value.trim();
  at("find").addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => void choose({ text: event.target.value.trim() }), 200);
  });
  at("more").addEventListener("click", () => void loadMore());
}
