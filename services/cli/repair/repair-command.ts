import { repair as firstAid } from "#shared/repair/library";
import type { Repair } from "#shared/repair/library";
import { EXIT } from "../errors.ts";
import { formatTable } from "../print/format-table.ts";
import { printJson, printJsonLine, writeError } from "../print/print-answer.ts";
import { readInput, readSchema } from "../read-input.ts";

/** Maximum rows of the table; `--json` lists all. */
const ROWS_MAX = 50;
/** Maximum length of a candidate's JSON, in UTF-16 units. */
const CANDIDATE_CHARS_MAX = 2_000;

type Repaired = Repair & { readonly ok: true };
type Refused = Repair & { readonly ok: false };

/** Repairs a text: value to standard output, changes to standard error. A refusal has exit code 2. */
export async function repair(
  file: string | undefined,
  options: { readonly schema?: string; readonly json: boolean },
): Promise<void> {
  const schema = options.schema === undefined ? undefined : await readSchema(options.schema);
  const text = await readInput(file ?? "-");
  const result = firstAid(text, schema);
  if (!result.ok) process.exitCode = EXIT.refused;
  if (options.json) return printJson(result);
  if (result.ok) printJsonLine(result.value);
  const lines = result.ok ? describeRepair(text, result) : describeRefusal(result);
  if (lines !== "") writeError(lines);
}

/**
 * Lists each value that does not stand in the text as it is, with its rules and its piece of the text, then the steps
 * over the whole text and the data that was not used. Empty for a text that is right as it is.
 */
function describeRepair(text: string, { evidence, steps }: Repaired): string {
  const piece = (span: { readonly start: number; readonly end: number } | undefined): string[] =>
    span === undefined ? [] : [text.slice(span.start, span.end), positionOf(text, span.start)];
  const changed = evidence.values
    .filter(({ rules }) => !rules.includes("as_written"))
    .map(({ path, rules, spans }) => [path === "" ? "/" : path, rules.join(", "), ...piece(spans[0])]);
  const ofWhole = new Set(steps.filter(({ path }) => path === "").map(({ step }) => step));
  const rows = [
    ...changed,
    ...[...ofWhole].map((step) => ["the whole text", step]),
    ...evidence.unused.map((one) => [`unused: ${one.name ?? "no name"}`, one.reason, ...piece(one)]),
  ];
  if (rows.length === 0) return "";
  const more = rows.length > ROWS_MAX ? `\n${rows.length - ROWS_MAX} more; --json lists them.` : "";
  return formatTable(["value", "rule", "in the text", "at"], rows.slice(0, ROWS_MAX)) + more;
}

/** States the reason, and the values between which first aid would have to choose. */
function describeRefusal({ code, reason, candidates }: Refused): string {
  const values = candidates.map((one) => `candidate: ${cut(JSON.stringify(one))}`);
  return [`${code}: ${reason}`, ...values].join("\n");
}

/** Line and column, both from 1. */
function positionOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function cut(text: string): string {
  return text.length > CANDIDATE_CHARS_MAX ? `${text.slice(0, CANDIDATE_CHARS_MAX)}…` : text;
}
