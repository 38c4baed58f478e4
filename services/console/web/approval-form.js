import { post } from "./api.js";
import { h, notify } from "./dom.js";
import { jsonView } from "./json-view.js";

/**
 * A tool call that waits for a person's word: what would be done, with what, and the two things that can be said. The
 * tool has not run; the words go to the agent with the decision.
 */
export function approvalForm(view, caller) {
  const { tool, call_id: callId } = view.approval;
  const section = h(
    "section",
    { class: "panel decide" },
    h("h3", { text: "A tool call waits for a person" }),
    h(
      "p",
      {},
      h("b", { text: view.case.agent }),
      " asks before it runs ",
      h("b", { text: tool }),
      ". Nothing was done yet.",
      h("span", { class: "mono quiet", text: ` ${callId}` }),
    ),
    jsonView(view.approval.arguments, [], `Arguments of ${tool}`),
  );
  if (view.case.decision !== null || view.case.status !== "quarantined") return section;
  if (caller.role === "viewer")
    section.append(h("p", { class: "quiet", text: "Your role may look, not decide." }));
  else section.append(...form(view));
  return section;
}

function form(view) {
  const why = h("input", {
    required: true,
    maxlength: "2000",
    autocomplete: "off",
    placeholder: "Why? For the agent, and for whoever reads the audit.",
    "aria-label": "Why the call may run or may not",
  });
  const send = async (approved) => {
    if (why.value.trim() === "") {
      why.focus();
      return notify("Say why first.", "bad");
    }
    try {
      await post("/v1/ward/cases/{case_id}/approval", {
        path: { case_id: view.case.case_id },
        body: { approved, why: why.value.trim(), version: view.case.version },
      });
      notify(
        approved ? "Approved: the agent goes on and runs it." : "Refused: the agent goes on without it.",
      );
    } catch (problem) {
      notify(problem.message, "bad");
    }
  };
  const button = (text, kind, approved) =>
    h("button", { type: "button", class: kind, text, onclick: () => void send(approved) });
  return [
    h("label", { class: "field" }, "Why ", why),
    h(
      "div",
      { class: "buttons" },
      button("Approve this call", "primary", true),
      button("Refuse this call", "danger", false),
    ),
  ];
}
