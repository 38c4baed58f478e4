import type { RawTest } from "./raw-test.ts";

/** An element's beginning or end, character data in brackets, or text. */
const TOKEN =
  /<(\/?)([\w:-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|<!\[CDATA\[([^]*?)\]\]>|([^<]+)/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Reads the tests of a JUnit XML report. Skipped tests are left out. What is no such report has no tests. */
export function readJunit(xml: string): RawTest[] {
  const tests: RawTest[] = [];
  const suites: Map<string, string>[] = [];
  let test: { attributes: Map<string, string>; failures: string[]; isSkipped: boolean } | null = null;
  let isFailure = false;
  for (const [, closes, name, attributeText = "", empty, data, text] of xml.matchAll(TOKEN)) {
    if (name === undefined) {
      if (isFailure) test?.failures.push(data ?? unescape(text ?? ""));
      continue;
    }
    const attributes = readAttributes(attributeText);
    const begins = closes === "";
    const ends = closes !== "" || empty !== "";
    if (name === "testsuite" && begins) suites.push(attributes);
    if (name === "testcase" && begins) test = { attributes, failures: [], isSkipped: false };
    if (name === "skipped" && test !== null) test.isSkipped = true;
    if ((name === "failure" || name === "error") && test !== null) {
      if (begins) test.failures.push(`${attributes.get("message") ?? attributes.get("type") ?? name}\n`);
      isFailure = !ends;
    }
    if (name === "testcase" && ends && test !== null) {
      if (!test.isSkipped) tests.push(toTest(test.attributes, test.failures, suites.at(-1)));
      test = null;
    }
    if (name === "testsuite" && ends) suites.pop();
  }
  return tests;
}

function toTest(
  attributes: ReadonlyMap<string, string>,
  failures: readonly string[],
  suite: ReadonlyMap<string, string> | undefined,
): RawTest {
  const owner = attributes.get("classname") ?? "";
  const file = attributes.get("file") ?? suite?.get("file") ?? (owner.includes("/") ? owner : "");
  // pytest counts lines from 0.
  const line = attributes.has("line") ? Number(attributes.get("line")) + 1 : 0;
  const text = failures.join("");
  return {
    file,
    name: attributes.get("name") ?? "",
    hasPassed: failures.length === 0,
    line: line || 0,
    text,
  };
}

function readAttributes(text: string): Map<string, string> {
  return new Map([...text.matchAll(ATTRIBUTE)].map(([, name = "", a, b]) => [name, unescape(a ?? b ?? "")]));
}

function unescape(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    const code =
      decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : null;
    if (code === null) return ENTITIES[String(name)] ?? whole;
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
