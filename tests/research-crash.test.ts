import type { ChildProcess } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { createTestSystem } from "#shared/testing";
import { openAsks, sampleOf } from "../services/agents/research/testing/open-team.ts";
import researchTeam from "../services/agents/research/team.ts";
import { spawnAgents, whenGone } from "./support/agent-process.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import type { SeenRequest } from "./support/model-endpoint.ts";

/**
 * The whole team in a real process that is killed again and again in the middle of a report: the report comes all the
 * same, no question that was answered is asked a second time, and the conversation goes on.
 */

const REPORT = sampleOf("heating-report").text;

const RESEARCHER = '["researcher_reading_1"';

const askedBy = ({ schemaName, body }: SeenRequest): string => JSON.stringify([schemaName, body.messages]);

it("a worker that is killed at every third question loses nothing of a report and pays for no answer twice", async () => {
  const system = createTestSystem(researchTeam);
  const endpoint = await startModelEndpoint([researchTeam]);
  onTestFinished(() => endpoint.close());
  const work = {
    agents: [...researchTeam.agents.keys()],
    prefix: system.store.keys.prefix,
    keyring: system.keyring,
    modelUrl: endpoint.url,
    sandboxUrl: endpoint.url,
    // All three deaths may meet the same message of the fan-out, which is no poison for that. And a worker that starts
    // on a busy machine must not lose its lock: the message would be taken again, and its question asked again.
    env: { SUTURE_CRASHES_MAX: "4", SUTURE_LOCK_MS: "5000" },
  };
  const { submit, resultOf } = openAsks(system);
  let worker: ChildProcess = spawnAgents(work);
  let killed = 0;
  const answered: string[] = [];
  const unanswered = new Set<string>();
  // Killed while it waits for an answer: that call, and no other, may be repeated.
  endpoint.behave = (request) => {
    const question = askedBy(request);
    if (endpoint.seen.length % 3 === 0 && killed < 3 && !unanswered.has(question)) {
      killed += 1;
      unanswered.add(question);
      const dying = worker;
      dying.kill("SIGKILL");
      void whenGone(dying).then(() => {
        worker = spawnAgents(work);
      });
      return (response) => response.destroy();
    }
    answered.push(question);
    return null;
  };
  const first = await submit({ text: REPORT });
  await expect
    .poll(async () => (await system.store.runs.get(first)).status, { timeout: 180_000, interval: 200 })
    .toBe("completed");
  const report = await resultOf(first);
  expect(report).toMatchObject({ kind: "report", turn: 1, answered_by: "research" });
  expect(report.answer).toContain("3,400");
  expect(report.answer).toContain("9,800");
  expect(killed).toBe(3);
  // In flight at the moment of a kill are that call and, in the fan-out, those of the three other researchers.
  const [alone, beside] = [false, true].map((isBeside) =>
    answered.filter((question) => question.includes(RESEARCHER) === isBeside),
  );
  expect(alone).toHaveLength(new Set(alone).size);
  expect((beside?.length ?? 0) - new Set(beside).size).toBeLessThanOrEqual(3 * killed);
  const next = await submit({ text: "Thank you!" });
  await expect
    .poll(async () => (await system.store.runs.get(next)).status, { timeout: 60_000, interval: 100 })
    .toBe("completed");
  expect(await resultOf(next)).toMatchObject({ kind: "remark", turn: 2, answered_by: "research" });
}, 300_000);
