import type { RawTest } from "./raw-test.ts";

/** An element's beginning or end, character data in brackets, or text. */
const TOKEN =
  /<(\/?)([\w:-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|<!\[CDATA\[([^]*?)\]\]>|([^<]+)/g;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

type Attributes = ReadonlyMap<string, string>;

interface Read {
  readonly attributes: Attributes;
  /** Null: it has not failed. */
  message: string | null;
  body: string;
  isSkipped: boolean;
}

/** Reads the tests of a JUnit XML report, without skipped ones. What is no such report, or breaks off, has no tests. */
export function readJunit(xml: string): RawTest[] {
  if (!/<\/testsuites?>\s*$/.test(xml)) return [];
  const tests: RawTest[] = [];
  const suites: Attributes[] = [];
  let test: Read | null = null;
  let isFailure = false;
  for (const [, closes, name, attributeText = "", empty, data, text] of xml.matchAll(TOKEN)) {
    if (name === undefined) {
      if (isFailure && test !== null) test.body += data ?? unescape(text ?? "");
      continue;
    }
    const attributes = readAttributes(attributeText);
    const begins = closes === "";
    const ends = closes !== "" || empty !== "";
    if (name === "testsuite" && begins) suites.push(attributes);
    if (name === "testcase" && begins) test = { attributes, message: null, body: "", isSkipped: false };
    if (name === "skipped" && test !== null) test.isSkipped = true;
    if ((name === "failure" || name === "error") && test !== null) {
      if (begins) test.message = attributes.get("message") ?? attributes.get("type") ?? name;
      isFailure = !ends;
    }
    if (name === "testcase" && ends && test !== null) {
      if (!test.isSkipped) tests.push(toTest(test, suites.at(-1)));
      test = null;
    }
    if (name === "testsuite" && ends) suites.pop();
  }
  return tests;
}

function toTest({ attributes, message, body }: Read, suite: Attributes | undefined): RawTest {
  const owner = attributes.get("classname") ?? "";
  const file = attributes.get("file") ?? suite?.get("file") ?? (owner.includes("/") ? owner : "");
  // pytest counts lines from 0.
  const line = attributes.has("line") ? Number(attributes.get("line")) + 1 : 0;
  const name = attributes.get("name") ?? "";
  const text = message === null || body.includes(message) ? body : `${message}\n${body}`;
  return { file, name, hasPassed: message === null, line: line || 0, text };
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
