import { count, counted } from "./amounts.js";
import { get } from "./api.js";
import { at, fill, h } from "./dom.js";
import { empty, facts, failed, loading, table } from "./states.js";
import { when } from "./when.js";

const COLUMNS = ["Group", "Job", "Failed jobs", "Such as"];

/** Shows the way to the page where something is attached. Asked once: what is attached changes with a restart. */
export async function showAttachedLink() {
  const { queues } = await get("/v1/attached").catch(() => ({ queues: [] }));
  at("attached-link").hidden = queues.length === 0;
}

/** All attached queues with groups of their failed jobs. Built once; asked anew, only the list changes. */
export async function openAttached(caller) {
  if (at("detail").querySelector("[data-page=attached]") === null) fill(at("detail"), build());
  const slot = () => at("detail").querySelector("[data-page=attached] [data-slot=queues]");
  try {
    const { queues } = await get("/v1/attached");
    if (slot() !== null) fill(slot(), ...panels(queues, caller));
  } catch (problem) {
    if (slot() !== null)
      fill(
        slot(),
        failed(problem, () => openAttached(caller)),
      );
  }
}

function build() {
  return h(
    "section",
    { class: "page", data: { page: "attached" } },
    h("h2", { text: "Attached queues" }),
    h("p", {
      class: "quiet",
      text: "BullMQ queues that run anyway. Their jobs are unsealed: plain jobs that nobody has signed. Nothing is moved; jobs go back by BullMQ's own retry.",
    }),
    h("div", { class: "steps", data: { slot: "queues" } }, loading("attached queues")),
  );
}

function panels(queues, caller) {
  if (queues.length === 0)
    return [empty("No queue is attached. SUTURE_ATTACHED_QUEUES names those that are shown here.")];
  return queues.map((queue) =>
    h(
      "section",
      { class: "panel", "aria-label": `Queue ${queue.name}` },
      h("h3", {}, `${queue.name} `, unsealedBadge()),
      queue.problem !== null && h("p", { class: "bad", text: queue.problem }),
      queue.counts !== null &&
        facts([
          ["Failed", count(queue.counts.failed)],
          ["Waiting", count(queue.counts.waiting)],
          ["Active", count(queue.counts.active)],
          ["Delayed", count(queue.counts.delayed)],
          ["Contract", queue.has_contract ? "yes" : "none: grouped by error alone"],
        ]),
      ...groupsOf(queue, caller),
    ),
  );
}

/** Marks jobs that nobody has signed. */
export const unsealedBadge = () =>
  h("span", {
    class: "badge warn",
    text: "unsealed",
    title: "A plain BullMQ job: nothing vouches for its sender.",
  });

function groupsOf({ name, survey, counts, problem }, caller) {
  if (survey === null) return [problem === null && loading("groups")];
  const { groups, groups_total: total, looked, is_complete: isComplete, at_ms: atMs } = survey;
  const extent = isComplete
    ? `${counted(looked, "failed job")}, all of them`
    : `the oldest ${counted(looked, "failed job")} only`;
  const age = h("p", { class: "quiet" }, `Grouped ${extent}, `, when(atMs), ".");
  if (groups.length === 0) return [counts?.failed === 0 ? empty("No failed jobs. Nothing to do.") : age];
  return [
    age,
    total > groups.length &&
      h("p", { class: "quiet", text: `The largest ${groups.length} of ${count(total)} groups.` }),
    table({
      caption: `Groups of failed jobs of ${name}`,
      columns: COLUMNS,
      rows: groups.map((group) => row(name, group, caller)),
    }),
  ];
}

function row(queue, group, caller) {
  const id = `${queue}/${group.id}`;
  // Cases over the bound are counted together, and no page has them alone.
  const isOpen = caller.role !== "viewer" && group.id !== "rest";
  const name = groupWords(group);
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      isOpen
        ? h("a", {
            href: `#attached/${encodeURIComponent(id)}`,
            data: { key: `attached:${id}` },
            text: name,
          })
        : name,
    ),
    h("td", { text: group.job_name }),
    h("td", { text: count(group.count) }),
    h("td", { class: "mono", text: group.examples.slice(0, 3).join(" ") }),
  );
}

/** What is wrong with the jobs of a group, in one line. */
export function groupWords({ id, faults, error }) {
  if (id === "rest") return "all further groups";
  return [...faults, error].filter((part) => part !== "").join("; ") || "an error without a message";
}
