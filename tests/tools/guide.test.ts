import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("the guide's example is a file that is compiled", () => {
  const [, block] = /```ts\n([^]*?)```/.exec(readFileSync("docs/guides/tools.md", "utf8")) ?? [];
  expect(block).toBe(readFileSync(new URL("guide-example.ts", import.meta.url), "utf8"));
});
