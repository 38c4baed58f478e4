import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CONSOLE_API, GATEWAY_API } from "#shared/api";
import { temporaryFolder } from "#shared/testing";
import { SECRETS, startTestConsole } from "../services/console/testing/start-test-console.ts";
import { runCli } from "./support/run-cli.ts";

/** Sessions are a browser's; a blob is sent as it is. */
const OF_OTHERS = ["logIn", "logOut", "showSession", "storeBlob"];

test("reaches every operation of both services whose answer is JSON, and lists who may call it", async () => {
  const { stdout } = await runCli(["api", "ls", "--json"]);
  const listed = (JSON.parse(stdout) as { operation: string; scopes: string[] | null }[]).map(
    ({ operation }) => operation,
  );
  const declared = Object.entries({ ...GATEWAY_API, ...CONSOLE_API })
    .filter(([, { answers }]) => Object.values(answers).every((answer) => typeof answer !== "string"))
    .map(([id]) => id)
    .filter((id) => !OF_OTHERS.includes(id));
  expect(listed.toSorted()).toEqual(declared.toSorted());
  expect((await runCli(["api", "ls", "recipe"])).stdout).toMatch(/^approveRecipe +POST .*admin/m);
});

test("calls an operation as the caller's role, with fields as text, as JSON and from files", async () => {
  const console = await startTestConsole();
  const as = (key: keyof typeof SECRETS): string[] => ["--console-url", console.url, "--key", SECRETS[key]];
  const why = join(temporaryFolder(), "why.txt");
  writeFileSync(why, "it loops");
  const pause = ["api", "call", "pauseQueue", "agent=con-book", `why=@${why}`];
  expect(await runCli([...pause, ...as("viewer")])).toMatchObject({ code: 2, stdout: "" });
  expect((await runCli([...pause, ...as("operator")])).code).toBe(0);
  const { stdout } = await runCli(["api", "call", "listAudit", "limit:=1", ...as("viewer")]);
  expect(JSON.parse(stdout)).toMatchObject({ audit: [{ by: "olga", why: "it loops" }] });
});

test.each([
  [["call", "noSuch"], "There is no operation noSuch."],
  [["call", "showCase"], "showCase needs case_id."],
  [["call", "showCase", "case_id"], "case_id is neither name=text nor name:=JSON."],
  [["call", "listCases", "limit:=x"], "limit is not JSON."],
])("refuses %j and says what to write", async (args, problem) => {
  const { code, stderr } = await runCli(["api", ...args]);
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
});

test("tells its version, and completes commands, options and their values", async () => {
  expect((await runCli(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await runCli(["complete", "bash"])).stdout).toContain("# bash completion for suture");
  expect((await runCli(["complete", "--", "ward", "gr"])).stdout).toMatch(/^groups\t/);
  expect((await runCli(["complete", "--", "ward", "groups", "--sort", "re"])).stdout).toMatch(/^replays\t/);
});
