import { count, counted } from "./amounts.js";
import { get, post } from "./api.js";
import { attachedCase } from "./attached-case.js";
import { groupWords, unsealedBadge } from "./attached-view.js";
import { at, choiceOf, fill, h, notify, say } from "./dom.js";
import { failed, table } from "./states.js";
import { when } from "./when.js";

const PAGE = 20;
const REPAIRS = {
  rules: "with a proved repair; others stay",
  none: "as they are, after the code was fixed",
};
const STOPPED = {
  canary_failed: "a job of the trial failed again, so that the others were left alone",
  canary_pending: "the trial took too long, so that the others were left alone",
  cancelled: "it was stopped",
};

/** One group of an attached queue: its work, its cases, and what was done to the queue's jobs. */
export async function openAttachedGroup(id) {
  const cut = id.lastIndexOf("/");
  const [queue, group] = [id.slice(0, cut), id.slice(cut + 1)];
  const page = () => at("detail").querySelector(`[data-group="${CSS.escape(id)}"]`);
  if (page() === null) {
    fill(at("detail"), build(id, { queue, group }));
    void loadCases({ queue, group, page });
  }
  await loadHead({ queue, group, page });
}

function build(id, { queue, group }) {
  return h(
    "section",
    { class: "page", data: { page: "attached-group", group: id } },
    h("a", { href: "#attached", class: "back", text: "← Attached queues" }),
    h("h2", {}, `${queue} `, unsealedBadge()),
    h("div", { data: { slot: "head" } }),
    workForm({ queue, group, reload: () => openAttachedGroup(id) }),
    h("div", { data: { slot: "work" }, role: "status" }),
    h("h3", { text: "Failed jobs of this group" }),
    h("div", { class: "steps", data: { slot: "cases" } }),
    h("div", { data: { slot: "more" } }),
    h("h3", { text: "Done to jobs of this queue" }),
    h("div", { data: { slot: "audit" } }),
  );
}

async function loadHead({ queue, group, page }) {
  const [{ queues }, { audit }] = await Promise.all([
    get("/v1/attached"),
    get("/v1/attached/{queue}/audit", { path: { queue }, query: { limit: 20 } }),
  ]);
  const slot = (name) => page()?.querySelector(`[data-slot=${name}]`) ?? h("div");
  const found = queues.find(({ name }) => name === queue);
  const own = found?.survey?.groups.find(({ id }) => id === group);
  fill(
    slot("head"),
    found?.problem ? h("p", { class: "bad", text: found.problem }) : null,
    own === undefined
      ? h("p", { class: "quiet", text: "No failed job is in this group now, as far as was looked." })
      : h(
          "p",
          {},
          h("strong", { text: groupWords(own) }),
          ` ${counted(own.count, "failed job")}, last looked `,
          when(found.survey.at_ms),
        ),
  );
  const work = found?.apply ?? null;
  fill(slot("work"), ...(work === null || work.group !== group ? [] : workOf(work, { queue })));
  fill(slot("audit"), auditTable(audit));
}

/** Sends a whole group back. It begins with a dry run, which touches nothing. */
function workForm({ queue, group, reload }) {
  const repair = choiceOf(REPAIRS);
  const canary = h("input", { type: "number", min: "0", max: "100", value: "2" });
  const why = h("input", { maxlength: "2000", autocomplete: "off" });
  const accepts = h("input", { type: "checkbox" });
  const said = h("p", { class: "bad", role: "alert", hidden: true });
  const send = h("button", {
    type: "button",
    class: "primary",
    disabled: true,
    text: "Send the group back",
    onclick: () => void start(false),
  });
  const start = async (isDryRun) => {
    say(said, "");
    if (!isDryRun && why.value.trim() === "") {
      say(said, "Say why first: it is written down with its reason.");
      return why.focus();
    }
    try {
      await post("/v1/attached/{queue}/apply", {
        path: { queue },
        body: {
          group,
          repair: repair.value,
          is_dry_run: isDryRun,
          canary: Number(canary.value),
          accepts_effects: accepts.checked,
          why: why.value.trim(),
        },
      });
      send.disabled = !isDryRun;
      await reload();
    } catch (problem) {
      say(said, problem.message);
    }
  };
  // What was tried dry is what is sent.
  repair.addEventListener("change", () => (send.disabled = true));
  return h(
    "form",
    { class: "panel", onsubmit: (event) => event.preventDefault(), "aria-label": "Send the group back" },
    h("label", { class: "field" }, "Send them ", repair),
    h("label", { class: "field" }, "First few, then the others if all complete ", canary),
    h("label", { class: "field" }, "Why for all of them ", why),
    h("label", {}, accepts, " I have looked: the effects of these jobs may be repeated."),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", text: "Dry run", onclick: () => void start(true) }),
      send,
    ),
    said,
  );
}

function workOf({ by, began_ms: beganMs, is_dry_run: isDry, state, report, problem }, { queue }) {
  const what = isDry ? "Dry run" : "Work on this group";
  const began = h(
    "p",
    {},
    `${what} of ${by}, began `,
    when(beganMs),
    ": ",
    h("strong", { text: state }),
    ".",
  );
  if (state === "running")
    return [
      began,
      actButton("Stop", () => post("/v1/attached/{queue}/stop", { path: { queue }, body: { why: "" } })),
    ];
  if (report === null) return [began, h("p", { class: "bad", text: problem ?? "" })];
  const held = Object.entries(report.held).map(
    ([reason, number]) => `${count(number)} held (${reason.replaceAll("_", " ")})`,
  );
  const said = [
    `${counted(report.matched, "job")} looked at`,
    `${count(report.sent)} ${isDry ? "would be tried" : "sent back"}`,
    `${count(report.unrepaired)} without a proved repair`,
    ...held,
  ];
  const undo = () =>
    post("/v1/attached/{queue}/undo-batch", {
      path: { queue },
      body: { batch: report.batch, why: "the whole batch" },
    });
  return [
    began,
    h("p", { text: `${said.join(", ")}.` }),
    h(
      "ul",
      { class: "lines" },
      ...report.examples
        .filter(({ changes }) => changes.length > 0)
        .map(({ job, changes }) => h("li", { class: "mono", text: `job ${job}: ${changes.join(", ")}` })),
    ),
    report.stopped !== null && h("p", { class: "bad", text: `It ended early: ${STOPPED[report.stopped]}.` }),
    !isDry && report.sent > 0 && actButton("Undo the edits of those that failed again", undo),
  ];
}

function actButton(text, act) {
  const onclick = async () => {
    try {
      await act();
      notify(`${text}: done.`);
    } catch (problem) {
      notify(problem.message, "bad");
    }
  };
  return h("button", { type: "button", text, data: { key: `attached:${text}` }, onclick });
}

/** Adds a page of cases; those that are there stay, with what is typed in them. */
async function loadCases({ queue, group, page }, after = "") {
  const slot = (name) => page()?.querySelector(`[data-slot=${name}]`) ?? h("div");
  const query = { group, limit: PAGE, ...(after === "" ? {} : { after }) };
  try {
    const { cases, next } = await get("/v1/attached/{queue}/cases", { path: { queue }, query });
    // A large queue is looked through a second at a time.
    if (cases.length === 0 && next !== null && page() !== null)
      return await loadCases({ queue, group, page }, next);
    const reload = () => {
      fill(slot("cases"));
      return loadCases({ queue, group, page });
    };
    slot("cases").append(...cases.map((one) => attachedCase(queue, one, reload)));
    const button = (text, onclick) =>
      h("button", { type: "button", text, data: { key: `cases:${text}` }, onclick });
    fill(
      slot("more"),
      h(
        "div",
        { class: "buttons" },
        next === null ? null : button("More jobs", () => void loadCases({ queue, group, page }, next)),
        button("Read them again", () => void reload()),
      ),
    );
  } catch (problem) {
    fill(
      slot("more"),
      failed(problem, () => loadCases({ queue, group, page }, after)),
    );
  }
}

function auditTable(audit) {
  if (audit.length === 0) return h("p", { class: "quiet", text: "Nothing was done yet." });
  return table({
    caption: "Done to jobs of this queue",
    columns: ["When", "Who", "What", "Job", "Batch"],
    rows: audit.map(({ at_ms: atMs, by, deed, job, batch }) =>
      h(
        "tr",
        {},
        h("td", {}, when(atMs)),
        h("td", { text: by }),
        h("td", { text: deed }),
        h("td", { class: "mono", text: job }),
        h("td", { class: "mono", text: batch }),
      ),
    ),
  });
}
