import { counted } from "./amounts.js";
import { post } from "./api.js";
import { h } from "./dom.js";
import { inWords } from "./recipe-words.js";

const TRY_AFTER_MS = 400;

/**
 * Holds a recipe against the recipe language while it is typed, and tries it, dry, on the messages of its fault that
 * lie in the ward.
 *
 * @param {HTMLTextAreaElement} box
 * @param {{ recipe_id: string, judged: (isSound: boolean) => void }} about `judged` is told false as soon as the text
 * changes, and true once no message speaks against it.
 */
export function tryWhileTyped(box, { recipe_id, judged }) {
  const verdict = h("div", { id: "recipe-verdict", class: "verdict-list", role: "status" });
  let asked = 0;
  const attempt = async () => {
    const own = (asked += 1);
    const recipe = readRecipe(box.value);
    if (recipe === null)
      return verdict.replaceChildren(h("p", { class: "bad", text: "This is no JSON yet." }));
    verdict.replaceChildren(
      h("p", { class: "quiet", text: "Trying it on the messages that lie in the ward …" }),
    );
    try {
      const result = await post("/v1/recipes/{recipe_id}/try", { path: { recipe_id }, body: { recipe } });
      if (own !== asked) return;
      judged(result.failed === 0);
      verdict.replaceChildren(...describe(recipe, result));
    } catch (problem) {
      if (own === asked) verdict.replaceChildren(...faults(problem));
    }
  };
  let timer;
  box.addEventListener("input", () => {
    judged(false);
    asked += 1;
    clearTimeout(timer);
    timer = setTimeout(() => void attempt(), TRY_AFTER_MS);
  });
  return {
    verdict,
    /** Says nothing of a text that nobody has changed. */
    forget() {
      clearTimeout(timer);
      asked += 1;
      judged(false);
      verdict.replaceChildren(h("p", { class: "quiet", text: "Change the text: it is tried as you type." }));
    },
  };
}

/** Null for no JSON. */
export function readRecipe(text) {
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

function describe(recipe, { proved, failed, idle, messages, is_cut: isCut }) {
  const seen = proved + failed + idle;
  const looked = `${counted(seen, "message")} in the ward tried${isCut ? " (there are more)" : ""}`;
  const text =
    seen === 0
      ? "No message of this fault lies in the ward: nothing speaks for it or against it. The next that arrive are its trial."
      : `${looked}: ${proved} healed with proof, ${failed} with a failed proof, ${idle} to which it does not apply.`;
  const kind = failed > 0 ? "bad" : proved > 0 ? "good" : "quiet";
  const objected = messages.filter(({ result }) => result === "failed").slice(0, 10);
  return [
    h("p", { class: kind, text }),
    failed > 0 &&
      h("p", { class: "bad", text: "It cannot be saved like this: one failed proof would send it back." }),
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
