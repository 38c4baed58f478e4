import { post } from "./api.js";
import { h, notify, say } from "./dom.js";
import { indent } from "./json-lines.js";
import { readRecipe, tryWhileTyped } from "./recipe-trial.js";

/**
 * A field for a recipe's text: only what no held message speaks against can be saved, with a reason, and only in the
 * place of the version that it was made from.
 */
export function recipeEditor(recipe, reload) {
  const parts = makeParts(recipe.recipe_id);
  const { box, why, said, save, takeOver, trial } = parts;
  const state = { from: "", version: 0, newest: recipe };
  const begin = (present) => {
    const text = indent(JSON.stringify(present.recipe));
    Object.assign(state, { from: text, version: present.version });
    box.value = text;
    takeOver.hidden = true;
    trial.forget();
  };
  save.addEventListener("click", () => void keep(parts, { state, begin, reload }));
  takeOver.addEventListener("click", () => {
    say(said, "");
    begin(state.newest);
    box.focus();
  });
  begin(recipe);
  return {
    element: h(
      "div",
      {},
      h("p", { class: "quiet", text: "An edited recipe is on trial: it has proved nothing yet." }),
      h("label", { class: "field" }, "Recipe ", box),
      trial.verdict,
      h("label", { class: "field" }, "Why change it ", why),
      said,
      h("div", { class: "buttons" }, save, takeOver),
    ),
    /** Takes over what it is now, unless somebody is changing it here: then they are told. */
    update(present) {
      state.newest = present;
      if (present.version === state.version) return;
      if (box.value === state.from && why.value === "") return begin(present);
      if (said.hidden)
        say(
          said,
          `${present.changed_by} changed this recipe while you were editing: it is ${present.state} now. Your text stays here; it is not put over theirs.`,
        );
      takeOver.hidden = false;
    },
  };
}

function makeParts(recipe_id) {
  const box = h("textarea", {
    rows: "12",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "Recipe as JSON",
    "aria-describedby": "recipe-verdict",
  });
  const save = h("button", { type: "button", class: "primary", disabled: true, text: "Save, on trial" });
  return {
    recipe_id,
    box,
    save,
    why: h("input", { maxlength: "2000", autocomplete: "off" }),
    said: h("p", { class: "bad", role: "alert", hidden: true }),
    takeOver: h("button", { type: "button", text: "Begin with what it is now", hidden: true }),
    trial: tryWhileTyped(box, { recipe_id, judged: (isSound) => (save.disabled = !isSound) }),
  };
}

async function keep({ recipe_id, box, why, said }, { state, begin, reload }) {
  say(said, "");
  if (why.value.trim() === "") {
    say(said, "Say why first: the change is written down with its reason.");
    return why.focus();
  }
  const body = { recipe: readRecipe(box.value), why: why.value.trim(), version: state.version };
  try {
    const saved = await post("/v1/recipes/{recipe_id}/edit", { path: { recipe_id }, body });
    why.value = "";
    begin(saved);
    notify("Saved. It is on trial now.");
    await reload();
  } catch (problem) {
    say(said, problem.message);
    if (problem.status === 409) await reload();
  }
}
