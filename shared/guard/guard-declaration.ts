import { z } from "zod";
import { GuardDefinitionError } from "./errors.ts";

/** What an agent may cause, and what it makes of text that comes from outside. */
export interface GuardDeclaration {
  /** Actions that `ctx.once` may do, by name. `[]`: none at all. Default: any. */
  readonly mayCause?: readonly string[];
  /** For an action, the labels of text from outside by which it may not be caused. Default: none. */
  readonly refusesTaint?: Readonly<Record<string, readonly string[]>>;
  readonly untrusted?: {
    /** By JSON pointer into the payload ("" is all of it): the label of what stands there. Default: none. */
    readonly payload?: Readonly<Record<string, string>>;
    /** By name of a `ctx.step`: the label of what it brings in. Default: none. */
    readonly steps?: Readonly<Record<string, string>>;
  };
  /**
   * By receiver: JSON pointers into the payload it is handed, where the words are this agent's own whatever it has
   * read. A promise of the author's. Default: none, everything handed on carries the labels of everything read.
   */
  readonly clean?: Readonly<Record<string, readonly string[]>>;
  /**
   * `withhold`: a model's answer that repeats 12 words in a row of its instructions is asked for once more, then waits
   * for a person. Default: answers are not looked at.
   */
  readonly instructions?: "withhold";
  /** Default: texts are not looked at. */
  readonly injection?: {
    /** `flag`: the label `injection_suspected` and a line in the log; `quarantine`: a person looks first. */
    readonly reaction: "flag" | "quarantine";
    /** Score from which it sets in, in (0, 1]. Default 0.6. */
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
  instructions: z.literal("withhold").optional(),
  injection: z
    .strictObject({ reaction: z.enum(["flag", "quarantine"]), at: z.number().gt(0).max(1).optional() })
    .optional(),
});

/**
 * Holds a declaration against what can be kept, so that a slip of the pen is no hole.
 *
 * @throws {GuardDefinitionError} It names the place.
 */
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
