import { get, post } from "./api.js";
import { keyForm } from "./api-key-form.js";
import { at, fill, h, notify, say } from "./dom.js";
import { empty, failed, loading, table } from "./states.js";

const COLUMNS = ["Name", "Scope", "Teams", "Quotas and use", "Expires", "Made", "Revoke"];

const QUOTAS = {
  requests_per_minute: { title: "requests a minute", used: () => null },
  running_runs: { title: "running runs", used: (use) => use.running_runs },
  waiting_runs: { title: "waiting runs", used: (use) => use.waiting_runs },
  cost_per_day: { title: "USD a day", used: (use) => use.cost_today },
};

/** Keys of clients that were made while everything runs: who has which, what they use; for admins. */
export async function openApiKeys() {
  if (at("detail").querySelector("[data-page=keys]") === null) fill(at("detail"), build());
  await load();
}

function build() {
  return h(
    "section",
    { class: "page", data: { page: "keys" } },
    h("h2", { text: "API keys" }),
    h("p", {
      class: "quiet",
      text: "Keys made here work at once, and are refused everywhere within a second of being revoked. Configured keys are not among them. Who makes or revokes one is written into the record of what people did, never its secret.",
    }),
    h(
      "section",
      { class: "panel" },
      h("h3", { text: "Make a key" }),
      h("div", { data: { slot: "form" } }, keyForm(load)),
    ),
    h(
      "section",
      { class: "panel" },
      h("h3", { text: "Keys" }),
      h("div", { data: { slot: "keys" } }, loading("keys")),
    ),
  );
}

async function load() {
  const slot = () => at("detail").querySelector("[data-page=keys] [data-slot=keys]");
  try {
    const { keys } = await get("/v1/api-keys");
    if (slot() === null) return;
    show(slot(), keys);
  } catch (problem) {
    if (slot() !== null) fill(slot(), failed(problem, load));
  }
}

/** Rows by the name of their key: one that says the same stays, with what is being written in it. */
const shown = new Map();

function show(slot, keys) {
  const rows = keys.map((key) => {
    const text = JSON.stringify(key);
    if (shown.get(key.name)?.text !== text) shown.set(key.name, { text, row: row(key) });
    return shown.get(key.name).row;
  });
  for (const name of shown.keys()) if (!keys.some((key) => key.name === name)) shown.delete(name);
  const body = slot.querySelector("tbody");
  if (
    body !== null &&
    body.children.length === rows.length &&
    rows.every((one, i) => body.children[i] === one)
  )
    return;
  fill(
    slot,
    rows.length === 0
      ? empty("No key was made here.")
      : table({ caption: "API keys", columns: COLUMNS, rows }),
  );
}

function row(key) {
  return h(
    "tr",
    {},
    h("th", { scope: "row", text: key.name }),
    h("td", { text: key.scope }),
    h("td", { text: key.teams === null ? "all" : key.teams.join(", ") }),
    h("td", {}, ...quotas(key)),
    h("td", {}, expiry(key)),
    h("td", { text: `by ${key.created_by}, ${key.created_at.slice(0, 10)}` }),
    h("td", {}, revoker(key)),
  );
}

function quotas({ quotas: most, use }) {
  const rows = Object.entries(most).map(([name, value]) => {
    const { title, used } = QUOTAS[name];
    const now = use === null ? null : used(use);
    const isOut = now !== null && now >= value;
    return h("div", {
      class: isOut ? "bad" : "",
      text: `${now === null ? "" : `${now} of `}${value} ${title}`,
    });
  });
  return rows.length === 0 ? ["none"] : rows;
}

function expiry({ expires_at, is_expired }) {
  if (expires_at === null) return "never";
  const text = `${expires_at.slice(0, 16).replace("T", " ")} UTC`;
  return h("span", { class: is_expired ? "bad" : "", text: is_expired ? `expired ${text}` : text });
}

/** Two steps: the second names the key, so that no slip of the hand locks a client out. */
function revoker({ name }) {
  const why = h("input", {
    maxlength: "2000",
    autocomplete: "off",
    "aria-label": `Why revoke ${name}`,
    data: { key: `why:${name}` },
  });
  const said = h("p", { class: "bad", role: "alert", hidden: true });
  const sure = h("button", { type: "button", class: "danger", text: `Revoke ${name}` });
  const box = h(
    "div",
    { class: "act", hidden: true },
    h("label", { class: "field" }, "Why ", why),
    said,
    sure,
  );
  const open = h("button", {
    type: "button",
    text: "Revoke …",
    "aria-label": `Revoke ${name} …`,
    onclick: () => {
      box.hidden = false;
      open.hidden = true;
      why.focus();
    },
  });
  sure.addEventListener("click", () => void revoke());
  const revoke = async () => {
    say(said, "");
    if (why.value.trim() === "") return say(said, "Say why first: it is written down with its reason.");
    try {
      await post("/v1/api-keys/{name}/revoke", { path: { name }, body: { why: why.value.trim() } });
      notify(`${name} is revoked.`);
      await load();
    } catch (problem) {
      say(said, problem.message);
    }
  };
  return h("div", {}, open, box);
}
