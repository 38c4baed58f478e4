import {
  SENSITIVE_KINDS,
  findCards,
  findEmails,
  findIbans,
  findPhones,
  findSecrets,
  isCardNumber,
  isSecretName,
} from "./find-sensitive.ts";
import type { SensitiveKind, Span } from "./find-sensitive.ts";

/** Nesting below which everything is hidden; the envelope allows no deeper payload. */
const DEPTH_MAX = 64;

/** Redacts a copy of a JSON value: texts, names, card numbers, values under a secret's name; counts by kind. */
export function redactValue(
  value: unknown,
  kinds: readonly SensitiveKind[] = SENSITIVE_KINDS,
): { readonly value: unknown; readonly found: Redactions } {
  const redactor = new Redactor(kinds);
  return { value: redactor.redact(value, 0), found: redactor.found };
}

/** Returns a JSON value with `[secret]` in the place of keys, tokens and passwords. */
export function maskSecrets(value: unknown): unknown {
  return redactValue(value, ["secret"]).value;
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
    const names = new Map<string, number>();
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => {
        const name = uniqueName(this.text(key), names);
        const isScalar = (typeof inner === "string" && inner !== "") || typeof inner === "number";
        const isSecret = this.kinds.includes("secret") && isSecretName(key) && isScalar;
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

/** Keeps two members apart whose redacted names are equal. */
function uniqueName(name: string, names: Map<string, number>): string {
  const times = (names.get(name) ?? 0) + 1;
  names.set(name, times);
  return times === 1 ? name : uniqueName(`${name} ${times}`, names);
}

/** Number of findings by kind. */
export type Redactions = Readonly<Partial<Record<SensitiveKind, number>>>;

const FINDERS: Readonly<Record<SensitiveKind, (text: string) => Span[]>> = {
  secret: findSecrets,
  iban: findIbans,
  card: findCards,
  email: findEmails,
  phone: findPhones,
};

/** UUIDs often contain digits that look like a phone or card number. */
const UUID = /(?<![0-9a-f-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f-])/gi;

/** Maximum number of passes: a replacement may reveal another finding, such as an address cut by a secret. */
const PASSES_MAX = 4;

interface Finding extends Span {
  readonly kind: SensitiveKind;
}

/** Replaces sensitive data by `[card]`, `[email]` and so on, but not inside UUIDs. Linear and idempotent. */
export function redactText(
  text: string,
  kinds: readonly SensitiveKind[] = SENSITIVE_KINDS,
): { readonly text: string; readonly found: Redactions } {
  const found: Partial<Record<SensitiveKind, number>> = {};
  let redacted = text;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const findings = findSensitive(redacted, kinds);
    if (findings.length === 0) break;
    for (const { kind } of findings) found[kind] = (found[kind] ?? 0) + 1;
    redacted = replace(redacted, findings);
  }
  return { text: redacted, found };
}

function replace(text: string, findings: readonly Finding[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, kind } of findings) {
    parts.push(text.slice(at, start), `[${kind}]`);
    at = end;
  }
  return parts.join("") + text.slice(at);
}

/** Findings in text order; of overlapping ones the kind listed first wins. */
function findSensitive(text: string, kinds: readonly SensitiveKind[]): Finding[] {
  const spans = SENSITIVE_KINDS.filter((kind) => kinds.includes(kind))
    .map((kind) => ({ kind, found: FINDERS[kind](text) }))
    .filter(({ found }) => found.length > 0);
  if (spans.length === 0) return [];
  const taken = new Uint8Array(text.length);
  for (const { index, 0: id } of text.matchAll(UUID)) taken.fill(1, index, index + id.length);
  const findings = spans.flatMap(({ kind, found }) => {
    const own = joinOverlapping(found.filter(({ start, end }) => !taken.subarray(start, end).includes(1)));
    for (const { start, end } of own) taken.fill(1, start, end);
    return own.map((span) => ({ ...span, kind }));
  });
  return findings.toSorted((a, b) => a.start - b.start);
}

/** Merges overlapping findings, so that a password that begins like a key is hidden whole. */
function joinOverlapping(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last === undefined || span.start >= last.end) joined.push(span);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return joined;
}
