import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** Codes are words in capitals; only files of errors declare them. */
const CODE = /"([A-Z][A-Z0-9_]{6,})"/g;

function declared(): Set<string> {
  const files = globSync(["shared/**/*errors.ts", "services/**/*errors.ts", "infra/**/*errors.ts"]);
  return new Set(
    files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(CODE)].map((match) => match[1] ?? "")),
  );
}

function documented(): Set<string> {
  const page = readFileSync("docs/errors.md", "utf8");
  return new Set([...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map((match) => match[1] ?? ""));
}

describe("the error register", () => {
  it("lists every code that is declared", () => {
    expect([...declared().difference(documented())]).toEqual([]);
  });

  it("lists no code that is gone", () => {
    expect([...documented().difference(declared())]).toEqual([]);
  });
});
