import { withoutParticulars } from "#shared/failure";
import { concealIn, SENSITIVE_MASK } from "#shared/masking";
import { canonical, isObject, jsonValueOf, leavesOf } from "#shared/schema";
import type { ContractLiterals, JsonValue } from "#shared/schema";
import { editJson } from "#shared/schema/edit";
import type { DataContract } from "./data-contract.ts";
import type { JobCase } from "./job-case.ts";

/**
 * Returns a case for people: what the contract marks is masked in the data, error and stack, unreadable data whole. Its
 * version and digest are left out, because short values could be found from them.
 */
export function describeCase(jobCase: JobCase, contract: DataContract | null): JobCase {
  if (contract === null || !contract.isSensitive) return jobCase;
  const whole = jobCase.data === null ? undefined : jsonValueOf(jobCase.data);
  const part = whole === undefined ? undefined : contract.part(whole);
  const described = { ...jobCase, version: "", digest: null };
  if (whole === undefined || part === undefined)
    return {
      ...described,
      data: jobCase.data === null ? null : SENSITIVE_MASK,
      failedReason: SENSITIVE_MASK,
      stacktrace: SENSITIVE_MASK,
    };
  const { payload, elsewhere, beside } = concealIn([part], contract.jsonSchema);
  const text = (value: string): string => String(elsewhere(value));
  const masked = jsonValueOf(contract.replacePart(jobCase.data ?? "", JSON.stringify(payload(part)))) ?? null;
  // Masked JSON stays JSON.
  const shown = beside(masked) as typeof masked;
  return {
    ...described,
    data: editJson(jobCase.data ?? "", shown) ?? JSON.stringify(shown),
    failedReason: text(jobCase.failedReason),
    stacktrace: text(jobCase.stacktrace),
  };
}

/** Values of a job's data that are looked for in its error. */
const VALUES_MAX = 500;
/** Longer ones are rarely quoted whole. */
const CHARS_MAX = 500;
const DEPTH_MAX = 64;
/** Characters of an error that are read. */
const REASON_CHARS_MAX = 4096;
const INSIDE_WORD = /[\p{L}\p{N}_]/u;
/** The words by which `withoutParticulars` replaces them; several in a row count as one. */
const PARTICULARS = /<(?:text|address|id|n)>(?:[\s,;:]*<(?:text|address|id|n)>)*/g;

/**
 * Returns a job's error with `<value>` for its particulars: the texts of its own data, ids, numbers and quoted text.
 * Names and listed values of the contract, and names of the data's members, stay, because they say what is wrong.
 */
export function describeReason(
  reason: string,
  data: JsonValue | undefined,
  words: ContractLiterals | null,
): string {
  return withoutParticulars(withoutValues(reason, data, words)).replaceAll(PARTICULARS, "<value>");
}

function withoutValues(reason: string, data: JsonValue | undefined, words: ContractLiterals | null): string {
  const text = reason.slice(0, REASON_CHARS_MAX).toLowerCase();
  if (data === undefined) return text;
  const names = new Set([...(words?.names ?? []), ...namesIn(data, 0)].map((name) => name.toLowerCase()));
  return leavesOf(data)
    .flatMap(({ value }) =>
      typeof value === "string" && words?.listed.has(canonical(value)) !== true
        ? [value.trim().toLowerCase()]
        : [],
    )
    .slice(0, VALUES_MAX)
    .filter((value) => value !== "" && value.length <= CHARS_MAX && text.includes(value) && !names.has(value))
    .toSorted((a, b) => b.length - a.length)
    .reduce(withoutWord, text);
}

/** Replaces a text where no letter or digit is beside it. */
function withoutWord(text: string, word: string): string {
  let [done, from] = ["", 0];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at < from || INSIDE_WORD.test(text[at - 1] ?? "") || INSIDE_WORD.test(text[at + word.length] ?? ""))
      continue;
    // A number is a particular too, and no further value can be found in it.
    done += `${text.slice(from, at)}0`;
    from = at + word.length;
  }
  return done + text.slice(from);
}

function namesIn(value: JsonValue, depth: number): readonly string[] {
  if (depth > DEPTH_MAX || typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap((one) => namesIn(one, depth + 1));
  return isObject(value) ? [...Object.keys(value), ...inner] : inner;
}
