import { z } from "zod";
import { toIssues } from "#shared/contract";
import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { hasSensitive } from "#shared/masking";
import { genericPlace, isObject, literalsOf, validate, valueAt } from "#shared/schema";
import { replaceTextAt } from "#shared/schema/edit";
import type { ContractLiterals, JsonValue } from "#shared/schema";
import { findUnfit } from "./find-unfit.ts";

/** The options of a ward on a BullMQ queue cannot be used. Nothing was read or written. */
export class WardOptionsInvalidError extends SutureError {
  constructor(option: string, problem: string) {
    super({
      code: "BULLMQ_WARD_OPTIONS_INVALID",
      failureClass: "validation_error",
      severity: "fatal",
      message: `The option ${option} of the ward on a BullMQ queue cannot be used: ${problem}.`,
      remedy: "See the options in docs/guides/bullmq-ward.md.",
    });
  }
}

/** Contract of the data of a queue's jobs. */
export interface DataContractOptions {
  /** A zod schema (zod 4) that data in JSON can satisfy, with no asynchronous check; or a JSON Schema (2020-12). */
  readonly schema: z.ZodType | JsonSchema;
  /** JSON pointer to the part of the data that it is about. Default "": all of it. */
  readonly at?: string;
}

/** A contract for the data of jobs, or for one part of it. */
export class DataContract {
  readonly jsonSchema: JsonSchema;
  readonly at: string;
  /** Names that the contract declares and values that it lists: these are no particulars of a job. */
  readonly words: ContractLiterals;
  /** True if it marks values as `x-sensitive`. */
  readonly isSensitive: boolean;
  readonly #zod: z.ZodType | null;

  /** @throws {WardOptionsInvalidError} The schema is none, or `at` is no JSON pointer. */
  constructor({ schema, at = "" }: DataContractOptions) {
    if (!/^(?:\/(?:[^~]|~[01])*)?$/.test(at))
      throw new WardOptionsInvalidError("contract.at", 'a JSON pointer is empty or begins with "/"');
    this.at = at;
    this.#zod = isZod(schema) ? schema : null;
    this.jsonSchema = toJsonSchema(schema);
    this.words = literalsOf(this.jsonSchema);
    this.isSensitive = hasSensitive(this.jsonSchema);
  }

  /** Returns the part of the data that the contract is about; undefined if it is not there. */
  part(data: JsonValue): JsonValue | undefined {
    return valueAt(data, stepsOf(this.at));
  }

  /** Returns JSON text of data with another text for the part. */
  replacePart(data: string, part: string): string {
    return replaceTextAt(data, stepsOf(this.at), part);
  }

  /** Returns true if data has the part that the contract is about. */
  reads(data: JsonValue | undefined): boolean {
    return data !== undefined && this.part(data) !== undefined;
  }

  /** Returns every fault of the part, with its pointer into the whole. @throws {WardOptionsInvalidError} */
  findFaults(part: JsonValue | undefined): readonly Issue[] {
    if (part === undefined) return [{ path: this.at, code: "missing", message: "this part is not there" }];
    if (this.#zod === null)
      return validate(part, this.jsonSchema).map((issue) => ({ ...issue, path: this.at + issue.path }));
    try {
      const parsed = this.#zod.safeParse(part);
      return parsed.success ? [] : toIssues(parsed.error, this.at);
    } catch (error) {
      if (error instanceof z.core.$ZodAsyncError)
        throw new WardOptionsInvalidError(
          "contract.schema",
          "it has an asynchronous check, and jobs are checked at once",
        );
      return [{ path: this.at, code: "check_threw", message: "the contract could not check this value" }];
    }
  }

  /** Returns a pointer into the data with `*` for list indices and for names that the contract does not declare. */
  placeOf(path: string): string {
    return this.at + genericPlace(path.slice(this.at.length), this.words.names);
  }
}

function toJsonSchema(schema: z.ZodType | JsonSchema): JsonSchema {
  if (!isZod(schema)) {
    if (isObject(schema) && !("safeParse" in schema)) return schema;
    throw new WardOptionsInvalidError(
      "contract.schema",
      "it is neither a zod 4 schema nor a JSON Schema object",
    );
  }
  const unfit = findUnfit(schema);
  if (unfit !== null)
    throw new WardOptionsInvalidError(
      "contract.schema",
      `no data in JSON satisfies z.${unfit.type}() at "${unfit.path}", so each job would count as faulty. Write ${unfit.instead}`,
    );
  try {
    return { ...z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new WardOptionsInvalidError("contract.schema", `zod cannot write it as JSON Schema: ${problem}`);
  }
}

function isZod(schema: z.ZodType | JsonSchema): schema is z.ZodType {
  return isObject(schema) && "_zod" in schema && typeof schema["safeParse"] === "function";
}
