/**
 * Constraints on the wire: each is one text of `task_context.constraints`. `name=value`, where the value is JSON, sets
 * a rule; any other text is a constraint in words.
 */
const RULE = /^([a-z][a-z0-9_]{0,63})=(.+)$/s;

/** Field of the constraints in words, as a list of texts. */
const WORDS_FIELD = "words";

/** Writes constraints, given by name or as texts, in their wire form. */
export function writeConstraints(given: readonly string[] | Readonly<Record<string, unknown>>): string[] {
  if (isList(given)) return [...given];
  return Object.entries(given).flatMap(([name, value]) => {
    if (name === WORDS_FIELD && Array.isArray(value)) return value.map(String);
    return value === undefined ? [] : [`${name}=${JSON.stringify(value)}`];
  });
}

/**
 * Reads constraints from their wire form, by name.
 *
 * @returns `repeated`: rules that stand there twice, so that neither can be trusted; their values are the first ones.
 */
export function readConstraints(wire: readonly string[]): {
  readonly values: Readonly<Record<string, unknown>>;
  readonly repeated: readonly string[];
} {
  const rules = new Map<string, unknown>();
  const words: string[] = [];
  const repeated: string[] = [];
  for (const text of wire) {
    const rule = readRule(text);
    if (rule === null) words.push(text);
    else if (rules.has(rule.name)) repeated.push(rule.name);
    else rules.set(rule.name, rule.value);
  }
  const values = Object.fromEntries(rules);
  return { values: words.length === 0 ? values : { ...values, [WORDS_FIELD]: words }, repeated };
}

function readRule(text: string): { readonly name: string; readonly value: unknown } | null {
  const [, name, json] = RULE.exec(text) ?? [];
  if (name === undefined || json === undefined || name === WORDS_FIELD) return null;
  try {
    return { name, value: JSON.parse(json) };
  } catch {
    return null;
  }
}

// `Array.isArray` does not narrow a readonly list.
function isList(given: readonly string[] | Readonly<Record<string, unknown>>): given is readonly string[] {
  return Array.isArray(given);
}
