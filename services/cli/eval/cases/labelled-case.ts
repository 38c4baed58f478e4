import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { checkPayload } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { parseJson } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import { CommandRefusedError } from "../../errors.ts";
import { storeFiles } from "../../http/store-files.ts";
import type { FilesToStore } from "../../http/store-files.ts";
import type { CaseFiles } from "./case-files.ts";

/** What a person expects at one place of a result. */
const expectedValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export type ExpectedValue = z.output<typeof expectedValue>;

const BEFORE_MAX = 20;

const caseSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "must be 1 to 100 letters, digits, . _ -"),
  /** Tasks that are run to their end before it, in this order: the earlier messages of a conversation. */
  before: z.array(z.unknown()).max(BEFORE_MAX).default([]),
  input: z.unknown().refine((input) => input !== undefined, "is missing"),
  expect: z
    .record(z.string(), expectedValue)
    .refine((expect) => Object.keys(expect).length > 0, "expects nothing"),
  /** A result that says honestly that it cannot tell, by JSON pointer. Default: none is taken as one. */
  unsure: z.record(z.string(), expectedValue).optional(),
  /** Language of the input, by which the figures are split. */
  language: z.string().min(2).max(35).optional(),
  /** Writer or style of the input, by which the figures are split. */
  style: z.string().min(1).max(60).optional(),
  /** Why it is labelled so. For people. */
  note: z.string().max(500).optional(),
});

/** A task and what a person expects of its result, by JSON pointer. Null: that there is nothing. */
export interface LabelledCase {
  readonly id: string;
  /** Tasks that are run before it, one after the other. */
  readonly before: readonly unknown[];
  readonly input: unknown;
  readonly expect: ReadonlyMap<string, ExpectedValue>;
  /** What stands in a result that says honestly that it cannot tell; empty: nothing does. */
  readonly unsure: ReadonlyMap<string, ExpectedValue>;
  readonly language: string | null;
  readonly style: string | null;
}

const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;

/** The labelled set of a team: a JSON object a line. */
export function casesFile(teamsDir: string, team: string): string {
  return join(teamsDir, team, "eval", "cases.jsonl");
}

/**
 * Reads a labelled set, each input held against the contract of the team's entry. What an input names as
 * `{"$file": "samples/files/a.pdf"}` is read from the team's folder, and its reference stands in its place.
 *
 * @throws {CommandRefusedError} There is none, or a line is none; the message names file, line and field.
 */
export async function readCases(
  file: string,
  { accepts, files }: { readonly accepts: Contract; readonly files: CaseFiles },
): Promise<LabelledCase[]> {
  if (!existsSync(file))
    throw new CommandRefusedError(`There is no labelled set ${file}.`, "Write one: docs/guides/eval.md.");
  const lines = readFileSync(file, "utf8").split("\n");
  const places = new Map<string, string>();
  const folder = dirname(dirname(file));
  const cases: LabelledCase[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const place = `${file}:${index + 1}`;
    const read = await readCase(line, { place, accepts, from: { folder, store: files.refer } });
    const earlier = places.get(read.id);
    if (earlier !== undefined) refuse(place, "/id", `${read.id} is also in ${earlier}`);
    places.set(read.id, place);
    cases.push(read);
  }
  if (cases.length === 0) throw new CommandRefusedError(`${file} holds no case.`, "Write a line for each.");
  return cases;
}

async function readCase(
  line: string,
  {
    place,
    accepts,
    from,
  }: { readonly place: string; readonly accepts: Contract; readonly from: FilesToStore },
): Promise<LabelledCase> {
  const parsed = caseSchema.safeParse(parse(line, place));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    const path = [...(issue?.path ?? []), ...unknown].map((step) => `/${String(step)}`).join("");
    return refuse(place, path, unknown.length > 0 ? "is no field of a case" : (issue?.message ?? "is wrong"));
  }
  const { id, expect, unsure = {}, language = null, style = null } = parsed.data;
  const [input, ...before] = await Promise.all(
    [parsed.data.input, ...parsed.data.before].map((task) => withReferences(task, { place, from })),
  );
  for (const [field, places] of Object.entries({ expect, unsure })) {
    const bad = Object.keys(places).find((pointer) => !POINTER.test(pointer));
    if (bad !== undefined)
      refuse(place, `/${field}`, `${JSON.stringify(bad)} is no JSON pointer such as "/status"`);
  }
  checkTask(accepts, input, `${place} /input`);
  for (const [index, task] of before.entries()) checkTask(accepts, task, `${place} /before/${index}`);
  const places = { expect: new Map(Object.entries(expect)), unsure: new Map(Object.entries(unsure)) };
  return { id, before, input, ...places, language, style };
}

function checkTask(accepts: Contract, task: unknown, at: string): void {
  try {
    checkPayload(accepts, task);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const [issue] = error.issues;
    refuse(`${at}${issue?.path ?? ""}`, "", `${issue?.message ?? "is wrong"} (${accepts.id})`);
  }
}

async function withReferences(
  input: unknown,
  { place, from }: { readonly place: string; readonly from: FilesToStore },
): Promise<unknown> {
  try {
    return await storeFiles(input, from);
  } catch (error) {
    if (!(error instanceof CommandRefusedError)) throw error;
    return refuse(place, "/input", error.message.replace(/\.$/, ""));
  }
}

function parse(line: string, place: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return refuse(place, "", "is not JSON, or has a name twice");
  }
}

function refuse(place: string, path: string, problem: string): never {
  throw new CommandRefusedError(`${place}${path === "" ? "" : ` ${path}`}: ${problem}.`, "Correct the line.");
}
