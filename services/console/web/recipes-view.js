import { count } from "./amounts.js";
import { get } from "./api.js";
import { at, fill, h } from "./dom.js";
import { inWords, RECIPE_STATES } from "./recipe-words.js";
import { searchBox } from "./search-box.js";
import { empty, failed, loading, pager, table } from "./states.js";
import { when } from "./when.js";

const LIMIT = 50;
const STATES = ["", ...Object.keys(RECIPE_STATES)];
const OPERATIONS_SHOWN = 2;

export const RECIPE_COLUMNS = [
  "Recipe",
  "State",
  "Does",
  "From",
  "Proofs",
  "Failed",
  "Healed",
  "Last changed",
];

const asked = { state: "", text: "", offset: 0 };

/** All recipes, the one that was changed last first. */
export async function openRecipes() {
  if (at("detail").querySelector("[data-page=recipes]") === null) fill(at("detail"), build());
  await load();
}

function build() {
  const find = searchBox({
    placeholder: "agent, id, who …",
    text: asked.text,
    onFind: (text) => choose({ text }),
  });
  return h(
    "section",
    { class: "page", data: { page: "recipes" } },
    h("h2", { text: "Recipes" }),
    h("p", {
      class: "quiet",
      text: "What was learned from accepted repairs, or written by people: a few operations for every message of one fault. The proof is asked for each message; a recipe never carries a value from one message into another.",
    }),
    h("div", { class: "chips", role: "group", "aria-label": "Recipes by state", data: { slot: "chips" } }),
    h("label", { class: "field narrow" }, "Find ", find),
    h("div", { data: { slot: "list" } }, loading("recipes")),
  );
}

function choose(change) {
  Object.assign(asked, { offset: 0 }, change);
  return load();
}

async function load() {
  const entries = Object.entries({ ...asked, limit: LIMIT }).filter(([, value]) => value !== "");
  const slot = (name) => at("detail").querySelector(`[data-page=recipes] [data-slot=${name}]`);
  try {
    const page = await get("/v1/recipes", { query: Object.fromEntries(entries) });
    if (slot("list") === null) return;
    fill(slot("chips"), ...chips(page.counts));
    fill(slot("list"), ...list(page));
  } catch (problem) {
    if (slot("list") !== null) fill(slot("list"), failed(problem, load));
  }
}

function chips(counts) {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return STATES.map((state) =>
    h(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(asked.state === state),
        title: RECIPE_STATES[state] ?? "Of every state",
        data: { key: `state:${state}` },
        onclick: () => void choose({ state }),
      },
      state === "" ? "all" : state,
      h("b", { text: count(state === "" ? all : counts[state]) }),
    ),
  );
}

function list({ recipes, total }) {
  const none =
    asked.state === "" && asked.text === ""
      ? "No recipe yet. The first repair that is proved, or that a person signs, makes one; teams may ship some."
      : "No recipe meets this. Choose another state, or find something else.";
  if (recipes.length === 0) return [empty(none)];
  return [
    table({ caption: "Recipes", columns: RECIPE_COLUMNS, rows: recipeRows(recipes) }),
    pager({ offset: asked.offset, limit: LIMIT, total, go: (offset) => void choose({ offset }) }),
  ];
}

export function recipeRows(recipes) {
  return recipes.map((recipe) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h("a", {
          href: `#recipe/${encodeURIComponent(recipe.recipe_id)}`,
          class: "mono",
          text: recipe.recipe_id.slice(0, 8),
          "aria-label": `Recipe ${recipe.recipe_id}`,
          data: { key: `recipe:${recipe.recipe_id}` },
        }),
        " ",
        h("span", { class: "quiet", text: recipe.fingerprint }),
      ),
      h("td", {}, recipeState(recipe.state)),
      h("td", {}, ...summary(recipe.recipe)),
      h("td", { text: recipe.by }),
      h("td", { text: count(recipe.proofs.length) }),
      h("td", {}, h("span", { class: recipe.failures > 0 ? "bad" : "", text: count(recipe.failures) })),
      h("td", { text: count(recipe.healed) }),
      h("td", {}, when(Date.parse(recipe.changed_at)), ` by ${recipe.changed_by}`),
    ),
  );
}

export function recipeState(state) {
  return h("span", {
    class: "recipe-state",
    data: { state },
    title: RECIPE_STATES[state] ?? "",
    text: state,
  });
}

function summary(recipe) {
  const operations = recipe.operations ?? [];
  const shown = operations.slice(0, OPERATIONS_SHOWN).map((one) => h("div", { text: inWords(one) }));
  const more = operations.length - shown.length;
  return more > 0 ? [...shown, h("div", { class: "quiet", text: `and ${more} more` })] : shown;
}
