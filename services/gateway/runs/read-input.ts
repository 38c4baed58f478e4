import { z } from "zod";
import type { TaskBody } from "#shared/api";
import { SutureError } from "#shared/errors";
import { RequestInvalidError } from "#shared/http";
import type { Team } from "#shared/runtime";

/** The team and the input that a request of the protocol asks for. */
interface ReadInput {
  readonly team: Team;
  /** For the contract of the team's first agent, which has not seen it yet. */
  readonly payload: unknown;
  /** Says where in the request a fault of the payload lies. */
  readonly placeOf: (path: string) => string;
}

const AT = "/additional_input";

/** Makes a task of a text and of parameters, which win. @throws {RequestInvalidError} Unknown team, or no text. */
export function readInput(
  teams: readonly Team[],
  body: TaskBody,
  { teamDefault }: { readonly teamDefault: string },
): ReadInput {
  const { team: wanted, ...fields } = body.additional_input ?? {};
  const team = chooseTeam(teams, wanted, teamDefault);
  const text = body.input ?? null;
  if (text === null) return { team, payload: fields, placeOf: (path) => AT + path };
  const read = readText(team, text);
  // A contract that takes a bare text has no fields to add.
  if (typeof read !== "object" || read === null) return { team, payload: read, placeOf: () => "/input" };
  const fromText: Readonly<Record<string, unknown>> = { ...read };
  return {
    team,
    payload: { ...fromText, ...fields },
    placeOf: (path) => (isOf(path, fromText) && !isOf(path, fields) ? "/input" : AT + path),
  };
}

/** A client that knows only the protocol names no team: it gets the default one, or the only one there is. */
function chooseTeam(teams: readonly Team[], wanted: unknown, teamDefault: string): Team {
  if (wanted !== undefined) return findTeam(teams, typeof wanted === "string" ? wanted : "", `${AT}/team`);
  const [only] = teams;
  if (only !== undefined && teams.length === 1) return only;
  return findTeam(teams, teamDefault, `${AT}/team`);
}

function isOf(path: string, fields: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(fields, path.split("/")[1] ?? "");
}

function readText(team: Team, text: string): unknown {
  const { readText: read } = team.options;
  if (read === undefined) return placeText(team, text);
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    throw new RequestInvalidError([
      { path: "/input", code: error.code.toLowerCase(), message: `${error.message} ${error.remedy}` },
    ]);
  }
}

const objectForm = z.looseObject({ properties: z.record(z.string(), z.looseObject({ type: z.unknown() })) });

function placeText(team: Team, text: string): unknown {
  const { jsonSchema } = team.entry.accepts;
  if ("type" in jsonSchema && jsonSchema.type === "string") return text;
  const { success, data } = objectForm.safeParse(jsonSchema);
  const texts = success
    ? Object.entries(data.properties).flatMap(([name, { type }]) => (type === "string" ? [name] : []))
    : [];
  const field =
    TEXT_FIELDS.find((name) => texts.includes(name)) ?? (texts.length === 1 ? texts[0] : undefined);
  if (field !== undefined) return { [field]: text };
  throw new RequestInvalidError([
    {
      path: "/input",
      code: "not_read",
      message: `${team.name} takes no plain text; send what ${team.entry.accepts.id} asks for as additional_input`,
    },
  ]);
}

/** At most 3 bytes of UTF-8 each, so that the text stays below the envelope's bound of 64 KiB for a string. */
const QUERY_CHARS_MAX = 20_000;

/** Fields in which inputs carry the user's own words, the likeliest first. */
const TEXT_FIELDS = [
  "body",
  "text",
  "query",
  "message",
  "question",
  "prompt",
  "instructions",
  "input",
] as const;

/** The user's own words in a task's input: its text field, the input itself if it is text, else its JSON. Bounded. */
export function originalQueryOf(input: unknown): string {
  return boundQuery(findText(input) ?? JSON.stringify(input) ?? "");
}

function findText(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...input };
  for (const name of TEXT_FIELDS) {
    const text = fields[name];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

/** A text as long as an envelope carries the user's words; cut between characters, never inside one. */
export function boundQuery(text: string): string {
  if (text.length <= QUERY_CHARS_MAX) return text;
  const cut = text.slice(0, QUERY_CHARS_MAX);
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
}

/** @param at - Place of the name in the request, as a JSON pointer. @throws {RequestInvalidError} */
export function findTeam(teams: readonly Team[], name: string, at: string): Team {
  const team = teams.find((candidate) => candidate.name === name);
  if (team !== undefined) return team;
  const known = teams.map((candidate) => candidate.name).join(", ");
  throw new RequestInvalidError([
    { path: at, code: "unknown_team", message: `known teams are ${known || "none"}` },
  ]);
}
