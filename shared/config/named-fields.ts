import type { VariableName, VariableValues } from "./variables.ts";

type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

/** `queueLimit` for `SUTURE_QUEUE_LIMIT`. */
type FieldOf<Name extends string> = Name extends `SUTURE_${infer Rest}` ? Camel<Lowercase<Rest>> : never;

/** Returns every setting under its variable's name in camelCase; those of another form are laid over it. */
export function namedFields(values: VariableValues) {
  const named = Object.entries(values).map(([name, value]) => [fieldOf(name), value] as const);
  // The same rule as the type's.
  return Object.fromEntries(named) as {
    readonly [Name in VariableName as FieldOf<Name>]: VariableValues[Name];
  };
}

function fieldOf(name: string): string {
  return name
    .replace(/^SUTURE_/, "")
    .toLowerCase()
    .replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
