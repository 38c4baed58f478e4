import { isCardNumber } from "./find-cards.ts";
import { isSecretName } from "./find-secrets.ts";
import { redactText } from "./redact-text.ts";
import type { Redactions } from "./redact-text.ts";
import { SENSITIVE_KINDS } from "./sensitive-kinds.ts";
import type { SensitiveKind } from "./sensitive-kinds.ts";

/** Nesting below which everything is hidden; the envelope allows no deeper payload. */
const DEPTH_MAX = 64;

/**
 * Redacts a JSON value: texts, member names, numbers that are card numbers, and every value under a secret's name.
 * Returns a copy.
 * @returns The copy, and the number of findings by kind.
 */
export function redactValue(
  value: unknown,
  kinds: readonly SensitiveKind[] = SENSITIVE_KINDS,
): { readonly value: unknown; readonly found: Redactions } {
  const redactor = new Redactor(kinds);
  return { value: redactor.redact(value, 0), found: redactor.found };
}

class Redactor {
  readonly found: Partial<Record<SensitiveKind, number>> = {};
  private readonly kinds: readonly SensitiveKind[];

  constructor(kinds: readonly SensitiveKind[]) {
    this.kinds = kinds;
  }

  redact(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.number(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= DEPTH_MAX) return "[redacted]";
    if (Array.isArray(value)) return value.map((item) => this.redact(item, depth + 1));
    return this.members(value, depth);
  }

  private members(value: object, depth: number): object {
    const names = new Map<string, number>();
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => {
        const name = uniqueName(this.text(key), names);
        const isSecret = this.kinds.includes("secret") && isSecretName(key) && isScalar(inner);
        if (isSecret) this.count("secret", 1);
        return [name, isSecret ? "[secret]" : this.redact(inner, depth + 1)];
      }),
    );
  }

  private text(text: string): string {
    const { text: redacted, found } = redactText(text, this.kinds);
    for (const kind of this.kinds) this.count(kind, found[kind] ?? 0);
    return redacted;
  }

  private number(value: number): unknown {
    const isCard = this.kinds.includes("card") && Number.isSafeInteger(value) && isCardNumber(String(value));
    if (isCard) this.count("card", 1);
    return isCard ? "[card]" : value;
  }

  private count(kind: SensitiveKind, times: number): void {
    if (times > 0) this.found[kind] = (this.found[kind] ?? 0) + times;
  }
}

function isScalar(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

/** Keeps two members apart whose redacted names are equal. */
function uniqueName(name: string, names: Map<string, number>): string {
  const times = (names.get(name) ?? 0) + 1;
  names.set(name, times);
  return times === 1 ? name : uniqueName(`${name} ${times}`, names);
}
