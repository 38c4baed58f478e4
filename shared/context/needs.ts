import { NeedMissingError, NeedUndeclaredError } from "./errors.ts";
import { selectFields } from "./select-fields.ts";

/** The context that one step's prompt holds. */
export interface ContextNeed {
  /** JSON pointers into the step's input, with `*` for items. Required. */
  readonly fields: readonly string[];
  /** As `fields`, but optional. Default: none. */
  readonly optional?: readonly string[];
  /** JSON pointers into the agent's declared preferences that the prompt holds besides. Default: none. */
  readonly preferences?: readonly string[];
  /** JSON pointers into the agent's declared constraints that the prompt holds besides. Default: none. */
  readonly constraints?: readonly string[];
  /** As `shortens` of `ctx.model`: parts of the input that may be sent shorter after a time-out. Default: its own. */
  readonly shortens?: readonly string[];
  /** Nominal budget of this step's prompt in tokens, of which 80 % are used. Default: the agent's. */
  readonly tokensMax?: number;
}

/** Needs by the step name given to `ctx.model`; `name/*` matches every step that begins with `name/`. */
export type ContextNeeds = Readonly<Record<string, ContextNeed>>;

/**
 * Selects the declared fields of a step's input.
 * @throws {NeedUndeclaredError} The step declares nothing.
 * @throws {NeedMissingError} A required field is missing.
 */
export function takeNeeded(
  needs: ContextNeeds,
  asked: { readonly agent: string; readonly step: string; readonly input: unknown },
): { readonly input: unknown; readonly need: ContextNeed } {
  const { agent, step, input } = asked;
  const need = findNeed(needs, step);
  if (need === undefined) throw new NeedUndeclaredError(agent, step);
  const { missing } = selectFields(input, need.fields);
  if (missing.length > 0) throw new NeedMissingError(agent, { step, paths: missing });
  return { need, input: selectFields(input, [...need.fields, ...(need.optional ?? [])]).value };
}

function findNeed(needs: ContextNeeds, step: string): ContextNeed | undefined {
  if (Object.hasOwn(needs, step)) return needs[step];
  const family = Object.keys(needs)
    .filter((name) => name.endsWith("/*") && step.startsWith(name.slice(0, -1)))
    .toSorted((a, b) => b.length - a.length)[0];
  return family === undefined ? undefined : needs[family];
}
