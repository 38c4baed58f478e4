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
    h("h4", {}, `${label} `, unsealedBadge()),
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

function decisions(queue, one, reload) {
  const { job, version } = one;
  const of = `, for job ${job}`;
  const why = h("input", { maxlength: "2000", autocomplete: "off", "aria-label": `Why${of}` });
  const accepts = h("input", { type: "checkbox", "aria-label": `Effects may be repeated${of}` });
  const box = h("textarea", {
    rows: "8",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": `New data${of}`,
  });
  const start = indent(one.data ?? "");
  box.value = start;
  const said = h("div", { class: "verdict-list", role: "status" });
  const problemBox = h("p", { class: "bad", role: "alert", hidden: true });
  const path = { queue };
  const typed = () => ({ payload_text: compact(box.value) });
  const accepted = () => ({ accepts_effects: accepts.checked });
  const check = async () => {
    try {
      const { acceptable, issues } = await post("/v1/attached/{queue}/check", {
        path,
        body: { job, ...typed() },
      });
      const items = issues.map(({ path: place, message }) =>
        h("li", {}, h("code", { text: place || "/" }), ` ${message}`),
      );
      said.replaceChildren(
        acceptable
          ? h("p", { class: "good", text: "The contract has no objection." })
          : h("ul", {}, ...items),
      );
    } catch (problem) {
      said.replaceChildren(h("p", { class: "bad", text: problem.message }));
    }
  };
  const act = async (title, send) => {
    say(problemBox, "");
    if (why.value.trim() === "") {
      say(problemBox, `Say why first: “${title}” is written down with its reason.`);
      return why.focus();
    }
    try {
      await send(why.value.trim());
      notify(`${title}: done.`);
      await reload();
    } catch (problem) {
      const places = problem.errors.map(({ pointer, message }) => ` ${pointer}: ${message}.`).join("");
      say(problemBox, problem.message + places);
    }
  };
  const edit = (reason) =>
    post("/v1/attached/{queue}/edit", { path, body: { job, version, ...typed(), why: reason } });
  const redrive = (reason) => {
    const data = box.value === start ? {} : typed();
    const body = { job, version, ...data, ...accepted(), why: reason };
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
    said,
    h("label", { class: "field" }, "Why ", why),
    h("label", {}, accepts, " I have looked: its effects may be repeated."),
    problemBox,
    h(
      "div",
      { class: "buttons" },
      button("Check", () => void check()),
      button("Save", () => void act("Save", edit)),
      button("Send back", () => void act("Send back", redrive), "primary"),
      button("Undo", () => void act("Undo", undo)),
    ),
  );
}
