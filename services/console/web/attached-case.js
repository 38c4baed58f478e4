import { count } from "./amounts.js";
import { post } from "./api.js";
import { unsealedBadge } from "./attached-view.js";
import { h, notify, say } from "./dom.js";
import { compact, indent, readJson } from "./json-lines.js";
import { jsonView, textView } from "./json-view.js";
import { facts } from "./states.js";
import { when } from "./when.js";

/** One failed job, and what can be done with it. `reload` reads the cases again. */
export function attachedCase(queue, one, reload) {
  const label = `Job ${one.job}`;
  return h(
    "article",
    { class: "panel", "aria-label": label },
    h("h3", {}, `${label} `, unsealedBadge()),
    facts([
      ["Name", one.name],
      ["Failed", when(one.failed_ms)],
      ["Attempts", count(one.attempts)],
      ["Error", one.failed_reason],
    ]),
    dataOf(one),
    h(
      "details",
      {},
      h("summary", { text: "Stack" }),
      textView(stackOf(one.stacktrace), `Stack of job ${one.job}`),
    ),
    decisions(queue, one, reload),
  );
}

function dataOf({ job, data, bytes }) {
  const label = `Data of job ${job}`;
  if (data === null)
    return h("p", {
      class: "quiet",
      text: `Its data is missing, too large or no text (${count(bytes)} bytes).`,
    });
  const value = readJson(data);
  return value === undefined ? textView(data, label) : jsonView(value, [], label);
}

function stackOf(text) {
  const stacks = readJson(text);
  return Array.isArray(stacks) ? stacks.join("\n\n") : text;
}

/** The form of one job: new data with its check, and what is done with it. */
function decisions(queue, one, reload) {
  const { job, version } = one;
  const of = `, for job ${job}`;
  const why = h("input", { maxlength: "2000", autocomplete: "off", "aria-label": `Why${of}` });
  const accepts = h("input", { type: "checkbox", "aria-label": `Effects may be repeated${of}` });
  const start = indent(one.data ?? "");
  const plain = { rows: "8", spellcheck: "false", autocomplete: "off" };
  const box = h("textarea", { ...plain, "aria-label": `New data${of}` });
  box.value = start;
  const verdict = h("div", { class: "verdict-list", role: "status" });
  const refusal = h("p", { class: "bad", role: "alert", hidden: true });
  const typed = () => ({ payload_text: compact(box.value) });
  const path = { queue };
  const act = actWith({ why, refusal, reload });
  const save = (reason) =>
    post("/v1/attached/{queue}/edit", { path, body: { job, version, ...typed(), why: reason } });
  const sendBack = (reason) => {
    const data = box.value === start ? {} : typed();
    const body = { job, version, ...data, accepts_effects: accepts.checked, why: reason };
    return post("/v1/attached/{queue}/redrive", { path, body });
  };
  const undo = (reason) => post("/v1/attached/{queue}/undo", { path, body: { job, why: reason } });
  const button = (title, onclick, kind = "") =>
    h("button", { type: "button", class: kind, text: title, "aria-label": `${title} job ${job}`, onclick });
  return h(
    "details",
    {},
    h("summary", { text: "Decide" }),
    h("label", { class: "field" }, "Data as JSON; places that are masked stay as they were ", box),
    verdict,
    h("label", { class: "field" }, "Why ", why),
    h("label", {}, accepts, " I have looked: its effects may be repeated."),
    refusal,
    h(
      "div",
      { class: "buttons" },
      button("Check", () => void check(queue, { job, ...typed() }, verdict)),
      button("Save", () => void act("Save", save)),
      button("Send back", () => void act("Send back", sendBack), "primary"),
      button("Undo", () => void act("Undo", undo)),
    ),
  );
}

/** Does something with its reason; what is refused says why, and what was typed stays. */
function actWith({ why, refusal, reload }) {
  return async (title, send) => {
    say(refusal, "");
    if (why.value.trim() === "") {
      say(refusal, `Say why first: “${title}” is written down with its reason.`);
      return why.focus();
    }
    try {
      await send(why.value.trim());
      notify(`${title}: done.`);
      await reload();
    } catch (problem) {
      const places = (problem.errors ?? []).map(({ pointer, message }) => ` ${pointer}: ${message}.`);
      say(refusal, problem.message + places.join(""));
    }
  };
}

async function check(queue, body, verdict) {
  try {
    const { issues } = await post("/v1/attached/{queue}/check", { path: { queue }, body });
    const items = issues.map(({ path, message }) =>
      h("li", {}, h("code", { text: path || "/" }), ` ${message}`),
    );
    verdict.replaceChildren(
      issues.length === 0
        ? h("p", { class: "good", text: "The contract has no objection." })
        : h("ul", {}, ...items),
    );
  } catch (problem) {
    verdict.replaceChildren(h("p", { class: "bad", text: problem.message }));
  }
}
