import { randomHex } from "#shared/clock";
import type { JsonSchema } from "#shared/contract";
import { validate } from "#shared/surgery";
import type { Patient } from "../patient.ts";
import { faultsOf } from "../patient.ts";
import { writablePlaces } from "../schema-places.ts";
import type { Objected } from "./procedure.ts";

/** Schema of the strong model's answer. */
export const ANSWER_SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    verdict: { enum: ["repaired", "irreparable"] },
    payload: { type: "string" },
    reason: { type: "string" },
    recipe: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
  required: ["verdict", "payload", "reason", "recipe"],
  additionalProperties: false,
};

const PROBLEMS_MAX = 50;
const HISTORY_MESSAGES_MAX = 10;
const HISTORY_CHARS_MAX = 8000;

const OBJECTIONS_MAX = 30;

/**
 * What the strong model is told, as JSON text: the letter as data, and nothing that it does not need.
 *
 * @param objected - Its first repair, and what the proof found against it. Null: it has made none.
 */
export function writeQuestion(patient: Patient, objected: Objected | null): string {
  const { sources } = patient;
  // A delimiter that the letter's author cannot have known.
  const mark = randomHex(8);
  return JSON.stringify({
    letter: `<<letter ${mark}>>\n${withoutControls(patient.text)}\n<<end ${mark}>>`,
    problems: problemsOf(patient),
    contract: { id: patient.contractId, schema: patient.schema },
    original_query: withoutControls(sources.original_query),
    history: recentHistory(sources.history),
    ...(sources.input === undefined ? {} : { input: withoutControls(JSON.stringify(sources.input)) }),
    writable: writablePlaces(patient.schema),
    ...(objected === null ? {} : { second_look: secondLookAt(objected) }),
    // Deliberately empty: a discharged letter of another run is another customer's data.
    examples: [],
  });
}

function secondLookAt({ value, objections }: Objected): unknown {
  return {
    payload: withoutControls(JSON.stringify(value)),
    objections: objections
      .slice(0, OBJECTIONS_MAX)
      .map(({ path, code, message }) => ({ path: withoutControls(path), code, message })),
  };
}

function problemsOf(patient: Patient): { path: string; code: string; message: string }[] {
  const found = patient.value === undefined ? [] : validate(patient.value, patient.schema);
  const told = patient.letter.record.failures.flatMap((failure) => failure.issues);
  const all = [...found, ...faultsOf(patient), ...told];
  const byPlace = new Map(all.map((issue) => [`${issue.path} ${issue.code}`, issue]));
  return [...byPlace.values()]
    .slice(0, PROBLEMS_MAX)
    .map(({ path, code, message }) => ({ path, code, message }));
}

/** Control and format characters steer terminals and hide text. Line breaks, tabs and joiners of scripts stay. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}--[\n\r\t]]|[\p{Cf}--[\u200c\u200d]]/gv, "");
}

function recentHistory(history: unknown): { role: string; content: string }[] {
  if (!Array.isArray(history)) return [];
  let left = HISTORY_CHARS_MAX;
  const kept: { role: string; content: string }[] = [];
  for (const turn of history.slice(-HISTORY_MESSAGES_MAX).toReversed()) {
    const { role, content } = turn as { role?: unknown; content?: unknown };
    if (typeof role !== "string" || typeof content !== "string" || content.length > left) continue;
    left -= content.length;
    kept.unshift({ role, content: withoutControls(content) });
  }
  return kept;
}
