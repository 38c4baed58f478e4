import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { SECRETS, startTestConsole } from "../services/console/testing/start-test-console.ts";
import {
  SECRETS as GATEWAY_SECRETS,
  startTestGateway,
} from "../services/gateway/testing/start-test-gateway.ts";
import { seedCases } from "./support/browser/seed-ward.ts";
import { runCli } from "./support/run-cli.ts";

/** A terminal would be cleared, coloured and have its text turned about by it. */
const HOSTILE =
  "paid \u009b2J\u007f\u001b[31m \u202Eelpmis\u202C \u2066zero\u200B\u2069 \u2028 line\r over \ud800 end";

/** Characters that a terminal must never be sent: everything that shows nothing or moves what is shown. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const Note = contract("loud.note@1", z.object({ text: z.string() }));
const loud = agent("loud@1", { accepts: Note, handle: (note, ctx) => ctx.complete({ said: note.text }) });

test("shows a run, its events and its result without a character that a terminal would act on", async () => {
  const gateway = await startTestGateway({ team: team("loud-team", [loud]) });
  await gateway.system.start();
  // A lone half of a pair cannot be sent as UTF-8 text.
  const text = HOSTILE.replace("\ud800", "");
  const { runId } = await gateway.system.submit({ text });
  await gateway.system.until(runId);
  const to = ["--gateway-url", gateway.url, "--key", GATEWAY_SECRETS.admin];
  const shown = await runCli(["runs", "show", runId, ...to]);
  const watched = await runCli(["runs", "watch", runId, "--json", ...to]);
  const stepped = await runCli(["runs", "show", runId, "--steps", ...to]);
  for (const { code, stdout, stderr } of [shown, watched, stepped]) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("elpmis");
    expect(UNSEEN.exec(stdout)).toBeNull();
  }
  const { steps } = JSON.parse(stepped.stdout) as { steps: { step_id: string }[] };
  expect(steps).toMatchObject([{ input: { value: { text } } }]);
  const alone = await runCli(["runs", "show", runId, "--step", steps[0]?.step_id ?? "", ...to]);
  expect(UNSEEN.exec(alone.stdout)).toBeNull();
  expect(alone.stdout).toContain("elpmis");
  // JSON stays the same value for programs that read it.
  expect(JSON.parse(watched.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    result: { said: text },
  });
});

test("lists and shows cases, and says what was refused, without such a character", async () => {
  const console = await startTestConsole();
  const about = { fingerprint: "con-book/validation_error/0000cc", agent: HOSTILE, contract: HOSTILE };
  const [caseId = ""] = await seedCases(console.store, 1, { ...about, diagnosis: HOSTILE });
  const to = ["--console-url", console.url, "--key", SECRETS.admin];
  const listed = await runCli(["ward", "ls", ...to]);
  const shown = await runCli(["ward", "show", caseId, ...to]);
  for (const { code, stdout } of [listed, shown]) {
    expect(code).toBe(0);
    expect(UNSEEN.exec(stdout)).toBeNull();
  }
  expect(listed.stdout).toContain("⟨U+202E⟩");
  const refused = await runCli(["ward", "show", `no\u202Esuch\u009bcase`, ...to]);
  expect(refused.code).toBe(2);
  expect(UNSEEN.exec(refused.stderr)).toBeNull();
});

describe("suture repair", () => {
  const folder = mkdtempSync(join(tmpdir(), "suture-repair-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function fileOf(name: string, content: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  const schema = fileOf(
    "schema.json",
    JSON.stringify({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        id: { $ref: "#/$defs/id" },
        lines: { type: "array", prefixItems: [{ type: "integer" }] },
      },
      required: ["id"],
      additionalProperties: false,
      $defs: { id: { type: "integer" } },
    }),
  );
  const TEXT = `Sure!\n{'id': "7", 'lines': ["2"], "extra": 12}`;

  test("prints the value alone, and what was changed with its rule and piece of the text on standard error", async () => {
    const answer = await runCli(["repair", "--schema", schema, fileOf("damaged.txt", TEXT)]);
    expect(answer).toMatchObject({ code: 0, stdout: '{"id":7,"lines":[2]}\n' });
    const rows = answer.stderr
      .trim()
      .split("\n")
      .map((row) => row.split(/ {2,}/));
    expect(rows).toEqual(
      expect.arrayContaining([
        ["value", "rule", "in the text", "at"],
        ["/id", "text_to_number", "7", "2:9"],
        ["/lines/0", "text_to_number", "2", "2:24"],
        ["the whole text", "odd_quotes"],
        ["unused: extra", "not_declared", "12", "2:38"],
      ]),
    );
  });

  test("names the reason and the candidates of a refusal, with exit code 2 and no output", async () => {
    const file = fileOf("two.txt", '{"id": 1}\n\nor\n\n{"id": 2}');
    const { code, stdout, stderr } = await runCli(["repair", "--schema", schema, file]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.trim().split("\n")).toEqual([
      "ambiguous: Two repairs are about equally plausible.",
      'candidate: {"id":1}',
      'candidate: {"id":2}',
    ]);
    const whole = await runCli(["repair", "--json", "--schema", schema, file]);
    expect(whole).toMatchObject({ code: 2, stderr: "" });
    expect(JSON.parse(whole.stdout)).toMatchObject({
      ok: false,
      code: "ambiguous",
      candidates: [{ id: 1 }, { id: 2 }],
    });
  });

  test("shows no character that a terminal would act on, and bounds what it lists", async () => {
    const rows = JSON.stringify(Array.from({ length: 80 }, (_, at) => ({ n: `${at}` })));
    const list = fileOf(
      "list.json",
      '{"items": {"properties": {"n": {"type": "integer"}, "t": {"type": "string"}}}}',
    );
    const many = await runCli(["repair", "--schema", list, fileOf("many.txt", rows)]);
    expect(many.stderr.trim().split("\n")).toHaveLength(52);
    expect(many.stderr).toContain("30 more");
    const hostile = await runCli([
      "repair",
      fileOf("hostile.txt", `{"a": 1,} 12 "\u001B[31m\u202E" ${"x".repeat(5000)}`),
    ]);
    expect(`${hostile.stdout}${hostile.stderr}`).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(hostile.stderr.length).toBeLessThan(2000);
  });
});

test("makes, lists and revokes keys of a running gateway, shows a secret once, and has it written down", async () => {
  const gateway = await startTestGateway();
  const console = await startTestConsole({}, [], gateway.system);
  const to = ["--console-url", console.url, "--key", SECRETS.admin];
  const wanted = ["--tenant", "acme", "--scope", "submit", "--teams", "gw-chain", "--running-runs", "1"];
  const made = await runCli([
    "api-keys",
    "create",
    "shop",
    ...wanted,
    "--expires",
    "2099-01-01T00:00:00Z",
    ...to,
  ]);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const secret = /^suture_[\w-]{43}$/m.exec(made.stdout)?.[0] ?? "";
  const submit = (): Promise<Response> =>
    gateway.post(
      "/v1/tasks",
      { team: "gw-chain", input: { text: "x" } },
      { authorization: `Bearer ${secret}` },
    );
  await expect.poll(async () => (await submit()).status).toBe(202);
  expect((await submit()).status).toBe(429);
  const listed = await runCli(["api-keys", "list", ...to]);
  expect(listed.stdout).toMatch(
    /acme\/shop +acme +submit +gw-chain +running_runs 1 +running_runs 1, waiting_runs 1, cost_today 0 +2099-01-01T00:00:00.000Z +ada/,
  );
  expect(listed.stdout).not.toContain(secret);
  expect(await runCli(["api-keys", "revoke", "acme/shop", ...to])).toMatchObject({ code: 0 });
  await expect.poll(async () => (await submit()).status).toBe(401);
  expect(await runCli(["api-keys", "revoke", "acme/shop", ...to])).toMatchObject({ code: 2 });
  const refused = await runCli(["api-keys", "create", "x", "--scope", "root", ...to]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("/scope");
  const { stdout } = await runCli(["audit", "export", ...to]);
  expect(stdout).toContain('"action":"api-key.create"');
  expect(stdout).toContain('"action":"api-key.revoke"');
  expect(stdout).not.toContain(secret);
  expect(await runCli(["audit", "verify", ...to])).toMatchObject({ code: 0 });
});

test("draws what every team declares, with nothing running", async () => {
  const { stdout: drawn } = await runCli(["teams", "draw"]);
  expect(drawn).toContain('-->|"analysis_request: editorial.analysis-request@2"|');
  expect(drawn).toContain('-->|"task_delegation: refunds.request@2"|');
});

test("lists the matrix with what became of handoffs", async () => {
  const gateway = await startTestGateway();
  await gateway.system.start({ ratesEveryMs: 20 });
  await gateway.system.run({ text: "hello" });
  const args = ["teams", "matrix", "--gateway-url", gateway.url, "--key", GATEWAY_SECRETS.viewer];
  const rowOf = async (): Promise<string> =>
    (await runCli(args)).stdout.split("\n").find((line) => line.includes("gw-first  gw-last")) ?? "";
  await expect.poll(rowOf).toMatch(/gw\.length@1 +1 +0 +100\.0 %/);
});

test("docker-compose.yml is what the command writes for the sample teams", () => {
  const written = execFileSync(process.execPath, ["services/cli/main.ts", "compose", "write"], {
    env: { PATH: process.env["PATH"] ?? "" },
    encoding: "utf8",
  });
  expect(readFileSync("docker-compose.yml", "utf8")).toBe(written);
});
