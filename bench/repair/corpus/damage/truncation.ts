import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Draw } from "../../seeded.ts";
import { plain, pretty, written } from "../damage.ts";
import type { Good, Right, WholeDamage } from "../damage.ts";
import { isJson } from "../is-json.ts";
import { enumOf, sitesOf } from "../sites.ts";
import { bareLine, flatMembers } from "./flat.ts";
import { tokensOf } from "./json-tokens.ts";
import type { Token } from "./json-tokens.ts";
import { pythonText, write } from "./notation.ts";

const LOST: Right = { refusal: "cut" };

/** Cuts sound JSON at a token that passes the filter; `keep` gives how much of the token stays. */
const cut = (
  name: string,
  why: string,
  {
    where,
    keep,
  }: { where: (token: Token, good: Good) => boolean; keep: (token: Token, draw: Draw) => number },
): WholeDamage => ({
  name,
  why,
  make: (good, draw) => {
    if (typeof good.value !== "object") return undefined;
    const tokens = tokensOf(written(good.value, draw)) ?? [];
    const at = draw.find(tokens.flatMap((token, index) => (where(token, good) ? [index] : [])));
    const last = at === undefined ? undefined : tokens[at];
    if (at === undefined || last === undefined) return undefined;
    const before = tokens
      .slice(0, at)
      .map(({ text }) => text)
      .join("");
    return { text: before + last.text.slice(0, keep(last, draw)), right: LOST };
  },
});

/** Texts of which a part tells the whole: members of enums, and constants. */
const isListed = ({ text }: Token, { value, contract: { part } }: Good): boolean =>
  sitesOf(value, part).some(
    (site) =>
      JSON.stringify(site.value) === text &&
      (enumOf(site.part).length > 0 || site.part["const"] !== undefined),
  );

const within = ({ text }: Token, draw: Draw): number => 2 + draw.below(Math.max(1, text.length - 4));

const whole = (
  name: string,
  why: string,
  how: (good: Good, draw: Draw) => string | undefined,
): WholeDamage => ({
  name,
  why,
  make: (good, draw) => {
    const text = how(good, draw);
    return text === undefined ? undefined : { text, right: { value: good.value } };
  },
});

const lost = (
  name: string,
  why: string,
  how: (good: Good, draw: Draw) => string | undefined,
): WholeDamage => ({
  name,
  why,
  make: (good, draw) => {
    const text = how(good, draw);
    // A list of texts may by chance be sound again.
    return text === undefined || isJson(text) ? undefined : { text, right: LOST };
  },
});

const half = (text: string, draw: Draw): string =>
  text.slice(0, Math.floor(text.length * (0.35 + 0.3 * draw.next())));

const structured = (value: JsonValue): boolean => typeof value === "object" && value !== null;

const PYTHON = {
  text: pythonText,
  nil: "None",
  yes: "True",
  no: "False",
  list: ["[", "]"],
  object: ["{", "}"],
  member: (name: string, value: string) => `${pythonText(name)}: ${value}`,
} as const;

/** Texts that end too early. Where a value is right, all of it stands there; else nobody can know the rest. */
export const TRUNCATION: readonly WholeDamage[] = [
  cut("cut in a text", "the rest of the text is unknown", {
    where: (token, good) => token.kind === "string" && token.text.length > 5 && !isListed(token, good),
    keep: within,
  }),
  cut("cut in a number", "the number had more digits", {
    where: ({ kind, text }) => kind === "number" && /\d\d$/.test(text) && text.length > 2,
    keep: ({ text }) => text.length - 1,
  }),
  cut("cut in a name", "a member was about to follow", {
    where: ({ kind, text }) => kind === "name" && text.length > 4,
    keep: within,
  }),
  cut("cut after a colon", "the member's value is missing", {
    where: ({ text }) => text === ":",
    keep: () => 1,
  }),
  cut("cut after a comma", "a member or item was about to follow", {
    where: ({ text }) => text === ",",
    keep: () => 1,
  }),
  cut("cut after an opening bracket", "what the bracket holds is missing", {
    where: ({ kind, text, depth }) => kind === "mark" && /^[{[]$/.test(text) && depth > 0,
    keep: () => 1,
  }),
  lost("cut between members", "required members are missing", ({ value, contract: { part } }, draw) => {
    const required = Array.isArray(part["required"]) ? part["required"].map(String) : [];
    if (!isObject(value)) return undefined;
    const members = Object.entries(value);
    const kept = 1 + draw.below(members.length - 1);
    if (!members.slice(kept).some(([name]) => required.includes(name))) return undefined;
    return pretty(Object.fromEntries(members.slice(0, kept))).replace(/\n\}$/, "");
  }),
  lost("beginning lost", "the first members are missing", ({ value, contract: { part } }) => {
    const required = Array.isArray(part["required"]) ? part["required"].map(String) : [];
    const [first] = isObject(value) ? Object.keys(value) : [];
    if (first === undefined || !required.includes(first)) return undefined;
    const text = pretty(value);
    const second = text.indexOf('\n  "', 5);
    return second === -1 ? undefined : text.slice(second + 1);
  }),
  lost("middle left out", "a stretch of the text is missing, as it says itself", ({ value }, draw) => {
    const text = structured(value) ? pretty(value) : "";
    const third = Math.floor(text.length / 3);
    const mark = draw.pick(["\n... [truncated 812 characters] ...\n", " [...] ", "\n<output truncated>\n"]);
    return third < 20 ? undefined : text.slice(0, third) + mark + text.slice(2 * third);
  }),
  lost("cut inside reasoning", "no answer was begun", (_, draw) =>
    draw.pick([
      "<think>\nLet me see. The first field is",
      '<thinking>I need to produce {"a": 1} or perhaps',
      "<reasoning>\nThe text mentions two dates, so",
    ]),
  ),
  lost("cut in a Python dictionary", "members are missing", ({ value }, draw) =>
    isObject(value) ? half(write(value, PYTHON) ?? "", draw) : undefined,
  ),
  lost("cut in escaped arguments", "members are missing", ({ value, contract }, draw) =>
    isObject(value)
      ? half(plain({ name: contract.name.replaceAll("-", "_"), arguments: plain(value) }), draw)
      : undefined,
  ),
  lost("cut in name: value lines", "required members are missing", ({ value, contract: { part } }) => {
    const members = flatMembers(value) ?? [];
    const required = Array.isArray(part["required"]) ? part["required"].map(String) : [];
    const kept = members.slice(0, Math.floor(members.length / 2));
    const isMissing = members.slice(kept.length).some(([name]) => required.includes(name));
    if (!isMissing || kept.length < 2 || kept.some(([, one]) => bareLine(one) === undefined))
      return undefined;
    return kept.map(([name, one]) => `${name}: ${String(one)}`).join("\n");
  }),
  whole("cut in the closing fence", "the answer is complete", ({ value }) =>
    structured(value) && !plain(value).includes("```") ? `\`\`\`json\n${pretty(value)}\n\`\`` : undefined,
  ),
  whole("cut in the prose after the answer", "the answer is complete", ({ value }, draw) =>
    structured(value)
      ? `${pretty(value)}\n\n${draw.pick(["I hope this hel", "Note that the second field was", "Explanation: I chose the"])}`
      : undefined,
  ),
  whole("cut in the shell of a tool call", "the arguments are complete", ({ value, contract }) =>
    isObject(value)
      ? plain({ name: contract.name.replaceAll("-", "_"), arguments: value }).slice(0, -1)
      : undefined,
  ),
  whole("cut in the closers of a wrapper", "the answer is complete", ({ value }) =>
    structured(value) ? plain({ status: "ok", result: { data: value } }).slice(0, -2) : undefined,
  ),
  whole("cut in a comment after the answer", "the answer is complete", ({ value }) =>
    structured(value) ? `${pretty(value)} // all fields as in the sou` : undefined,
  ),
];
