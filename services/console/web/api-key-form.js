import { post } from "./api.js";
import { choiceOf, fill, h, notify, say } from "./dom.js";

const SCOPES = {
  submit: "submit: starts runs, sees its tenant's",
  viewer: "viewer: looks at what its tenant owns",
  operator: "operator: staff, sees everything",
  admin: "admin: also makes keys",
};

const QUOTAS = {
  requests_per_minute: "Requests a minute",
  running_runs: "Running runs",
  waiting_runs: "Waiting runs",
  cost_per_day: "USD a day",
};

const text = (more = {}) => h("input", { maxlength: "200", autocomplete: "off", ...more });
const field = (label, input) => h("label", { class: "field" }, `${label} `, input);

/** Asks for a new key and shows its secret once. @param {() => Promise<unknown>} reload Lists the keys anew. */
export function keyForm(reload) {
  const inputs = {
    name: text({ required: true, placeholder: "shop" }),
    tenant: text({ value: "local" }),
    scope: choiceOf(SCOPES),
    teams: text({ placeholder: "all; or names with commas" }),
    expires: h("input", { type: "datetime-local" }),
    why: text({ maxlength: "2000", placeholder: "Why? For whoever reads the audit." }),
  };
  const quotas = Object.fromEntries(
    Object.keys(QUOTAS).map((name) => [name, text({ inputmode: "decimal", placeholder: "no limit" })]),
  );
  const said = h("p", { class: "bad", role: "alert", hidden: true });
  const secret = h("div", { role: "status" });
  const make = h("button", { type: "submit", class: "primary", text: "Make the key" });
  const form = h(
    "form",
    { class: "act", novalidate: true },
    h(
      "div",
      { class: "key-fields" },
      field("Name", inputs.name),
      field("Tenant", inputs.tenant),
      field("Scope", inputs.scope),
      field("Teams", inputs.teams),
      field("Expires (UTC)", inputs.expires),
      ...Object.entries(QUOTAS).map(([name, title]) => field(title, quotas[name])),
    ),
    h("label", { class: "field" }, "Why ", inputs.why),
    said,
    h("div", { class: "buttons" }, make),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  const send = async () => {
    say(said, "");
    make.disabled = true;
    try {
      const made = await post("/v1/api-keys", { body: read(inputs, quotas) });
      form.reset();
      fill(
        secret,
        shownOnce(made, () => fill(secret)),
      );
      await reload();
    } catch (problem) {
      say(
        said,
        [problem.message, ...(problem.errors ?? []).map((one) => `${one.pointer}: ${one.message}`)].join(" "),
      );
    } finally {
      make.disabled = false;
    }
  };
  return h("div", {}, form, secret);
}

function read(inputs, quotas) {
  const teams = inputs.teams.value
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const limits = Object.entries(quotas).filter(([, input]) => input.value.trim() !== "");
  return {
    name: inputs.name.value.trim(),
    tenant: inputs.tenant.value.trim(),
    scope: inputs.scope.value,
    teams: teams.length === 0 ? null : teams,
    expires_at: inputs.expires.value === "" ? null : `${inputs.expires.value}:00Z`,
    // What is no number is sent as it is, to be refused by its name.
    quotas: Object.fromEntries(limits.map(([name, { value }]) => [name, Number(value) || value])),
    why: inputs.why.value.trim(),
  };
}

function shownOnce({ name, secret }, forget) {
  const box = h("input", {
    readonly: true,
    value: secret,
    "aria-label": `Secret of ${name}`,
    class: "secret",
  });
  return h(
    "div",
    { class: "panel" },
    h("p", {}, h("strong", { text: `The secret of ${name}.` }), " It is shown once and kept nowhere."),
    h("div", { class: "field" }, box),
    h(
      "div",
      { class: "buttons" },
      h("button", {
        type: "button",
        text: "Copy",
        onclick: () =>
          void navigator.clipboard
            .writeText(secret)
            .then(() => notify("Copied."))
            .catch(() => box.select()),
      }),
      h("button", { type: "button", text: "I have kept it", onclick: forget }),
    ),
  );
}
