import { posix } from "node:path";
import { belongsToTests } from "../checkout/project-path.ts";
import type { SourceText } from "../checkout/select-sources.ts";
import type { TestsInput } from "../explorer/answer.ts";

/** A call and the result that is wanted, as source text. */
export interface Example {
  readonly name: string;
  readonly args: string;
  readonly wanted: string;
}

interface Place {
  readonly source: SourceText;
  readonly paths: readonly string[];
}

/** Returns a test file with calls and their results; null where the runner's tests cannot be written. */
export function writeExamples(
  runner: TestsInput["runner"],
  examples: readonly Example[],
  { source, paths }: Place,
): { path: string; text: string } | null {
  const folder = posix.dirname(source.path);
  const beside = paths.find((path) => belongsToTests(path) && !path.endsWith("conftest.py")) ?? source.path;
  const testFolder = posix.dirname(beside) === "." ? "" : `${posix.dirname(beside)}/`;
  const names = [...new Set(examples.map(({ name }) => name))].join(", ");
  if (runner === "pytest") {
    const module = source.path
      .replace(/\.py$/, "")
      .replaceAll("/", ".")
      .replace(/^src\./, "");
    const tests = examples.map(
      ({ name, args, wanted }, index) =>
        `def test_report_${index + 1}():\n    assert ${name}(${args}) == ${wanted}\n`,
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
