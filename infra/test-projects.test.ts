import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { sortTestFiles } from "./test-projects.ts";

function projectOf(files: Readonly<Record<string, string>>): readonly string[] {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const sorted = sortTestFiles(root);
  return (["unit", "redis", "system"] as const).filter((name) => sorted[name].includes("shared/a/a.test.ts"));
}

const testing = {
  "shared/testing/index.ts":
    'export { hostile } from "./hostile.ts";\nexport { testRedis } from "./redis.ts";\n',
  "shared/testing/hostile.ts": "export const hostile = 1;\n",
  "shared/testing/redis.ts": "export const testRedis = 1;\n",
};

it.each([
  ["unit", 'import { hostile } from "#shared/testing";'],
  ["unit", 'import type { ChildProcess } from "node:child_process";'],
  ["unit", 'import { hostile, type testRedis } from "#shared/testing";'],
  ["redis", 'import {\n  hostile,\n  testRedis as redis,\n} from "#shared/testing";'],
  ["redis", 'import * as testing from "#shared/testing";'],
  ["redis", 'import "./helper.ts";'],
  ["system", 'import { spawn } from "node:child_process";\nimport { testRedis } from "#shared/testing";'],
  ["system", 'const started = await import("./starts.ts");'],
  ["system", 'import { chromium } from "playwright-core";'],
  ["system", 'export * from "./starts.ts";'],
] as const)("a test belongs to %s if it says %s", (project, text) => {
  const imported = {
    "shared/a/helper.ts": 'import { testRedis } from "#shared/testing";\n',
    "shared/a/starts.ts": 'import childProcess from "node:child_process";\n',
  };
  expect(projectOf({ ...testing, ...imported, "shared/a/a.test.ts": `${text}\n` })).toEqual([project]);
});
