import { once } from "node:events";
import { TaskState } from "@a2a-js/sdk";
import { expect, it } from "vitest";
import { createTestSystem } from "#shared/testing";
import { messageOf, openA2aClient } from "../services/gateway/testing/a2a-client.ts";
import { spawnService } from "./support/service-process.ts";
import stepsTeam from "./support/steps-team/steps/team.ts";

const KEY = "operator-secret-0123456789";

it("has the same task for the same message after its gateway was killed, and takes its cancellation", async () => {
  const system = createTestSystem(stepsTeam);
  const startGateway = async () => {
    const { child, log } = spawnService(system, {
      name: "gateway",
      env: {
        SUTURE_TEAMS: "tests/support/steps-team",
        SUTURE_GATEWAY_PORT: "0",
        SUTURE_API_KEYS: `ada:operator:${KEY}`,
      },
    });
    const listening = () => log().find(({ msg }) => msg === "gateway listens")?.["url"];
    await expect.poll(listening, { timeout: 60_000 }).toBeTruthy();
    const client = await openA2aClient(
      { url: String(listening()) },
      { team: stepsTeam.name, key: KEY, binding: "JSONRPC" },
    );
    return { child, client };
  };
  const request = {
    ...messageOf({ $case: "data", value: { name: "a" } }, { contextId: "a-context" }),
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: true,
    },
  };
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
