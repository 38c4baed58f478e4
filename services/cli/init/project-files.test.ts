import { describe, expect, it } from "vitest";
import { CommandRefusedError } from "../errors.ts";
import { projectFiles } from "./init-project.ts";

const filesFor = (there: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    projectFiles((path) => there[path] ?? null, "shop").map(({ path, text }) => [path, text]),
  );

const manifestOf = (files: Readonly<Record<string, string>>): unknown =>
  JSON.parse(files["package.json"] ?? "");

describe("a new project", () => {
  it("has all that it takes to run, test and deploy a team", () => {
    const files = filesFor({});
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        ".dockerignore",
        ".env.example",
        ".github/workflows/ci.yml",
        ".gitignore",
        "AGENTS.md",
        "Dockerfile",
        "compose.yml",
        "package.json",
        "redis.conf",
        "suture.config.ts",
        "teams/hello/team.ts",
        "teams/hello/agent.test.ts",
        "vitest.config.ts",
      ]),
    );
    expect(manifestOf(files)).toMatchObject({
      name: "shop",
      type: "module",
      scripts: { test: "vitest run" },
    });
  });

  it("lacks nothing when it is asked for again", () => {
    expect(filesFor(filesFor({}))).toEqual({});
  });
});

describe("in a project that exists", () => {
  it("files, scripts and versions stay as they are, and what is lacking is added", () => {
    const own = {
      name: "mine",
      scripts: { test: "jest", lint: "x" },
      dependencies: { zod: "4.0.0" },
      private: false,
    };
    const files = filesFor({
      "package.json": JSON.stringify(own, null, 4),
      ".gitignore": "node_modules\n*.log",
      "vitest.config.ts": "mine",
    });
    expect(files["vitest.config.ts"]).toBeUndefined();
    expect(files[".gitignore"]).toBe("node_modules\n*.log\n.suture/\n.env\n");
    expect(manifestOf(files)).toMatchObject({
      name: "mine",
      private: false,
      scripts: { test: "jest", lint: "x", start: "exec suture up" },
      dependencies: { zod: "4.0.0", bullmq: expect.any(String), suture: expect.any(String) },
    });
    expect(files["package.json"]).toMatch(/^\{\n {4}"name": "mine",\n {4}"scripts"/);
  });

  it.each(["node --test", "jest", "mocha"])("tests of `%s` stay its only ones", (test) => {
    const own = { name: "mine", scripts: { test }, devDependencies: { jest: "30.0.0" } };
    const files = filesFor({ "package.json": JSON.stringify(own) });
    expect(Object.keys(files).filter((path) => /\.test\.|vitest/.test(path))).toEqual([]);
    expect(manifestOf(files)).toMatchObject({ scripts: { test } });
    expect(files["package.json"]).not.toContain("vitest");
    expect(filesFor({ ...files })).toEqual({});
  });

  it("tests by vitest get one", () => {
    const own = { scripts: { test: "npm run lint && vitest" }, devDependencies: { vitest: "5.0.0" } };
    const files = filesFor({ "package.json": JSON.stringify(own) });
    expect(files).toHaveProperty(["teams/hello/agent.test.ts"]);
  });

  it.each([
    ["no JSON", "{", "no JSON"],
    ["a list", "[]", "expected object"],
    ["scripts that are no texts", '{"scripts": {"test": 1}}', "scripts.test"],
    ["CommonJS", '{"type": "commonjs"}', "ES modules"],
  ])("a package.json with %s is refused, and says why", (_, text, why) => {
    const open = (): unknown => filesFor({ "package.json": text });
    expect(open).toThrow(CommandRefusedError);
    expect(open).toThrow(why);
  });
});
