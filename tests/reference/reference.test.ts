import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VARIABLES } from "#shared/config";
import { PAGES, REFERENCE_FOLDER } from "./pages.ts";
import { filesOfErrors, readErrors } from "./read-errors.ts";
import { OTHER_VARIABLES } from "./settings-page.ts";

describe("the reference pages", () => {
  it.for(Object.entries(PAGES))(
    "%s is what the code says (npm run reference writes it)",
    ([name, render]) => {
      expect(readFileSync(join(REFERENCE_FOLDER, name), "utf8")).toBe(render());
    },
  );

  it("are all that is in their folder", () => {
    expect(readdirSync(REFERENCE_FOLDER).toSorted()).toEqual(Object.keys(PAGES).toSorted());
  });

  it("know every code that an error class declares, with class, text and remedy", () => {
    const declared = filesOfErrors().flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(/class \w+Error extends \w*(?:Error|Refusal)\b[^]*?\n[})]/g),
      ].flatMap(([text]) => [...text.matchAll(/"([A-Z][A-Z0-9_]{6,})"/g)].map(([, word = ""]) => word)),
    );
    const read = readErrors();
    expect([...new Set(read.map(({ code }) => code))].toSorted()).toEqual([...new Set(declared)].toSorted());
    for (const { code, failureClass, message, remedy } of read) {
      for (const [field, text] of Object.entries({ failureClass, message, remedy }))
        expect(text, `${code}: ${field}`).not.toBe("");
    }
  });

  it("know every SUTURE_ variable that code and Compose files name", () => {
    const known = new Set([...Object.keys(VARIABLES), ...Object.keys(OTHER_VARIABLES)]);
    const files = globSync([
      "{shared,services,infra,tests,bench}/**/*.{ts,mjs}",
      "docker-compose.yml",
      "deploy/**/*.*",
      "deploy/Dockerfile",
    ]);
    const unknown = files
      .filter((file) => !file.endsWith(".test.ts"))
      .flatMap((file) =>
        [...readFileSync(file, "utf8").matchAll(/\bSUTURE_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g)]
          .filter(([name]) => !known.has(name))
          .map(([name]) => `${file}: ${name}`),
      );
    expect(unknown).toEqual([]);
  });
});
