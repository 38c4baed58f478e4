import type { FailingTest } from "../trial/report.ts";
import { readShown, UNREADABLE } from "./read-shown.ts";

/** What kind of wrong a failure shows. */
export type Symptom =
  | "one_off"
  | "opposite"
  | "number"
  | "not_a_number"
  | "longer"
  | "shorter"
  | "order"
  | "type_mixed"
  | "promise"
  | "nothing"
  | "flag"
  | "letter_case"
  | "blanks"
  | "spacing"
  | "text"
  | "no_error"
  | "unwanted_error"
  | "unknown_name"
  | "not_a_function"
  | "no_export"
  | "no_module"
  | "member_of_nothing"
  | "not_iterable"
  | "constant"
  | "endless"
  | "shared_state";

const MESSAGES: readonly (readonly [Symptom, RegExp])[] = [
  ["unknown_name", /is not defined/],
  ["not_a_function", /is not a function|is not a constructor/],
  ["no_export", /does not provide an export named/],
  ["no_module", /Cannot find module|Cannot find package|ERR_MODULE_NOT_FOUND/],
  ["member_of_nothing", /Cannot (?:read|set) properties of (?:undefined|null)|Cannot destructure/],
  ["not_iterable", /is not iterable|not a function or its return value is not iterable/],
  ["constant", /Assignment to constant variable|Cannot assign to read only/],
  ["no_error", /Missing expected (?:exception|rejection)/],
  ["unwanted_error", /Got unwanted (?:exception|rejection)/],
  ["endless", /bound of time|Maximum call stack|Invalid array length|out of memory|bound of memory/],
  ["promise", /Promise ?\{|\[object Promise\]|resolution is still pending|unhandled/i],
];

/** Words in a test's name that speak of one call spoiling the next. */
const SHARED =
  /mutat|shared|leak|twice|again|original|untouched|unchanged|independent|previous|second (?:call|time)|does not (?:change|modify|alter|touch)|in place|between calls|own copy|fresh/i;

/** Reads what a failure shows: from the error's own words and from what was expected beside what came. */
export function readSymptoms(failing: readonly FailingTest[]): Set<Symptom> {
  const found = new Set<Symptom>();
  for (const test of failing) {
    const said = `${test.message} ${test.actual ?? ""}`;
    for (const [symptom, pattern] of MESSAGES) if (pattern.test(said)) found.add(symptom);
    if (SHARED.test(test.name)) found.add("shared_state");
    for (const symptom of compareShown(test)) found.add(symptom);
  }
  return found;
}

function compareShown({ expected, actual }: FailingTest): Symptom[] {
  if (expected === null || actual === null) return [];
  const [wanted, got] = [readShown(expected), readShown(actual)];
  if (wanted === UNREADABLE || got === UNREADABLE) return expected === actual ? ["type_mixed"] : [];
  return compare(wanted, got, 0);
}

function compare(wanted: unknown, got: unknown, depth: number): Symptom[] {
  if (Object.is(wanted, got) || depth > 6) return [];
  if (Number.isNaN(got)) return ["not_a_number", "number"];
  if (got === undefined || got === null) return ["nothing"];
  if (typeof wanted === "boolean" && typeof got === "boolean") return ["flag"];
  if (typeof wanted === "number" && typeof got === "number") return compareNumbers(wanted, got);
  if (typeof wanted === "string" && typeof got === "string") return compareTexts(wanted, got);
  if (Array.isArray(wanted) && Array.isArray(got)) return compareLists(wanted, got, depth);
  if (isRecord(wanted) && isRecord(got)) return compareRecords(wanted, got, depth);
  return ["type_mixed"];
}

function compareNumbers(wanted: number, got: number): Symptom[] {
  const symptoms: Symptom[] = ["number"];
  if (Math.abs(wanted - got) === 1) symptoms.push("one_off");
  if (wanted === -got) symptoms.push("opposite");
  return symptoms;
}

function compareTexts(wanted: string, got: string): Symptom[] {
  if (wanted.toLowerCase() === got.toLowerCase()) return ["text", "letter_case"];
  if (wanted.replaceAll(/\s+/g, "") === got.replaceAll(/\s+/g, ""))
    return ["text", wanted.trim() === got.trim() ? "blanks" : "spacing"];
  if (got.includes("undefined") || got.includes("null")) return ["text", "nothing"];
  if (got.includes("NaN")) return ["text", "not_a_number"];
  const numbers = /\d/.test(wanted) && wanted.replaceAll(/\d+/g, "") === got.replaceAll(/\d+/g, "");
  return ["text", ...(numbers ? (["number"] as const) : []), ...compareLengths(wanted, got)];
}

function compareLengths(wanted: { readonly length: number }, got: { readonly length: number }): Symptom[] {
  const symptoms: Symptom[] = [];
  if (got.length > wanted.length) symptoms.push("longer");
  if (got.length < wanted.length) symptoms.push("shorter");
  if (Math.abs(got.length - wanted.length) === 1) symptoms.push("one_off");
  return symptoms;
}

function compareLists(wanted: readonly unknown[], got: readonly unknown[], depth: number): Symptom[] {
  if (wanted.length !== got.length) return compareLengths(wanted, got);
  const sorted = (list: readonly unknown[]): string =>
    JSON.stringify(list.map((one) => JSON.stringify(one)).toSorted());
  if (sorted(wanted) === sorted(got)) return ["order"];
  return wanted.flatMap((one, index) => compare(one, got[index], depth + 1));
}

function compareRecords(
  wanted: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
  depth: number,
): Symptom[] {
  const [wantedKeys, gotKeys] = [Object.keys(wanted), Object.keys(got)];
  const shared = wantedKeys.filter((key) => Object.hasOwn(got, key));
  return [
    ...compareLengths(wantedKeys, gotKeys),
    ...shared.flatMap((key) => compare(wanted[key], got[key], depth + 1)),
  ];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
