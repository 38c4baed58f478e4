import { posix } from "node:path";
import type { StandIn } from "#shared/runtime";
import { belongsToTests } from "../checkout/project-path.ts";
import type { SourceText } from "../checkout/select-sources.ts";
import type { TestsInput } from "../explorer/answer.ts";

const LITERAL = String.raw`(?:"[^"\n]*"|'[^'\n]*'|-?\d+(?:\.\d+)?|\[[\w\s"',.-]*\]|true|false|null|True|False|None|nil)`;
const CALL = new RegExp(String.raw`\b([A-Za-z_]\w*)\(((?:${LITERAL}(?:\s*,\s*${LITERAL})*)?)\)`, "g");
/** What the report says is wanted, in the same sentence as the call. */
const WANTED: readonly RegExp[] = [
  new RegExp(String.raw`(?:should|must|has to|ought to)\s+(?:return|give|be|equal|yield|become)\s+(${LITERAL})`),
  new RegExp(String.raw`(?:instead of|and not|rather than|not|anstatt|statt|y no|et non|au lieu de)\s+(${LITERAL})`),
  new RegExp(String.raw`(?:expected|wanted|debería devolver|debe devolver|devrait (?:renvoyer|donner)|erwartet(?: wird)?)[:\s]+(${LITERAL})`),
  new RegExp(String.raw`(?:soll|sollte|muss)\s+(${LITERAL})`),
];
const GOT = new RegExp(String.raw`(?:returns|gives|yields|is|devuelve|renvoie|liefert|ergibt)\s+(${LITERAL})`);
const SENTENCE_LENGTH_MAX = 200;

interface Example {
  readonly name: string;
  readonly args: string;
  readonly wanted: string;
}

/** Writes the examples that a report gives as calls and results into one test file. It gives none where it has none. */
export const writeTests: StandIn = ({ issue, sources, runner, paths }: TestsInput) => {
  const found = readExamples(issue).flatMap((example) => {
    const source = sources.find((one) => !belongsToTests(one.path) && defines(one, example.name));
    return source === undefined ? [] : [{ example, source }];
  });
  const open = found.length > 0 ? "" : "The report gives no example of a call with the result that is wanted.";
  const [first] = found;
  if (first === undefined) return { tests: [], open };
  const examples = found.filter(({ source }) => source === first.source).map(({ example }) => example);
  const test = writeFile(runner, examples, { source: first.source, paths });
  return { tests: test === null ? [] : [{ ...test, shows: "The report's own examples." }], open };
};

/** Returns calls with the results that the report wants. A report that wants what it says it gets contradicts itself. */
function readExamples(issue: string): Example[] {
  return [...issue.matchAll(CALL)].flatMap((call): Example[] => {
    const [whole, name = "", args = ""] = call;
    const rest = issue.slice(call.index + whole.length, call.index + whole.length + SENTENCE_LENGTH_MAX);
    const next = rest.search(/[A-Za-z_]\w*\(/);
    const after = (next < 0 ? rest : rest.slice(0, next)).split(/[.!?](?:\s|$)/)[0] ?? "";
    const got = GOT.exec(after)?.[1];
    const wanted = wantedIn(after, got);
    return wanted === null || wanted === got ? [] : [{ name, args, wanted }];
  });
}

/** Of "A instead of B" A is what is there when the sentence says "returns A", and B is what is wanted. */
function wantedIn(text: string, got: string | undefined): string | null {
  for (const pattern of WANTED) {
    const wanted = pattern.exec(text)?.[1];
    if (wanted !== undefined && (got !== undefined || pattern === WANTED[0] || pattern !== WANTED[1])) return wanted;
  }
  return null;
}

function defines({ path, text }: SourceText, name: string): boolean {
  const patterns = path.endsWith(".py")
    ? [`^def ${name}\\(`]
    : path.endsWith(".go")
      ? [`^func ${name}\\(`]
      : [`export (?:async )?function ${name}\\b`, `export const ${name}\\b`];
  return patterns.some((pattern) => new RegExp(pattern, "m").test(text));
}

interface Place {
  readonly source: SourceText;
  readonly paths: readonly string[];
}

function writeFile(
  runner: TestsInput["runner"],
  examples: readonly Example[],
  { source, paths }: Place,
): { path: string; text: string } | null {
  const folder = posix.dirname(source.path);
  const beside = paths.find((path) => belongsToTests(path) && !path.endsWith("conftest.py")) ?? source.path;
  const testFolder = posix.dirname(beside) === "." ? "" : `${posix.dirname(beside)}/`;
  const names = [...new Set(examples.map(({ name }) => name))].join(", ");
  if (runner === "pytest") {
    const module = source.path.replace(/\.py$/, "").replaceAll("/", ".").replace(/^src\./, "");
    const tests = examples.map(
      ({ name, args, wanted }, index) => `def test_report_${index + 1}():\n    assert ${name}(${args}) == ${wanted}\n`,
    );
    const text = [`from ${module} import ${names}\n`, ...tests].join("\n\n");
    return { path: `${testFolder}test_of_report.py`, text };
  }
  if (runner === "go test") return writeGo(examples, source, folder);
  const isTypeScript = /\.[cm]?ts$/.test(source.path);
  if (runner !== "node:test" && runner !== "vitest") return null;
  const from = posix.relative(posix.dirname(beside), source.path);
  const imported = `import { ${names} } from "${from.startsWith(".") ? from : `./${from}`}";`;
  const isNode = runner === "node:test";
  const head = isNode
    ? ['import assert from "node:assert/strict";', 'import { test } from "node:test";', imported]
    : ['import { expect, test } from "vitest";', imported];
  const tests = examples.map(({ name, args, wanted }, index) => {
    const check = isNode
      ? `assert.deepEqual(${name}(${args}), ${wanted})`
      : `expect(${name}(${args})).toEqual(${wanted})`;
    return `test("the report's example ${index + 1}", () => {\n  ${check};\n});`;
  });
  const ending = isTypeScript ? ".test.ts" : isNode ? ".test.mjs" : ".test.js";
  return { path: `${testFolder}of-report${ending}`, text: `${[...head, ...tests].join("\n")}\n` };
}

/** Go compares scalars; other values would need their types. */
function writeGo(examples: readonly Example[], source: SourceText, folder: string) {
  const scalars = examples.filter(({ wanted }) => !wanted.startsWith("["));
  const packageName = /^package (\w+)/m.exec(source.text)?.[1];
  if (scalars.length === 0 || packageName === undefined) return null;
  const tests = scalars.map(
    ({ name, args, wanted }, index) =>
      `func TestOfReport${index + 1}(t *testing.T) {\n\tif got := ${name}(${args}); got != ${wanted} {\n\t\tt.Errorf("got %v, want %v", got, ${wanted})\n\t}\n}\n`,
  );
  const text = [`package ${packageName}\n`, 'import "testing"\n', ...tests].join("\n");
  return { path: `${folder === "." ? "" : `${folder}/`}of_report_test.go`, text };
}
