import { count, percent } from "./amounts.js";
import { get } from "./api.js";
import { at, choiceOf, fill, h } from "./dom.js";
import { empty, failed, loading, table } from "./states.js";
import { teamPicture } from "./team-picture.js";

const SPANS = { hour: "the last hour", two_days: "the last two days" };
const COLUMNS = ["From", "To", "Type", "Contract", "Done", "Failed", "Success"];

/** @type {{ span: "hour" | "two_days" }} */
const asked = { span: "hour" };

/** Who may hand what to whom, team by team, and how often it went well. */
export async function openHandoffs() {
  if (at("detail").querySelector("[data-page=handoffs]") === null) fill(at("detail"), build());
  await load();
}

function build() {
  const onchoose = (span) => {
    asked.span = span;
    void load();
  };
  const span = choiceOf(SPANS, { value: asked.span, onchoose });
  return h(
    "section",
    { class: "page", data: { page: "handoffs" } },
    h("h2", { text: "Handoffs" }),
    h("p", {
      class: "quiet",
      text: "What each team declares is all that its agents may send: anything else is refused at both ends. A handoff counts as done when its receiver did its part, as failed when it was refused, became a dead message or ended otherwise.",
    }),
    h("label", { class: "field narrow" }, "Counted over ", span),
    h("div", { data: { slot: "matrix" } }, loading("handoffs")),
  );
}

async function load() {
  const slot = () => at("detail").querySelector("[data-page=handoffs] [data-slot=matrix]");
  try {
    const { handoffs, teams, span } = await get("/v1/handoffs", { query: { span: asked.span } });
    if (slot() === null || span !== asked.span) return;
    fill(slot(), ...panels(teams, handoffs));
  } catch (problem) {
    if (slot() !== null) fill(slot(), failed(problem, load));
  }
}

function panels(teams, handoffs) {
  const others = handoffs.filter(({ is_declared }) => !is_declared);
  if (handoffs.length === 0) return [empty("No team is loaded.")];
  return [
    ...teams.map((team) =>
      teamPanel(
        team,
        handoffs.filter((one) => one.is_declared && one.team === team.team),
      ),
    ),
    others.length === 0 ? null : panel("Declared by no team loaded here", others),
  ];
}

/** What comes from outside may go to any agent by hand: the picture is of what agents send. */
function teamPanel(team, rows) {
  const own = rows.filter(({ from }) => from !== "gateway");
  const picture = h(
    "div",
    { class: "scroll", role: "region", "aria-label": `Picture of ${team.team}`, tabindex: "0" },
    teamPicture(team, own),
  );
  return panel(team.team, rows, picture);
}

function panel(title, rows, picture = null) {
  return h(
    "section",
    { class: "panel" },
    h("h3", { text: title }),
    picture,
    table({ caption: `Handoffs: ${title}`, columns: COLUMNS, rows: rows.map(row) }),
  );
}

function row(one) {
  const isBad = one.failed > 0;
  return h(
    "tr",
    {},
    h("th", { scope: "row", text: one.from }),
    h("td", { text: one.to }),
    h("td", { text: one.handoff_type }),
    h("td", { text: one.contract }),
    h("td", { text: count(one.done) }),
    h("td", {}, h("span", { class: isBad ? "bad" : "", text: count(one.failed) })),
    h("td", { text: one.success_rate === null ? "none ended" : percent(one.success_rate) }),
  );
}
