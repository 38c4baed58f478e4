import { fill, h, notify, say } from "./dom.js";

/**
 * A reason, and what can be done for it. What is sent says which version the person had looked at: a change by
 * somebody else in between is refused and told, and what was typed stays.
 *
 * @param {object} about
 * @param {string} about.label Of the reason, for who cannot see where it stands.
 * @param {(action: any, body: { why: string, version?: number }) => Promise<unknown>} about.send
 * @param {() => Promise<unknown>} about.reload Shows what it is now.
 * @param {HTMLElement[]} [about.fields] Inputs below it, which `send` reads.
 */
export function actForm({ label, send, reload, fields = [] }) {
  const why = h("input", {
    maxlength: "2000",
    autocomplete: "off",
    placeholder: "Why? For whoever reads the audit.",
    "aria-label": label,
  });
  const said = h("p", { class: "bad", role: "alert", hidden: true });
  const buttons = h("div", { class: "buttons" });
  const element = h(
    "div",
    { class: "act" },
    h("label", { class: "field" }, "Why ", why),
    ...fields,
    said,
    buttons,
  );
  const present = { version: undefined, names: "" };
  const showText = (text) => say(said, text);
  const isTouched = () => [...element.querySelectorAll("input")].some((one) => one.value !== "");
  const act = async ({ name, title, needsWhy }) => {
    showText("");
    if (needsWhy && why.value.trim() === "") {
      showText(`Say why first: “${title}” is written down with its reason.`);
      return why.focus();
    }
    try {
      await send(name, { why: why.value.trim(), version: present.version });
      why.value = "";
      notify(`${title}: done.`);
      await reload();
    } catch (problem) {
      showText(problem.message);
      if (problem.status !== 409) return;
      // They have been told: what is shown from now on is what they decide about.
      present.version = undefined;
      await reload();
    }
  };
  /** Shows what can be done with the version that the page shows now. While somebody writes, theirs is kept. */
  const update = ({ version, actions }) => {
    if (present.version !== undefined && version !== present.version && isTouched())
      showText("This was changed while you were writing. Look at what it is now before you decide.");
    else present.version = version;
    const names = actions.map(({ name }) => name).join();
    if (names === present.names) return;
    present.names = names;
    const made = actions.map((action) =>
      h("button", {
        type: "button",
        class: action.kind ?? "",
        text: action.title,
        data: { key: `act:${action.name}` },
        onclick: () => void act(action),
      }),
    );
    fill(buttons, ...made);
  };
  return { element, update };
}
