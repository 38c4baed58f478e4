import { actForm } from "./act-form.js";
import { count } from "./amounts.js";
import { get, post } from "./api.js";
import { closeApplies, showApplies } from "./applies-view.js";
import { auditList } from "./audit-list.js";
import { costOf } from "./costs-view.js";
import { at, fill, h } from "./dom.js";
import { showGroupCases } from "./group-cases.js";
import { groupName, isAttached, producerName, unsealedBadge } from "./group-name.js";
import { attentionOf, LIFECYCLES, replayRate } from "./group-words.js";
import { attentionBadge } from "./groups-view.js";
import { planForm } from "./plan-form.js";
import { recipeRows, RECIPE_COLUMNS } from "./recipes-view.js";
import { empty, facts, table } from "./states.js";
import { trendLine } from "./trend.js";
import { when } from "./when.js";

/** The group that is shown, with the parts of its page that keep what is typed. */
let shown = null;

/** One group: how it stands, what serves it, what can be done with it. Built once; then only what changed is told. */
export async function openGroup(fingerprint, caller) {
  const [group, { applies }] = await Promise.all([
    get("/v1/ward/groups/{fingerprint}", { path: { fingerprint } }),
    get("/v1/ward/applies", { query: { fingerprint } }),
  ]);
  if (location.hash !== `#group/${encodeURIComponent(fingerprint)}`) return;
  if (shown?.fingerprint !== fingerprint || !shown.page.isConnected) build(fingerprint, caller);
  const { page, form } = shown;
  const slot = (name) => page.querySelector(`[data-slot=${name}]`);
  fill(slot("head"), ...head(group));
  fill(slot("facts"), ...about(group));
  form?.update({ version: group.version, actions: actionsFor(group) });
  fill(slot("recipes"), recipes(group));
  showApplies(slot("applies"), applies, { caller, reload: () => openGroup(fingerprint, caller) });
  fill(slot("audit"), auditList(group.audit, "Nobody has done anything with it as a whole."));
  await showGroupCases(slot("cases"), fingerprint);
}

/** Whether work on the group is going on, so that the page has to look again by itself. */
export const groupIsBusy = () =>
  shown?.page.isConnected === true && shown.page.querySelector("[data-busy=true]") !== null;

function build(fingerprint, caller) {
  closeApplies();
  const may = caller.role !== "viewer";
  const reload = () => openGroup(fingerprint, caller);
  const form = may && !isAttached(fingerprint) ? lifecycleForm(fingerprint, reload) : null;
  const quiet = h("p", { class: "quiet", text: "Your role may look, not decide." });
  const page = h(
    "div",
    { class: "page", data: { group: fingerprint } },
    h("a", { href: "#", class: "back", text: "← Ward" }),
    h("header", { class: "case-head", data: { slot: "head" } }),
    h("section", { class: "panel", data: { slot: "facts" }, "aria-label": "How it stands" }),
    isAttached(fingerprint) || panel("What you think of it", form?.element ?? quiet),
    panel("Recipes", h("div", { data: { slot: "recipes" } })),
    panel(
      "The whole group at once",
      may ? planForm(fingerprint, reload) : quiet.cloneNode(true),
      h("div", { class: "applies", data: { slot: "applies" } }),
    ),
    panel("Cases", h("div", { data: { slot: "cases" } })),
    panel("Who did what", h("div", { data: { slot: "audit" } })),
  );
  shown = { fingerprint, page, form };
  fill(at("detail"), page);
}

function panel(title, ...inside) {
  return h("section", { class: "panel" }, h("h3", { text: title }), ...inside);
}

function head(group) {
  return [
    h("h2", {}, groupName(group)),
    attentionBadge(group),
    unsealedBadge(group.fingerprint),
    h("span", { class: "mono quiet", text: group.fingerprint }),
  ];
}

function about(group) {
  const { what, next } = attentionOf(group);
  const rate = replayRate(group);
  const repairs =
    rate === null
      ? "none sent on yet"
      : `${count(group.sent_on)} sent on, ${count(group.replays)} failed again (${rate})`;
  return [
    h(
      "p",
      { class: "diagnosis", data: { attention: group.attention } },
      what,
      h("br"),
      h("b", { text: "Next: " }),
      next,
    ),
    facts([
      ["Cases open", `${count(group.open)}, ${count(group.quarantined)} of them wait for a person`],
      ["Messages in all", count(group.count)],
      [
        "Last 48 hours",
        trendLine(group.trend, { label: `Messages by hour, ${group.trend.at(-1) ?? 0} in this one` }),
      ],
      ["First seen", when(group.first_seen_ms)],
      ["Last seen", when(group.last_seen_ms)],
      ["Began with", producerName(group.producer)],
      ["Repairs", h("span", { class: group.replays > 0 ? "bad" : "", text: repairs })],
      ["Cost", costOf(group.cost, "group")],
      restOf(group.rest),
      ["Called", `${group.lifecycle}. ${LIFECYCLES[group.lifecycle] ?? ""}`],
      group.resolution !== null && [
        "Resolved",
        h("span", {}, `by ${group.resolution.by}, `, when(group.resolution.at_ms), sinceOf(group.resolution)),
      ],
      group.regression !== null && [
        "Came back",
        h(
          "span",
          { class: "bad" },
          when(group.regression.at_ms),
          ` from ${producerName(group.regression.producer)}`,
        ),
      ],
    ]),
  ];
}

/** What its cases wait for; false: nothing. */
function restOf({ until_ms, why, waiting }) {
  if (until_ms === null) return waiting > 0 && ["Waits", `${count(waiting)} wait for one question.`];
  return [
    "Waits",
    h("span", {}, "No model is asked before ", when(until_ms), `: ${why} ${count(waiting)} wait with it.`),
  ];
}

const sinceOf = ({ since }) =>
  since === null ? ", against any message" : `, for ${since.name}@${since.version} and later`;

function lifecycleForm(fingerprint, reload) {
  const since = h("input", {
    maxlength: "200",
    autocomplete: "off",
    placeholder: "export@4",
    "aria-describedby": "since-help",
  });
  return actForm({
    label: "Why, for what you think of this group",
    reload,
    fields: [
      h(
        "label",
        { class: "field" },
        "Resolved from this version on (only for Resolved; may be empty) ",
        since,
      ),
      h("p", {
        class: "quiet",
        id: "since-help",
        text: "An agent, contract or producer with its version: messages of older versions may still come. Empty: any message brings the group back.",
      }),
    ],
    send: async (/** @type {"acknowledge" | "resolve" | "reopen"} */ action, body) => {
      const from = action === "resolve" && since.value.trim() !== "" ? { since: since.value.trim() } : {};
      await post(`/v1/ward/groups/{fingerprint}/${action}`, {
        path: { fingerprint },
        body: { ...body, ...from },
      });
      since.value = "";
    },
  });
}

function actionsFor({ lifecycle }) {
  return [
    { name: "acknowledge", title: "Acknowledge", isOff: lifecycle === "acknowledged" },
    { name: "resolve", title: "Resolved", needsWhy: true, isOff: false },
    { name: "reopen", title: "Reopen", isOff: lifecycle === "open" },
  ].filter(({ isOff }) => !isOff);
}

function recipes(group) {
  if (group.recipes.length === 0)
    return empty(
      "None: nothing has been learned of this fault. The first repair that is proved, or that you sign, makes one.",
    );
  return table({
    caption: "Recipes of this group",
    columns: RECIPE_COLUMNS,
    rows: recipeRows(group.recipes),
  });
}
