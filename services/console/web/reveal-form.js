import { post } from "./api.js";
import { h, say } from "./dom.js";

const MASK = "[sensitive]";

/**
 * Shows what is masked in a case, to admins, who say why: that is written down before anything is shown.
 *
 * @param {(view: object) => void} show Shows the case as it came back.
 */
export function revealForm(view, caller, show) {
  if (caller.role !== "admin" || !JSON.stringify(view).includes(MASK)) return false;
  const why = h("input", {
    maxlength: "2000",
    autocomplete: "off",
    placeholder: "Why? Written down with your name.",
    "aria-label": "Why to reveal",
  });
  const path = h("input", {
    maxlength: "300",
    autocomplete: "off",
    placeholder: "/patient, or empty for all",
    "aria-label": "Place to reveal",
  });
  const said = h("p", { class: "bad", role: "alert", hidden: true });
  const reveal = async () => {
    if (why.value.trim() === "") {
      say(said, "Say why first: who reveals what, and why, is written down.");
      return why.focus();
    }
    try {
      const place = path.value.trim();
      const body = { why: why.value.trim(), ...(place === "" ? {} : { path: place }) };
      const { case_id } = view.case;
      show(await post("/v1/ward/cases/{case_id}/reveal", { path: { case_id }, body }));
    } catch (problem) {
      say(said, problem.message);
    }
  };
  return h(
    "details",
    { class: "panel" },
    h("summary", { text: "Reveal what is masked" }),
    h("label", { class: "field" }, "Why ", why),
    h("label", { class: "field" }, "Place ", path),
    said,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", text: "Reveal", onclick: () => void reveal() }),
    ),
  );
}
