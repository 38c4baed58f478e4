import { expect, test } from "vitest";
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

/** What a terminal must never be sent: everything that shows nothing or moves what is shown. */
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
