import { NeedMissingError, NeedUndeclaredError } from "./errors.ts";
import { selectFields } from "./select-fields.ts";

/** What the prompt of one step holds, and no more. */
export interface ContextNeed {
  /** JSON pointers into the step's input, with `*` for items: without them the step cannot be asked. */
  readonly fields: readonly string[];
  /** As `fields`, for what may be absent. Default: none. */
  readonly optional?: readonly string[];
  /** Nominal budget of this step's prompt in tokens; 80 % of it are used. Default: the agent's. */
  readonly tokensMax?: number;
}

/** By name of the step given to `ctx.model`; `name/*` stands for every step whose name begins with `name/`. */
export type ContextNeeds = Readonly<Record<string, ContextNeed>>;

/**
 * What a step's prompt is given: of all that its handler passed, the declared fields.
 *
 * @throws {NeedUndeclaredError} The step declares nothing. @throws {NeedMissingError} What it needs is not there.
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
