import { get, post } from "./api.js";
import { at, clock, fill, h, notify } from "./dom.js";

const STEPS = {
  dry_run: "Counting how many would pass …",
  planned: "Planned: nothing is touched yet.",
  canary: "The first few are at work …",
  look: "The first few are done: look at them, then go on.",
  running: "At work …",
  done: "Done.",
  stopped: "Stopped.",
};

/** One decision for a whole group: plan, dry run, canary, rest. Progress is kept by the ward, not by this page. */
export async function openGroup(fingerprint, caller) {
  const [{ applies }, group] = await Promise.all([
    get("/ward/applies"),
    get(`/ward/groups/${encodeURIComponent(fingerprint)}`),
  ]);
  if (location.hash !== `#group/${encodeURIComponent(fingerprint)}`) return;
  const own = applies.filter((one) => one.fingerprint === fingerprint);
  const panel = at("detail").querySelector("[data-group]");
  if (panel?.dataset.group === fingerprint) {
    fill(panel.querySelector(".applies"), ...own.map((one) => progress(one, caller)));
    panel.querySelector(".rest").textContent = restOf(group);
    return;
  }
  fill(
    at("detail"),
    h(
      "section",
      { class: "panel", data: { group: fingerprint } },
      h(
        "header",
        { class: "case-head" },
        h("a", { href: "#", class: "back", text: "← Ward" }),
        h("h2", { text: "Group" }),
        h("span", { class: "mono quiet", text: fingerprint }),
      ),
      h("p", { class: "quiet rest", text: restOf(group) }),
      caller.role === "viewer"
        ? h("p", { class: "quiet", text: "Your role may look, not decide." })
        : planForm(fingerprint, caller),
      h("div", { class: "applies" }, ...own.map((one) => progress(one, caller))),
    ),
  );
}

/** What its cases cost, and what they wait for. */
function restOf({ cost, rest }) {
  const spent = `Surgery has cost $${cost.toFixed(4)}.`;
  if (rest.until_ms === null)
    return rest.waiting > 0 ? `${spent} ${rest.waiting} wait for one question.` : spent;
  return `${spent} No model is asked before ${clock(rest.until_ms)}: ${rest.why} ${rest.waiting} more wait with it.`;
}

function planForm(fingerprint, caller) {
  const decision = h(
    "select",
    {},
    ...["operate", "release", "discard"].map((name) => h("option", { value: name, text: name })),
  );
  const why = h("input", { required: true, maxlength: "2000" });
  const canary = h("input", { type: "number", min: "0", max: "10000", value: "5" });
  const rate = h("input", { type: "number", min: "0.1", max: "1000", step: "any", value: "10" });
  const onsubmit = async (event) => {
    event.preventDefault();
    const body = {
      decision: decision.value,
      why: why.value,
      canary: Number(canary.value),
      rate_per_second: Number(rate.value),
    };
    await steer(`/ward/groups/${encodeURIComponent(fingerprint)}/apply`, body, { fingerprint, caller });
  };
  return h(
    "form",
    { class: "plan", onsubmit },
    h("p", {
      text: "Apply one decision to every case of this group that waits in quarantine. It begins with a dry run.",
    }),
    h("label", { class: "field" }, "Decision ", decision),
    h("label", { class: "field" }, "Why ", why),
    h("label", { class: "field" }, "First few ", canary),
    h("label", { class: "field" }, "Cases a second ", rate),
    h("button", { class: "primary", type: "submit", text: "Plan (dry run)" }),
  );
}

function progress(one, caller) {
  const path = `/ward/applies/${encodeURIComponent(one.batch_id)}`;
  const where = { fingerprint: one.fingerprint, caller };
  const may = caller.role !== "viewer";
  const canStart = may && (one.state === "planned" || one.state === "look");
  const canStop = may && one.state !== "done" && one.state !== "stopped";
  const counts = `${one.checked} checked, ${one.would_pass} would pass · ${one.decided} decided, ${one.refused} refused · ${one.went_on} went on, ${one.died_again} died again`;
  return h(
    "article",
    { class: "apply" },
    h("h3", { text: `${one.decision} ${one.total} cases, by ${one.by}` }),
    h("progress", {
      max: String(Math.max(1, one.total)),
      value: String(one.state === "dry_run" ? one.checked : one.decided + one.refused),
      "aria-label": "Progress",
    }),
    h("p", { text: `${STEPS[one.state] ?? one.state} ${counts}` }),
    h(
      "div",
      { class: "buttons" },
      canStart &&
        h("button", {
          type: "button",
          class: "primary",
          text: one.state === "look" ? "Go on with the rest" : "Start",
          onclick: () => steer(`${path}/start`, {}, where),
        }),
      canStop &&
        h("button", {
          type: "button",
          class: "danger",
          text: "Stop",
          onclick: () => steer(`${path}/stop`, {}, where),
        }),
    ),
  );
}

async function steer(path, body, { fingerprint, caller }) {
  try {
    await post(path, body);
    await openGroup(fingerprint, caller);
  } catch (problem) {
    notify(problem.message, "bad");
  }
}
