import { z } from "zod";
import { GuardDefinitionError } from "./errors.ts";

/** Declares an agent's allowed actions, and how it treats text from outside (prompt injection). */
export interface GuardDeclaration {
  /** Actions allowed in `ctx.once`, by name; `[]` allows none. Default: any. */
  readonly mayCause?: readonly string[];
  /** Taint labels that an action refuses, by action. Default: none. */
  readonly refusesTaint?: Readonly<Record<string, readonly string[]>>;
  readonly untrusted?: {
    /** Taint labels by JSON pointer into the payload ("" is all of it). Default: none. */
    readonly payload?: Readonly<Record<string, string>>;
    /** Taint labels of step results, by name of the `ctx.step`. Default: none. */
    readonly steps?: Readonly<Record<string, string>>;
  };
  /**
   * JSON pointers, by receiver, into handed-on payloads whose words are this agent's own: a promise of the author.
   * Default: none; everything handed on carries the labels of everything read.
   */
  readonly clean?: Readonly<Record<string, readonly string[]>>;
  /**
   * A model's answer that repeats 12 consecutive words of its instructions is retried, then waits for a person.
   * `share`: it may repeat them, for instructions that hold sentences to be said. Default: it may not.
   */
  readonly instructions?: "share";
  /** Default: texts are not checked. */
  readonly injection?: {
    /** `flag` adds the label `injection_suspected` and logs; `quarantine` waits for a person. */
    readonly reaction: "flag" | "quarantine";
    /** Minimum score, in (0, 1]. Default 0.6. */
    readonly at?: number;
  };
}

const WORD = z.string().regex(/^[a-z][a-z0-9_.:-]{0,63}$/i);
const words = z.array(WORD).max(64);
const pointer = z
  .string()
  .regex(/^(?:\/[^/]*)*$/)
  .max(256);

const schema = z.strictObject({
  mayCause: words.optional(),
  refusesTaint: z.record(WORD, words).optional(),
  untrusted: z
    .strictObject({
      payload: z.record(pointer, WORD).optional(),
      steps: z.record(z.string(), WORD).optional(),
    })
    .optional(),
  clean: z.record(z.string(), z.array(pointer).max(64)).optional(),
  instructions: z.literal("share").optional(),
  injection: z
    .strictObject({ reaction: z.enum(["flag", "quarantine"]), at: z.number().gt(0).max(1).optional() })
    .optional(),
});

/** Validates a declaration, so that a typo disables no guard. @throws {GuardDefinitionError} It names the field. */
export function checkGuard(declared: GuardDeclaration, receivers: readonly string[]): void {
  const parsed = schema.safeParse(declared);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new GuardDefinitionError(
      `${issue?.path.join(".") || "it"} is wrong: ${issue?.message ?? "not valid"}`,
    );
  }
  const { mayCause, refusesTaint = {}, clean = {} } = declared;
  for (const action of Object.keys(refusesTaint)) {
    if (mayCause?.includes(action) === false)
      throw new GuardDefinitionError(`refusesTaint names ${action}, which is not in mayCause`);
  }
  for (const receiver of Object.keys(clean)) {
    if (!receivers.includes(receiver))
      throw new GuardDefinitionError(`clean names ${receiver}, to which it does not hand`);
  }
}
