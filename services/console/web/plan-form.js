import { post } from "./api.js";
import { choiceOf, h, say } from "./dom.js";
import { isAttached } from "./group-name.js";

const DECISIONS = {
  operate: "Try the ladder again",
  release: "Release as they are",
  discard: "Discard",
};
const SENDINGS = {
  operate: "Send back with a proved repair; others stay",
  release: "Send back as they are, after the code was fixed",
};

/** Plans one decision for every case of a group that waits. It begins with a dry run, which touches nothing. */
export function planForm(fingerprint, reload) {
  const decision = choiceOf(isAttached(fingerprint) ? SENDINGS : DECISIONS);
  const why = h("input", { required: true, maxlength: "2000", autocomplete: "off" });
  const canary = h("input", { type: "number", min: "0", max: "10000", value: "5" });
  const rate = h("input", { type: "number", min: "0.1", max: "1000", step: "any", value: "10" });
  const accepts = acceptsBox(fingerprint, "their effects may be repeated");
  const said = h("p", { class: "bad", role: "alert", hidden: true });
  const onsubmit = async (event) => {
    event.preventDefault();
    say(said, "");
    try {
      await post("/v1/ward/groups/{fingerprint}/apply", {
        path: { fingerprint },
        body: {
          decision: decision.value,
          why: why.value,
          canary: Number(canary.value),
          rate_per_second: Number(rate.value),
          ...accepts.body(),
        },
      });
      why.value = "";
      await reload();
    } catch (problem) {
      say(said, problem.message);
    }
  };
  return h(
    "form",
    { class: "plan", onsubmit, "aria-label": "Decide for the whole group" },
    h("p", {
      text: "One decision for every case of this group that waits in quarantine now. First a dry run counts how many would pass; nothing is touched before you start it.",
    }),
    h("label", { class: "field" }, "Decision ", decision),
    h("label", { class: "field" }, "Why for all of them ", why),
    h("label", { class: "field" }, "First few, then a look ", canary),
    h("label", { class: "field" }, "Cases a second ", rate),
    accepts.element,
    h("button", { class: "primary", type: "submit", text: "Plan (dry run)" }),
    said,
  );
}

/** For jobs of an attached queue, which may have had effects before they failed: somebody has looked. */
export function acceptsBox(id, words) {
  const box = h("input", { type: "checkbox" });
  return {
    element: isAttached(id) && h("label", {}, box, ` I have looked: ${words}.`),
    body: () => (isAttached(id) ? { accepts_effects: box.checked } : {}),
  };
}
