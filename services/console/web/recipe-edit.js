import { counted } from "./amounts.js";
import { post } from "./api.js";
import { h, notify, say } from "./dom.js";
import { indent } from "./json-lines.js";
import { inWords } from "./recipe-words.js";

const TRY_AFTER_MS = 400;

/**
 * A field for the recipe's text. While it is typed, it is held against the recipe language and tried, dry, on the
 * letters of its fault that lie in the ward; only what no letter speaks against can be saved.
 */
export function recipeEditor(recipe, reload) {
  const path = `/recipes/${encodeURIComponent(recipe.recipe_id)}`;
  const box = h("textarea", {
    rows: "12",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "Recipe as JSON",
    "aria-describedby": "recipe-verdict",
  });
  const why = h("input", { maxlength: "2000", autocomplete: "off" });
  const verdict = h("div", { id: "recipe-verdict", class: "verdict-list", role: "status" });
  const said = h("p", { class: "bad", role: "alert", hidden: true });
  const save = h("button", { type: "button", class: "primary", disabled: true, text: "Save, on trial" });
  const takeOver = h("button", { type: "button", text: "Begin with what it is now", hidden: true });
  const state = { from: "", version: 0, newest: recipe, asked: 0 };

  const begin = (present) => {
    const text = indent(JSON.stringify(present.recipe));
    Object.assign(state, { from: text, version: present.version });
    box.value = text;
    save.disabled = true;
    takeOver.hidden = true;
    verdict.replaceChildren(h("p", { class: "quiet", text: "Change the text: it is tried as you type." }));
  };
  const tell = (text) => say(said, text);
  const attempt = async () => {
    const own = (state.asked += 1);
    const read = readRecipe(box.value);
    if (read === null) return verdict.replaceChildren(h("p", { class: "bad", text: "This is no JSON yet." }));
    verdict.replaceChildren(h("p", { class: "quiet", text: "Trying it on the letters that lie in the ward …" }));
    try {
      const result = await post(`${path}/try`, { recipe: read });
      if (own !== state.asked) return;
      save.disabled = result.failed > 0 || box.value === state.from;
      verdict.replaceChildren(...describe(read, result));
    } catch (problem) {
      if (own === state.asked) verdict.replaceChildren(...faults(problem));
    }
  };
  let timer;
  box.addEventListener("input", () => {
    save.disabled = true;
    state.asked += 1;
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(), TRY_AFTER_MS);
  });
  save.addEventListener("click", async () => {
    tell("");
    if (why.value.trim() === "") {
      tell("Say why first: the change is written down with its reason.");
      return why.focus();
    }
    const body = { recipe: readRecipe(box.value), why: why.value.trim(), version: state.version };
    try {
      const saved = await post(`${path}/edit`, body);
      why.value = "";
      begin(saved);
      notify("Saved. It is on trial now.");
      await reload();
    } catch (problem) {
      tell(problem.message);
      if (problem.status !== 409) return;
      await reload();
      takeOver.hidden = false;
    }
  });
  takeOver.addEventListener("click", () => {
    tell("");
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
      verdict,
      h("label", { class: "field" }, "Why change it ", why),
      said,
      h("div", { class: "buttons" }, save, takeOver),
    ),
    /** Takes over what it is now, unless somebody is changing it here: then they are told. */
    update(present) {
      state.newest = present;
      if (present.version === state.version) return;
      if (box.value === state.from && why.value === "") return begin(present);
      tell(
        `${present.changed_by} changed this recipe while you were editing: it is ${present.state} now. Your text stays here; it will not be taken over theirs.`,
      );
      takeOver.hidden = false;
    },
  };
}

/** Null for no JSON. */
function readRecipe(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function faults(problem) {
  const items = problem.errors.map(({ pointer, message }) =>
    h("li", {}, h("code", { text: pointer.replace(/^\/recipe/, "") || "/" }), ` ${message}`),
  );
  return [h("p", { class: "bad", text: problem.message }), h("ul", {}, ...items)];
}

function describe(recipe, { proved, failed, idle, letters, is_cut: isCut }) {
  const seen = proved + failed + idle;
  const looked = `${counted(seen, "letter")} in the ward tried${isCut ? " (there are more)" : ""}`;
  const text =
    seen === 0
      ? "No letter of this fault lies in the ward: nothing speaks for it or against it. The next that arrive are its trial."
      : `${looked}: ${proved} healed with proof, ${failed} with a failed proof, ${idle} to which it does not apply.`;
  const kind = failed > 0 ? "bad" : proved > 0 ? "good" : "quiet";
  const objected = letters.filter(({ result }) => result === "failed").slice(0, 10);
  return [
    h("p", { class: kind, text }),
    failed > 0 && h("p", { class: "bad", text: "It cannot be saved like this: one failed proof would send it back." }),
    h("ol", { class: "lines numbered" }, ...recipe.operations.map((one) => h("li", { text: inWords(one) }))),
    h("ul", { class: "lines" }, ...objected.map(objection)),
  ].filter((part) => part !== false);
}

function objection({ case_id: caseId, objections }) {
  return h(
    "li",
    {},
    h("a", { href: `#case/${encodeURIComponent(caseId)}`, class: "mono", text: caseId }),
    ...objections
      .slice(0, 5)
      .map(({ path, code, message }) =>
        h("div", {}, h("code", { text: path || "/" }), ` ${code.replaceAll("_", " ")}: ${message}`),
      ),
  );
}
