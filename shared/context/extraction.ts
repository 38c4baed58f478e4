/** Selects what a handoff takes from an agent's result. */
export interface ExtractionSpec<
  Result extends object,
  Fields extends readonly (keyof Result & string)[],
  Computed extends object,
> {
  /** Fields to copy; missing ones are left out. */
  readonly fields: Fields;
  /** Fields to compute. Pure. A computed field replaces a copied one of the same name. */
  readonly computes?: { readonly [Name in keyof Computed]: (result: Result) => Computed[Name] };
}

/** Type of an extraction's result. */
export type Extracted<
  Result extends object,
  Fields extends readonly (keyof Result & string)[],
  Computed extends object,
> = Omit<Pick<Result, Fields[number]>, keyof Computed> & Computed;

/**
 * Declares what a handoff takes from a result: chosen fields and computed ones, and nothing else.
 *
 * @example
 * const forWriter = extraction<Analysis>()({
 *   fields: ["entities", "sentiment"],
 *   computes: { entity_count: ({ entities }) => entities.length },
 * });
 * ctx.handoff("write", forWriter(analysis));
 */
export function extraction<Result extends object>() {
  return <
    const Fields extends readonly (keyof Result & string)[],
    // Without computed fields the type adds none.
    Computed extends object = Record<never, never>,
  >(
    spec: ExtractionSpec<Result, Fields, Computed>,
  ) =>
    (result: Result): Extracted<Result, Fields, Computed> => {
      const chosen = spec.fields
        .filter((name) => Object.hasOwn(result, name))
        .map((name): [string, unknown] => [name, result[name]]);
      const computed = Object.entries<(result: Result) => unknown>(spec.computes ?? {}).map(
        ([name, compute]): [string, unknown] => [name, compute(result)],
      );
      // Built from exactly the fields that the type names.
      return Object.fromEntries([...chosen, ...computed]) as Extracted<Result, Fields, Computed>;
    };
}
