import { actForm } from "./act-form.js";
import { count, counted } from "./amounts.js";
import { get, post } from "./api.js";
import { auditList } from "./audit-list.js";
import { at, fill, h } from "./dom.js";
import { groupName } from "./group-name.js";
import { attentionBadge } from "./groups-view.js";
import { recipeEditor } from "./recipe-edit.js";
import { inWords, RECIPE_STATES } from "./recipe-words.js";
import { recipeState } from "./recipes-view.js";
import { empty, facts } from "./states.js";
import { when } from "./when.js";

let shown = null;

/** One recipe: what it does, how it fares, and what an admin can do with it. Built once; then told anew. */
export async function openRecipe(recipeId, caller) {
  const recipe = await get("/v1/recipes/{recipe_id}", { path: { recipe_id: recipeId } });
  if (location.hash !== `#recipe/${encodeURIComponent(recipeId)}`) return;
  if (shown?.recipeId !== recipeId || !shown.page.isConnected) build(recipe, caller);
  const { page, form, editor } = shown;
  const slot = (name) => page.querySelector(`[data-slot=${name}]`);
  fill(slot("head"), ...head(recipe));
  fill(slot("facts"), ...about(recipe));
  fill(slot("words"), ...words(recipe));
  fill(slot("trial"), ...trial(recipe));
  form?.update({ version: recipe.version, actions: actionsFor(recipe) });
  editor?.update(recipe);
  fill(slot("audit"), auditList(recipe.audit, "Nothing is written down of it any more."));
}

function build(recipe, caller) {
  const { recipe_id: recipeId } = recipe;
  const reload = () => openRecipe(recipeId, caller);
  const isAdmin = caller.role === "admin";
  const form = isAdmin
    ? actForm({
        label: "Why, for this recipe",
        reload,
        send: (/** @type {"approve" | "retire"} */ action, body) =>
          post(`/v1/recipes/{recipe_id}/${action}`, { path: { recipe_id: recipeId }, body }),
      })
    : null;
  const editor = isAdmin ? recipeEditor(recipe, reload) : null;
  const page = h(
    "div",
    { class: "page", data: { recipe: recipeId } },
    h("header", { class: "case-head", data: { slot: "head" } }),
    h("section", { class: "panel", data: { slot: "facts" }, "aria-label": "How it stands" }),
    panel("What it does", h("div", { data: { slot: "words" } })),
    panel("How its trial goes", h("div", { data: { slot: "trial" } })),
    panel(
      "Judge it",
      form?.element ??
        h("p", { class: "quiet", text: "Your role may look; an admin judges and edits recipes." }),
    ),
    editor === null ? null : panel("Edit it", editor.element),
    panel("Who did what", h("div", { data: { slot: "audit" } })),
  );
  shown = { recipeId, page, form, editor };
  fill(at("detail"), page);
}

function panel(title, ...inside) {
  return h("section", { class: "panel" }, h("h3", { text: title }), ...inside);
}

function head(recipe) {
  return [
    h("a", { href: "#recipes", text: "← Recipes" }),
    h("h2", { text: "Recipe" }),
    recipeState(recipe.state),
    h("span", { class: "mono quiet", text: recipe.recipe_id }),
  ];
}

function about(recipe) {
  const { group, learned_from: learnedFrom } = recipe;
  return [
    h("p", { class: "diagnosis", text: RECIPE_STATES[recipe.state] ?? recipe.state }),
    facts([
      [
        "Serves",
        group === null ? serves(recipe) : h("span", {}, groupLink(group), " ", attentionBadge(group)),
      ],
      ["Written by", h("span", {}, recipe.by, " ", when(Date.parse(recipe.at)))],
      [
        "Taken from",
        learnedFrom === null
          ? "no repair: a person or a team wrote it"
          : caseLink(learnedFrom, "the repair of case "),
      ],
      ["Messages healed", count(recipe.healed)],
      ["Last changed", h("span", {}, when(Date.parse(recipe.changed_at)), ` by ${recipe.changed_by}`)],
      recipe.why !== "" && ["Why", recipe.why],
    ]),
  ];
}

function serves({ fingerprint }) {
  const [agent, contract] = fingerprint.split("/*/");
  return contract === undefined
    ? `${fingerprint}: no message of it is kept any more`
    : `every fault of what ${agent} is sent under ${contract}`;
}

function groupLink(group) {
  return h("a", { href: `#group/${encodeURIComponent(group.fingerprint)}` }, groupName(group));
}

function caseLink(caseId, before = "") {
  return h(
    "span",
    {},
    before,
    h("a", { href: `#case/${encodeURIComponent(caseId)}`, class: "mono", text: caseId }),
  );
}

function words({ recipe }) {
  const items = (recipe.operations ?? []).map((operation) => h("li", { text: inWords(operation) }));
  return [
    h("ol", { class: "lines numbered" }, ...items),
    h(
      "details",
      {},
      h("summary", { text: "As it is kept" }),
      h("pre", { class: "json text", tabindex: "0", text: JSON.stringify(recipe, null, 2) }),
    ),
  ];
}

function trial(recipe) {
  const { proofs, failures, failed_on: failedOn } = recipe;
  const parts = [
    h("p", {
      class: failures > 0 ? "bad" : "",
      text: `${counted(proofs.length, "message")} healed with proof since it came on trial; ${counted(failures, "message")} that it healed came back.`,
    }),
  ];
  if (failures > 0)
    parts.push(h("p", { text: "Look at a message that came back; then edit the recipe, or retire it." }));
  if (failedOn.length > 0) parts.push(caseList("Came back", failedOn));
  if (proofs.length > 0) parts.push(caseList("Proved on", proofs));
  if (parts.length === 1) parts.push(empty("No message has spoken for it or against it yet."));
  return parts;
}

function caseList(title, ids) {
  return h(
    "details",
    {},
    h("summary", { text: `${title} (${ids.length})` }),
    h("ul", { class: "lines" }, ...ids.map((id) => h("li", {}, caseLink(id)))),
  );
}

function actionsFor({ state }) {
  return [
    ...(state === "trusted"
      ? []
      : [{ name: "approve", title: "Approve: apply it from now on", needsWhy: true }]),
    ...(state === "retired" ? [] : [{ name: "retire", title: "Retire", needsWhy: true, kind: "danger" }]),
  ];
}
