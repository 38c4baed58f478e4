import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SNIFFED_BYTES, sniffType } from "#shared/blobs";
import { checkPayload, toIssues } from "#shared/contract";
import type { Contract } from "#shared/contract";
import { parseJson } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import { CommandRefusedError } from "../errors.ts";
import { storeFiles } from "../http/store-files.ts";
import type { FilesToStore } from "../http/store-files.ts";

/** A person's expectation at one place of a result. Null: there is nothing. */
const expectedValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type ExpectedValue = z.output<typeof expectedValue>;

const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;
/** Expected values by JSON pointer. */
const expectation = z
  .record(z.string(), expectedValue)
  .superRefine((places, context) => {
    const bad = Object.keys(places).find((pointer) => !POINTER.test(pointer));
    if (bad !== undefined) context.addIssue(`${JSON.stringify(bad)} is no JSON pointer such as "/status"`);
  })
  .transform((places): ReadonlyMap<string, ExpectedValue> => new Map(Object.entries(places)));

const caseSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "must be 1 to 100 letters, digits, . _ -"),
  /** Tasks that are run to their end before it, in this order: the earlier messages of a conversation. */
  before: z.array(z.unknown()).max(20).default([]),
  input: z.unknown().refine((input) => input !== undefined, "is missing"),
  expect: expectation.refine(({ size }) => size > 0, "expects nothing"),
  /** Values of a result that says honestly that it cannot tell. Default: nothing does. */
  unsure: expectation.default(new Map()),
  /** Language, writer and reason. For people. */
  language: z.string().min(2).max(35).optional(),
  style: z.string().min(1).max(60).optional(),
  note: z.string().max(500).optional(),
});

/** A task and what a person expects of its result. */
export type LabelledCase = Omit<z.output<typeof caseSchema>, "input"> & { readonly input: unknown };

export interface LabelledSet {
  readonly cases: readonly LabelledCase[];
  /** Contents of the files that cases name, by digest. They are kept once the system is open. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/**
 * Reads a team's labelled set, a JSON object a line, each input held against the entry's contract; `{"$file": …}` is
 * read from the team's folder. @throws {CommandRefusedError} It names file, line and field.
 */
export async function readCases(folder: string, accepts: Contract): Promise<LabelledSet> {
  const file = join(folder, "eval", "cases.jsonl");
  if (!existsSync(file))
    throw new CommandRefusedError(`There is no labelled set ${file}.`, "Write one: docs/guides/eval.md.");
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const store: FilesToStore["store"] = (content) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    files.set(sha256, content);
    const mime_type = sniffType(content.subarray(0, SNIFFED_BYTES)) ?? "application/octet-stream";
    return Promise.resolve({ uri: `sha256:${sha256}`, mime_type, bytes: content.length, sha256 });
  };
  const places = new Map<string, string>();
  const cases: LabelledCase[] = [];
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `${file}:${index + 1}`;
    const read = await readCase(line, { place, accepts, from: { folder, store } });
    const earlier = places.get(read.id);
    if (earlier !== undefined) refuse(`${place} /id`, `${read.id} is also in ${earlier}`);
    places.set(read.id, place);
    cases.push(read);
  }
  if (cases.length === 0) throw new CommandRefusedError(`${file} holds no case.`, "Write a line for each.");
  return { cases, files };
}

interface At {
  readonly place: string;
  readonly accepts: Contract;
  readonly from: FilesToStore;
}

async function readCase(line: string, at: At): Promise<LabelledCase> {
  const parsed = caseSchema.safeParse(parse(line, at.place));
  if (!parsed.success) {
    const [{ path, message } = { path: "", message: "is wrong" }] = toIssues(parsed.error);
    refuse(`${at.place} ${path}`, message);
  }
  const before: unknown[] = [];
  for (const [index, task] of parsed.data.before.entries())
    before.push(await readTask(task, at, `/before/${index}`));
  return { ...parsed.data, before, input: await readTask(parsed.data.input, at, "/input") };
}

async function readTask(task: unknown, { place, accepts, from }: At, pointer: string): Promise<unknown> {
  try {
    const read = await storeFiles(task, from);
    checkPayload(accepts, read);
    return read;
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    if (error instanceof CommandRefusedError)
      return refuse(`${place} ${pointer}`, error.message.replace(/\.$/, ""));
    const [{ path, message } = { path: "", message: "is wrong" }] = error.issues;
    return refuse(`${place} ${pointer}${path}`, `${message} (${accepts.id})`);
  }
}

function parse(line: string, place: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return refuse(place, "is not JSON, or has a name twice");
  }
}

function refuse(place: string, problem: string): never {
  throw new CommandRefusedError(`${place}: ${problem}.`, "Correct the line.");
}
