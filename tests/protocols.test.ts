import { once } from "node:events";
import { TaskState } from "@a2a-js/sdk";
import { expect, it } from "vitest";
import { createTestSystem } from "#shared/testing";
import { answerOf } from "../services/gateway/testing/answer.ts";
import {
  artifactPageForm,
  executeAll,
  failureForm,
  protocolClient,
  stepPageForm,
  taskForm,
} from "../services/gateway/testing/protocol-client.ts";
import { SECRETS, startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { rehearseSupport } from "./support/rehearsal-model.ts";
import { spawnAgents, spawnGateway } from "./support/service-process.ts";
import { atOnce, messageOf, openA2aClient } from "../services/gateway/testing/a2a-client.ts";
import stepsTeam from "./support/steps-team/steps/team.ts";

/** The support team as it is deployed: its agents in a process of their own, the rehearsal's models, a real Redis. */
async function openSupport() {
  const { teams, support, env } = await rehearseSupport();
  const gateway = await startTestGateway({ team: support, parts: { teams } });
  spawnAgents(gateway.system, [...support.agents.keys()], env);
  return { client: protocolClient(gateway.url, SECRETS.submit) };
}

it("runs a task of the support team for a client that knows only the Agent Protocol", async () => {
  const { client } = await openSupport();
  const input = [
    "From: Ada Byron <ada@example.org>",
    "Subject: Refund for order AB-10023",
    "",
    "Hi, the desk lamp I got yesterday has a cracked base. I'd like my money back please, it was 42.50 EUR.",
    "Order number is AB-10023. Thanks, Ada",
  ].join("\n");
  const task = await answerOf(client.create({ input }), taskForm);
  expect(task.input).toBe(input);
  const steps = await executeAll(client, task.task_id);
  expect(steps.map(({ name }) => name)).toEqual(["triage", "refunds", "reply"]);
  expect(steps.every(({ status }) => status === "completed")).toBe(true);
  expect(new Set(steps.map(({ step_id }) => step_id)).size).toBe(3);
  const answer: unknown = JSON.parse(steps.at(-1)?.output ?? "");
  expect(answer).toMatchObject({ status: "answered" });
  const listed = await answerOf(client.steps(task.task_id), stepPageForm);
  expect(listed.steps).toEqual(steps);
  const { artifacts } = await answerOf(client.artifacts(task.task_id), artifactPageForm);
  const result = await client.download(task.task_id, artifacts[0]?.artifact_id ?? "");
  expect(await result.json()).toEqual(answer);
  const incomplete = await client.create({ input: "My lamp is broken." });
  expect(incomplete.status).toBe(422);
  expect(failureForm.parse(await incomplete.json())).toMatchObject({
    errors: [{ pointer: "/additional_input/from" }],
  });
});

const KEY = "operator-secret-0123456789";

it("has the same task for the same message after its gateway was killed, and takes its cancellation", async () => {
  const system = createTestSystem(stepsTeam);
  const startGateway = async () => {
    const { child, url } = await spawnGateway(system, {
      SUTURE_TEAMS: "tests/support/steps-team",
      SUTURE_API_KEYS: `ada:operator:${KEY}`,
    });
    return {
      child,
      client: await openA2aClient({ url }, { team: stepsTeam.name, key: KEY, binding: "JSONRPC" }),
    };
  };
  const request = atOnce(messageOf({ $case: "data", value: { name: "a" } }, { contextId: "a-context" }));
  const first = await startGateway();
  const begun = await first.client.sendMessage(request);
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const { client } = await startGateway();
  const again = await client.sendMessage(request);
  if (!("status" in begun && "status" in again)) throw new Error("no task");
  expect(again).toEqual(begun);
  expect(again).toMatchObject({ contextId: "a-context", status: { state: TaskState.TASK_STATE_SUBMITTED } });
  const { status } = await client.cancelTask({ tenant: "", id: begun.id, metadata: undefined });
  expect(status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
  expect((await system.store.runs.counts()).submitted).toBe(1);
});
