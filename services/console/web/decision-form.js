import { post } from "./api.js";
import { h, notify } from "./dom.js";
import { isAttached } from "./group-name.js";
import { compact, indent } from "./json-lines.js";
import { acceptsBox } from "./plan-form.js";

const CHECK_AFTER_MS = 250;

const LABELS = {
  approve: "Approve as second person",
  release: "Release as it is",
  redirect: "Redirect",
  operate: "Try the ladder again",
  discard: "Discard",
  restore: "Restore",
};

/** Decisions whose reason may be left out. */
const NEEDS_NO_WHY = new Set(["operate", "restore"]);

/** What can be done with a case, by who may; the surgeon carries it out. */
export function decisionForm(view, caller) {
  const { actions } = view;
  const section = h("section", { class: "panel decide" }, h("h3", { text: "Decide" }));
  if (actions.length === 0) section.append(h("p", { class: "quiet", text: "Nothing can be decided now." }));
  else if (caller.role === "viewer")
    section.append(h("p", { class: "quiet", text: "Your role may look, not decide." }));
  else section.append(...form(view));
  return section;
}

function form(view) {
  const why = h("input", {
    required: true,
    maxlength: "2000",
    placeholder: "Why? For whoever reads the audit.",
  });
  const { case_id, version } = view.case;
  const accepts = acceptsBox(case_id, "its effects may be repeated");
  /** @param {"release" | "approve" | "discard" | "restore" | "redirect" | "operate"} action */
  const send = async (action, more = {}) => {
    if (why.value.trim() === "" && !NEEDS_NO_WHY.has(action)) {
      why.focus();
      return notify("Say why first.", "bad");
    }
    try {
      await post(`/v1/ward/cases/{case_id}/${action}`, {
        path: { case_id },
        body: {
          why: why.value.trim(),
          version,
          ...more,
          ...(action === "restore" ? {} : accepts.body()),
        },
      });
      notify(isAttached(case_id) ? `${action}: done.` : `${action}: the surgeon carries it out.`);
      // No news tells of a queue's jobs.
      if (isAttached(case_id)) location.hash = `group/${encodeURIComponent(view.case.fingerprint)}`;
    } catch (problem) {
      notify(problem.message, "bad");
    }
  };
  const editor = view.actions.includes("release") && view.original !== null ? edit(view, send) : [];
  const target = h(
    "select",
    { "aria-label": "Redirect to" },
    ...view.redirects.map((name) => h("option", { value: name, text: name })),
  );
  const buttons = view.actions.flatMap((action) => {
    const more = () => (action === "redirect" ? { agent: target.value } : {});
    const kind = action === "discard" ? "danger" : "";
    const button = h("button", {
      type: "button",
      class: kind,
      onclick: () => send(action, more()),
      text: LABELS[action],
    });
    return action === "redirect" ? [h("span", { class: "joined" }, button, target)] : [button];
  });
  const isNowhereElse =
    view.actions.includes("release") && view.redirects.length === 0 && !isAttached(case_id);
  return [
    h("label", { class: "field" }, "Why ", why),
    accepts.element,
    ...editor,
    h("div", { class: "buttons" }, ...buttons),
    ...(isNowhereElse
      ? [
          h("p", {
            class: "quiet",
            text: "It cannot be redirected: no other agent of its team takes its contract.",
          }),
        ]
      : []),
  ];
}

/** The value to release, with what stands against it while it is typed. */
function edit(view, send) {
  // A proposal that was objected to may hold invented values: it is taken over by hand or not at all.
  const isHealed = view.repair?.outcome === "healed";
  const start = isHealed ? JSON.stringify(view.repair.value) : view.original.text;
  const box = h("textarea", {
    rows: "10",
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "verdict",
  });
  box.value = indent(start);
  const verdict = h("div", { id: "verdict", class: "verdict-list", role: "status" });
  const release = h("button", {
    type: "button",
    class: "primary",
    disabled: true,
    text: "Release this value",
    onclick: () => send("release", { payload_text: compact(box.value) }),
  });
  let asked = 0;
  const check = async () => {
    const own = (asked += 1);
    try {
      const result = await post("/v1/ward/cases/{case_id}/check", {
        path: { case_id: view.case.case_id },
        body: { payload_text: compact(box.value) },
      });
      if (own !== asked) return;
      release.disabled = !result.acceptable;
      verdict.replaceChildren(...describe(result));
    } catch (problem) {
      if (own !== asked) return;
      release.disabled = true;
      verdict.replaceChildren(h("p", { class: "bad", text: problem.message }));
    }
  };
  let timer;
  box.addEventListener("input", () => {
    release.disabled = true;
    clearTimeout(timer);
    timer = setTimeout(() => void check(), CHECK_AFTER_MS);
  });
  void check();
  const takeOver = view.repair !== null && !isHealed && takeOverButton(view.repair, box);
  return [
    h("label", { class: "field" }, "Value to release", box),
    verdict,
    h("div", { class: "buttons" }, release, takeOver),
  ];
}

function takeOverButton({ value, objections }, box) {
  const onclick = () => {
    box.value = indent(JSON.stringify(value));
    box.dispatchEvent(new Event("input"));
    notify(
      `Check before you release: ${objections.map(({ path, code }) => `${path || "/"} (${code})`).join(", ")}`,
      "bad",
    );
  };
  return h("button", { type: "button", text: "Begin with the proposal instead", onclick });
}

function describe({ acceptable, issues, second_person }) {
  const items = issues.map(({ path, code, message }) =>
    h("li", {}, h("code", { text: path || "/" }), ` ${code.replaceAll("_", " ")}: ${message}`),
  );
  const second =
    second_person.length === 0 ? "" : ` A second person has to approve ${second_person.join(", ")}.`;
  const text = acceptable
    ? `The contract takes this value.${second}`
    : `${issues.length} things stand against it:`;
  return [h("p", { class: acceptable ? "good" : "bad", text }), h("ul", {}, ...items)];
}
