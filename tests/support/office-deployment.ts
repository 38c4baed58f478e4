import { expect, onTestFinished } from "vitest";
import { Store } from "#shared/store";
import type { StoreOptions } from "#shared/store";
import type { RunRecord } from "#shared/store/runs";
import type { TestSystem } from "#shared/testing";
import { startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
// As processes of agents load it.
import officeTeam from "./office-team/office/team.ts";
import { operateOn } from "./operate-on.ts";

/** Starts gateway, agents and surgeon of the team `office` on one Redis. */
export async function openOfficeDeployment(
  store: Partial<StoreOptions>,
  work: Parameters<TestSystem["start"]>[0] = {},
  // Addresses of their own, for the gateway and the surgeon.
  urls: { readonly gateway?: string; readonly surgeon?: string } = {},
) {
  const gateway = await startTestGateway({
    store,
    team: officeTeam,
    ...(urls.gateway === undefined ? {} : { redisUrl: urls.gateway }),
  });
  const { system } = gateway;
  const running = await system.start({ lockMs: 1500, stalledIntervalMs: 300, ...work });
  const surgeonStore =
    urls.surgeon === undefined ? null : new Store({ ...system.store.options, url: urls.surgeon });
  onTestFinished(() => surgeonStore?.close());
  operateOn(system, {
    ...(surgeonStore === null ? {} : { store: surgeonStore }),
    limits: { waitMsMin: 50, jobMissingMs: 500, lockMs: 1500, stalledIntervalMs: 300 },
    upkeepMs: 200,
  });
  /** Sends an order; a broken one has to pass the ward. `repeats`: again after each 503, as the answer says. */
  const order = async (id: string, { broken = false, repeats = false } = {}): Promise<string> => {
    const send = (): Promise<Response> =>
      gateway.post(
        "/v1/handoffs",
        {
          target_agent: "inbox",
          contract: "office.order@1",
          data_payload: { id, seats: broken ? "3" : 3 },
          on_invalid: "ward",
        },
        { "idempotency-key": id },
      );
    let answer = await send();
    if (repeats) while (answer.status === 503) answer = await send();
    expect(answer.status, await answer.clone().text()).toBe(202);
    return ((await answer.json()) as { run_id: string }).run_id;
  };
  const end = async (runId: string): Promise<RunRecord> => {
    const run = await system.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { seats: 3 } });
    return run;
  };
  return { gateway, system, running, order, end };
}
