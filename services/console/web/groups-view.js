import { count, counted, usd } from "./amounts.js";
import { get } from "./api.js";
import { costPanel } from "./costs-view.js";
import { at, choiceOf, fill, h } from "./dom.js";
import { groupName, isAttached, producerName } from "./group-name.js";
import { ALARMING, ATTENTIONS, LIFECYCLES, replayRate } from "./group-words.js";
import { searchBox } from "./search-box.js";
import { empty, facts, failed, loading, pager, table } from "./states.js";
import { trendLine } from "./trend.js";
import { when } from "./when.js";

const LIMIT = 50;
const SORTS = {
  need: "what needs a person most",
  last_seen: "last seen",
  first_seen: "first seen, newest",
  open: "open cases",
  count: "messages in all",
  replays: "repairs that failed again",
  cost: "cost",
};
const COLUMNS = [
  "Group",
  "Needs",
  "Waiting",
  "Messages",
  "First seen",
  "Last seen",
  "Began with",
  "Repairs",
  "Recipe",
  "Cost",
];

/** What the list shows. It stays while somebody looks at one group and comes back. */
const asked = { source: "", sort: "need", attention: "", lifecycle: "", text: "", offset: 0 };

/** Of an attached queue viewers see groups alone. */
const viewer = { isLooking: false };

/** Whether groups are shown that no news of the ward is about. */
export const showsAttached = () => asked.source !== "";

/** All groups, what needs a person most first. Built once; asked anew, only the list changes. */
export async function openGroups(caller) {
  viewer.isLooking = caller.role === "viewer";
  if (at("detail").querySelector("[data-page=groups]") === null) fill(at("detail"), build());
  await load();
}

function build() {
  const find = searchBox({
    placeholder: "agent, failure, producer …",
    text: asked.text,
    onFind: (text) => choose({ text }),
  });
  return h(
    "section",
    { class: "page", data: { page: "groups" } },
    h("h2", { text: "Groups of like failures" }),
    h("div", { data: { slot: "costs" } }),
    h(
      "div",
      { class: "filters", role: "search", "aria-label": "Groups" },
      h("label", { class: "field" }, "Sorted by ", choice("sort", SORTS)),
      h("label", { class: "field" }, "Needs ", choice("attention", { "": "anything", ...ATTENTIONS })),
      h(
        "label",
        { class: "field" },
        "Called ",
        choice("lifecycle", { "": "anything", ...names(LIFECYCLES) }),
      ),
      h("label", { class: "field", hidden: true, data: { slot: "source" } }, "Of "),
      h("label", { class: "field" }, "Find ", find),
    ),
    h("div", { data: { slot: "queue" } }),
    h("div", { data: { slot: "list" } }, loading("groups")),
  );
}

const names = (record) => Object.fromEntries(Object.keys(record).map((name) => [name, name]));

function choice(field, options) {
  return choiceOf(options, { value: asked[field], onchoose: (value) => void choose({ [field]: value }) });
}

function choose(change) {
  Object.assign(asked, { offset: 0 }, change);
  return load();
}

/** The attached queues, if there are any: what is attached changes with a restart. A key of some teams sees none. */
async function showSources(own) {
  const { sources } = await get("/v1/ward/sources").catch(() => ({ sources: [] }));
  const slot = own.querySelector("[data-slot=source]");
  if (slot.hidden && sources.length > 0) {
    slot.append(
      choice("source", {
        "": "this ward",
        ...names(Object.fromEntries(sources.map((one) => [one.source, ""]))),
      }),
    );
    slot.hidden = false;
  }
  const queue = sources.find(({ source }) => source === asked.source);
  fill(own.querySelector("[data-slot=queue]"), ...(queue === undefined ? [] : queueFacts(queue)));
}

function queueFacts({ problem, counts, has_contract: hasContract }) {
  return [
    problem !== null && h("p", { class: "bad", text: problem }),
    counts !== null &&
      facts([
        ["Failed", count(counts.failed)],
        ["Waiting", count(counts.waiting)],
        ["Active", count(counts.active)],
        ["Delayed", count(counts.delayed)],
        ["Contract", hasContract ? "yes" : "none: grouped by error alone"],
      ]),
  ];
}

async function load() {
  const entries = Object.entries({ ...asked, limit: LIMIT }).filter(([, value]) => value !== "");
  const query = Object.fromEntries(entries);
  try {
    const [page, costs] = await Promise.all([get("/v1/ward/groups", { query }), get("/v1/ward/costs")]);
    const own = at("detail").querySelector("[data-page=groups]");
    if (own === null) return;
    fill(own.querySelector("[data-slot=costs]"), costPanel(costs));
    await showSources(own);
    fill(own.querySelector("[data-slot=list]"), ...list(page));
  } catch (problem) {
    const slot = at("detail").querySelector("[data-page=groups] [data-slot=list]");
    if (slot !== null) fill(slot, failed(problem, load));
  }
}

function list({ groups, total, is_cut }) {
  if (groups.length === 0) return [empty(whyNone(is_cut))];
  const alarming = groups.filter(({ attention }) => ALARMING.has(attention)).length;
  return [
    alarming > 0 &&
      h("p", {
        class: "bad",
        text: `${counted(alarming, "group")} on this page came back or fail${alarming === 1 ? "s" : ""} again after repair.`,
      }),
    is_cut &&
      h("p", {
        class: "quiet",
        text: "There are more groups than were looked at: those that messages came to last are here. Older ones are found from their cases.",
      }),
    table({ caption: "Groups", columns: COLUMNS, rows: groups.map(row) }),
    pager({ offset: asked.offset, limit: LIMIT, total, go: (offset) => void choose({ offset }) }),
  ];
}

function whyNone(isCut) {
  const isFiltered = asked.attention !== "" || asked.lifecycle !== "" || asked.text !== "";
  if (isCut)
    return "None of the groups that messages came to last meets these filters. There are older ones, which were not looked at: find their cases in the ward.";
  return isFiltered
    ? "No group meets these filters. Take one away to see more."
    : "No message has died: there are no groups. Nothing to do.";
}

/** Jobs over a queue's bound of groups have no page either. */
const isShut = ({ fingerprint }) =>
  isAttached(fingerprint) && (viewer.isLooking || fingerprint.endsWith(":rest"));

function row(group) {
  const link = `#group/${encodeURIComponent(group.fingerprint)}`;
  return h(
    "tr",
    { data: { attention: group.attention } },
    h(
      "th",
      { scope: "row" },
      isShut(group)
        ? groupName(group)
        : h("a", { href: link, data: { key: `group:${group.fingerprint}` } }, groupName(group)),
    ),
    h("td", {}, attentionBadge(group)),
    h("td", { text: `${count(group.quarantined)} of ${count(group.open)} open` }),
    h(
      "td",
      {},
      `${count(group.count)} `,
      trendLine(group.trend.slice(-24), {
        label: `Messages of the last 24 hours, ${group.trend.at(-1) ?? 0} in this one`,
      }),
    ),
    h("td", {}, when(group.first_seen_ms)),
    h("td", {}, when(group.last_seen_ms)),
    h("td", { text: producerName(group.producer) }),
    h("td", {}, ...repairs(group)),
    h("td", {}, recipeLink(group.recipe)),
    h("td", { text: usd(group.cost) }),
  );
}

export function attentionBadge({ attention, lifecycle }) {
  const kind = ALARMING.has(attention) ? "bad" : attention === "waiting" ? "warn" : "";
  const also = lifecycle === "resolved" && attention !== "quiet" ? " (called resolved)" : "";
  return h("span", { class: `badge ${kind}`, text: `${ATTENTIONS[attention] ?? attention}${also}` });
}

function repairs(group) {
  const rate = replayRate(group);
  if (rate === null) return [h("span", { class: "quiet", text: "none sent on" })];
  return [
    `${count(group.sent_on)} sent on, `,
    h("span", {
      class: group.replays > 0 ? "bad" : "",
      text: `${count(group.replays)} failed again (${rate})`,
    }),
  ];
}

function recipeLink(recipe) {
  if (recipe === null) return h("span", { class: "quiet", text: "none" });
  return h("a", { href: `#recipe/${encodeURIComponent(recipe.recipe_id)}`, text: recipe.state });
}
