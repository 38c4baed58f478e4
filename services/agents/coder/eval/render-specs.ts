import type { LabelledCheckout } from "./read-archive.ts";
import type { Example, Spec, Value } from "./spec.ts";
import { SPECS_OF_NUMBERS } from "./specs-of-numbers.ts";
import { SPECS_OF_RULES } from "./specs-of-rules.ts";

/** A language with its runner, and how its files are written. */
interface Language {
  readonly name: string;
  readonly runner: string;
  readonly suites: readonly Suite[];
  readonly code: keyof Spec["code"];
  readonly files: (spec: Spec, code: string) => readonly (readonly [string, string])[];
  readonly test: (spec: Spec, examples: readonly Example[]) => string;
  readonly testPath: string;
  readonly hiddenPath: string;
}

/** How much of a checkout's bug its tests show. */
type Suite = "strong" | "weak" | "none";

const LANGUAGES: readonly Language[] = [
  {
    name: "javascript",
    runner: "node:test",
    suites: ["strong", "weak", "none"],
    code: "js",
    files: (_, code) => [
      ["package.json", '{"type":"module","scripts":{"test":"node --test"}}\n'],
      ["src/code.js", code],
    ],
    test: (spec, examples) =>
      `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${spec.name} } from "../src/code.js";\n${examples
        .map(
          ([args, wanted], index) =>
            `test("example ${index + 1}", () => assert.deepEqual(${spec.name}(${list(args)}), ${JSON.stringify(wanted)}));\n`,
        )
        .join("")}`,
    testPath: "test/code.test.js",
    hiddenPath: "code.test.js",
  },
  {
    name: "typescript",
    runner: "vitest",
    suites: ["weak"],
    code: "js",
    files: (_, code) => [
      [
        "package.json",
        '{"type":"module","scripts":{"test":"vitest run"},"devDependencies":{"vitest":"*"}}\n',
      ],
      ["src/code.ts", code],
    ],
    test: (spec, examples) =>
      `import { expect, test } from "vitest";\nimport { ${spec.name} } from "../src/code.ts";\n${examples
        .map(
          ([args, wanted], index) =>
            `test("example ${index + 1}", () => expect(${spec.name}(${list(args)})).toEqual(${JSON.stringify(wanted)}));\n`,
        )
        .join("")}`,
    testPath: "test/code.test.ts",
    hiddenPath: "code.test.ts",
  },
  {
    name: "python",
    runner: "pytest",
    suites: ["strong", "weak", "none"],
    code: "py",
    files: (_, code) => [["module_a.py", code]],
    test: (spec, examples) =>
      `from module_a import ${spec.name}\n\n\n${examples
        .map(
          ([args, wanted], index) =>
            `def test_example_${index + 1}():\n    assert ${spec.name}(${args.map(toPython).join(", ")}) == ${toPython(wanted)}\n`,
        )
        .join("\n\n")}`,
    testPath: "test_code.py",
    hiddenPath: "test_hidden.py",
  },
  {
    name: "go",
    runner: "go test",
    suites: ["strong", "none"],
    code: "go",
    files: (_, code) => [
      ["go.mod", "module example.test/code\n\ngo 1.19\n"],
      ["code.go", `package code\n\n${code}`],
    ],
    test: (spec, examples) =>
      `package code\n\nimport "testing"\n\n${examples
        .map(
          ([args, wanted], index) =>
            `func TestExample${index + 1}(t *testing.T) {\n\tif got := ${spec.name}(${args.map(toGo).join(", ")}); got != ${toGo(wanted)} {\n\t\tt.Errorf("got %v, want %v", got, ${toGo(wanted)})\n\t}\n}\n`,
        )
        .join("\n")}`,
    testPath: "code_test.go",
    hiddenPath: "hidden_test.go",
  },
];

/**
 * Returns each function of the specs in each language, with the suites that the language is tried with. Where the
 * suite is green with the bug, the report gives an example; a function without a test that is green is left out there.
 */
export function renderSpecs(): LabelledCheckout[] {
  return [...SPECS_OF_NUMBERS, ...SPECS_OF_RULES].flatMap((spec) =>
    LANGUAGES.flatMap((language) =>
      language.suites
        .filter((suite) => suite !== "none" || spec.green.length > 0)
        .map((suite) => render(spec, language, suite)),
    ),
  );
}

function render(spec: Spec, language: Language, suite: Suite): LabelledCheckout {
  const shown = { strong: spec.strong, weak: spec.weak, none: spec.green }[suite];
  const wrong = spec.code[language.code].replace(/«[^¦]*¦([^»]*)»/, "$1");
  const [args, wanted] = spec.weak[0] ?? [[], 0];
  const write = language.name === "python" ? toPython : (value: Value) => JSON.stringify(value);
  const example = `${spec.name}(${args.map(write).join(", ")}) should return ${write(wanted)}.`;
  return {
    name: `${spec.name}-${language.name}-${suite}`,
    report: suite === "none" ? `${spec.report} ${example}` : spec.report,
    kind: spec.kind,
    expect: suite === "weak" ? "unproven" : "accepted",
    suite,
    language: language.name,
    runner: language.runner,
    files: new Map([...language.files(spec, wrong), [language.testPath, language.test(spec, shown)]]),
    hidden: new Map([[language.hiddenPath, language.test(spec, spec.hidden)]]),
  };
}

function list(args: readonly Value[]): string {
  return args.map((arg) => JSON.stringify(arg)).join(", ");
}

function toPython(value: Value): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
}

function toGo(value: Value): string {
  if (typeof value !== "object") return JSON.stringify(value);
  const type = typeof value[0] === "string" ? "string" : "int";
  return `[]${type}{${value.map((each) => JSON.stringify(each)).join(", ")}}`;
}
