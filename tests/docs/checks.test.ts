import { describe, expect, it } from "vitest";
import { compileModules } from "./compile-modules.ts";
import { checkShell } from "./check-shell.ts";
import { readBlocksOf } from "./read-blocks.ts";
import { readCommands } from "./shell-words.ts";
import { writeModules } from "./write-modules.ts";

/** The checks of code blocks find what they are for. */

describe("shell", () => {
  it.each([
    ["npx suture sumbit support", "no command sumbit"],
    ["npx suture runs", "no command is named"],
    ["npx suture submit support --wacth --input -", "no option --wacth"],
    ["npx suture submit", "needs 1 arguments"],
    ["npx suture submit support", "needs --input"],
    ["npx suture runs show R1 R2", "takes 1 arguments"],
    ["npx vitets run", "no such program"],
    ["npm run dmeo", "no such script"],
    ["docker compose exec gatevay cat /x", "gatevay is no service"],
    ["docker compose exec -T surgeon node services/cli/main.ts docter", "no command docter"],
    ["SUTURE_TEMAS=x npm start", "SUTURE_TEMAS is no setting"],
    ["export SUTURE_TRUTS=isolated", "SUTURE_TRUTS is no setting"],
    ["curl -s localhost:8080/v1/taks -d '{}'", "POST /v1/taks: no such operation"],
    ["curl -s -X DELETE localhost:8080/v1/tasks", "DELETE /v1/tasks: no such operation"],
    [`curl localhost:8080/v1/tasks -d '{"team": 1, "input": {}}'`, "expected string"],
    ["T=$(curl -s localhost:8080/v1/nothing | jq -r .x)", "GET /v1/nothing"],
    ["frobnicate --all", "frobnicate is no command"],
  ])("finds the fault of %s", (code, fault) => {
    expect(checkShell(`echo first\n${code}`)).toEqual([{ line: 1, message: expect.stringContaining(fault) }]);
  });

  it("takes lines that are right, with quotes, pipes, redirections and comments", () => {
    const code = `SUTURE_TRUST=isolated npx suture repair --schema 'a b.json' < broken.txt   # one's comment
npx suture submit support --watch --input - <<< '{"a": 1}' && npm run -s demo & npx suture work refunds
curl -s "localhost:8080/v1/runs/$RUN?wait=30" \\
  -H "authorization: Bearer $KEY"`;
    expect(checkShell(code)).toEqual([]);
    expect(readCommands(code).map(({ words }) => words[1])).toEqual([
      "suture",
      "suture",
      "run",
      "suture",
      "-s",
    ]);
  });

  it("refuses what it cannot read", () => {
    expect(() => readCommands("echo 'open")).toThrow("cannot be read");
  });
});

describe("TypeScript", () => {
  it("finds types, names, imports and syntax that are wrong, each with its line of the page", () => {
    const page = (code: string): string =>
      `# Page\n<!-- around\nconst known = 1;\n-->\n\`\`\`ts\nvoid known;\n${code}\n\`\`\`\n`;
    const codes = [
      'const wrong: number = "text"; void wrong;',
      "void unknown;",
      'import { agent } from "suture/nothing"; void agent;',
      "const = 1;",
      'agent("a@1", { accepts: contract("b@1", z.object({})), hnadle: 1 });',
      "void known;",
    ];
    const blocks = codes.flatMap((code, index) => readBlocksOf(`p${index}.md`, page(code)));
    const folder = ".suture/docs-blocks-wrong";
    const found = compileModules(writeModules(blocks, folder), folder);
    expect(new Set(found.map((one) => one.split(": ")[0]))).toEqual(
      new Set(["p0.md:7", "p1.md:7", "p2.md:7", "p3.md:7", "p4.md:7"]),
    );
  });
});

describe("blocks", () => {
  it("reads language, marks, what is left out, and blocks in lists", () => {
    const page = [
      "# Page",
      "<!-- around",
      "const before = 1;",
      "…",
      "void after;",
      "-->",
      "```ts run",
      "const after = before;",
      "```",
      "1. In a list:",
      "   ```sql unchecked: no database",
      "   SELECT 1;",
      "   ```",
    ].join("\n");
    expect(readBlocksOf("p.md", page)).toEqual([
      {
        page: "p.md",
        line: 8,
        language: "ts",
        isRun: true,
        unchecked: null,
        code: "const after = before;\n",
        around: { before: "const before = 1;\n", after: "void after;\n" },
      },
      {
        page: "p.md",
        line: 12,
        language: "sql",
        isRun: false,
        unchecked: "no database",
        code: "SELECT 1;\n",
        around: { before: "", after: "" },
      },
    ]);
  });
});
