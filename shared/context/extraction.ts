/** What a handoff takes from what an agent has worked out. */
export interface ExtractionSpec<
  Stage extends object,
  Fields extends readonly (keyof Stage & string)[],
  Computed extends object,
> {
  /** Fields that travel as they are; those that the stage lacks are left out. */
  readonly fields: Fields;
  /** Fields that are worked out from the stage. Pure; one of the same name as a field takes its place. */
  readonly computes?: { readonly [Name in keyof Computed]: (stage: Stage) => Computed[Name] };
}

/** The type of what an extraction gives. */
export type Extracted<
  Stage extends object,
  Fields extends readonly (keyof Stage & string)[],
  Computed extends object,
> = Omit<Pick<Stage, Fields[number]>, keyof Computed> & Computed;

/**
 * Declares what of a stage's outcome is handed on: chosen fields and computed ones, and nothing else.
 *
 * @example
 * const forWriter = extraction<Analysis>()({
 *   fields: ["entities", "sentiment"],
 *   computes: { entity_count: ({ entities }) => entities.length },
 * });
 * ctx.handoff("write", forWriter(analysis));
 */
export function extraction<Stage extends object>() {
  return <
    const Fields extends readonly (keyof Stage & string)[],
    // An extraction that computes nothing has no such fields, rather than any.
    Computed extends object = Record<never, never>,
  >(
    spec: ExtractionSpec<Stage, Fields, Computed>,
  ) =>
    (stage: Stage): Extracted<Stage, Fields, Computed> => {
      const chosen = spec.fields
        .filter((name) => Object.hasOwn(stage, name))
        .map((name): [string, unknown] => [name, stage[name]]);
      const computed = Object.entries<(stage: Stage) => unknown>(spec.computes ?? {}).map(
        ([name, compute]): [string, unknown] => [name, compute(stage)],
      );
      // Made of exactly the fields that the type names.
      return Object.fromEntries([...chosen, ...computed]) as Extracted<Stage, Fields, Computed>;
    };
}
