import type { JsonSchema } from "#shared/json";
import { pick } from "../seeded.ts";

/** An answer to damage. */
export interface Intact {
  /** The stand-in's answer, any JSON value. */
  readonly answer: unknown;
  /** The schema requested for the answer; null for none. */
  readonly schema: JsonSchema | null;
  /** Seeded random numbers. */
  readonly random: () => number;
}

/** Damages an answer. Pure; null when this damage does not apply. */
export type Damage = (intact: Intact) => string | null;

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Puts the answer into a Markdown fence. */
export const fence: Damage = ({ answer, random }) =>
  `\`\`\`${pick(["json", "", "JSON"], random) ?? ""}\n${pretty(answer)}\n\`\`\``;

/** Adds prose before and after. */
export const prose: Damage = ({ answer, random }) => {
  const before = pick(
    ["Sure! Here is the JSON you asked for:", "Based on the message, my answer is:"],
    random,
  );
  const after = pick(["Let me know if you need anything else.", "I hope this helps!"], random);
  return `${before}\n\n${pretty(answer)}\n\n${after}`;
};

/** Truncates the answer after its first third, as at a token limit. */
export const truncation: Damage = ({ answer, random }) => {
  const text = JSON.stringify(answer);
  return text.length < 6 ? null : text.slice(0, Math.floor(text.length * (0.35 + random() * 0.6)));
};

/** Writes `True`, `False` and `None`, when the answer has such a literal. */
export const pythonLiterals: Damage = ({ answer }) => {
  const words: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
  const turned = outsideStrings(pretty(answer), (code) =>
    code.replaceAll(/\b(true|false|null)\b/g, (literal) => words[literal] ?? literal),
  );
  return turned === pretty(answer) ? null : turned;
};

/** Adds commas before closing brackets, and a comment. */
export const trailingComma: Damage = ({ answer }) => {
  const text = pretty(answer);
  const turned = outsideStrings(text, (code) => code.replaceAll(/\n(\s*)([}\]])/g, ",\n$1$2"));
  return turned === text ? null : turned.replace("\n", " // as requested\n");
};

/** Writes strings in single quotes, as Python prints a dictionary. */
export const singleQuotes: Damage = ({ answer }) => {
  const text = pretty(answer);
  const turned = text.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => {
    return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
  });
  return turned === text ? null : turned;
};

/** Encodes the JSON as a JSON string. */
export const doubleEncoded: Damage = ({ answer }) => JSON.stringify(JSON.stringify(answer));

/** Applies `change` to JSON text outside of strings. */
function outsideStrings(text: string, change: (code: string) => string): string {
  return text
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}
