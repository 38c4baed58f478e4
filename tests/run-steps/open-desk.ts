import { z } from "zod";
import { GATEWAY_API } from "#shared/api";
import type { Team } from "#shared/runtime";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import type { TestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import type { ModelEndpoint } from "../support/model-endpoint.ts";
import { PATIENT, ticket } from "./desk-team.ts";
import { openModel } from "../support/open-model-system.ts";

export const stepsForm = GATEWAY_API.listRunSteps.answers[200];

export type Step = z.output<typeof stepsForm>["steps"][number];

export interface Desk {
  readonly gateway: TestGateway;
  readonly endpoint: ModelEndpoint;
  /** Begins a run, with the key of the tenant acme unless another is named, and waits for its end. */
  run(input?: Record<string, unknown>, key?: string): Promise<string>;
  ask(runId: string, more?: { readonly key?: string; readonly query?: string }): Promise<Response>;
  steps(
    runId: string,
    more?: { readonly key?: string; readonly query?: string },
  ): Promise<z.output<typeof stepsForm>>;
}

/** A desk at work behind a real gateway, asking a real endpoint. */
export async function openDesk(team: Team): Promise<Desk> {
  const gateway = await startTestGateway({ team });
  const { endpoint, model } = await openModel(team);
  endpoint.behave = () => JSON.stringify({ queue: "parcels", writer: PATIENT });
  await gateway.system.start({ model });
  const ask: Desk["ask"] = (runId, { key = SECRETS.acme, query = "" } = {}) =>
    gateway.send(`/v1/runs/${runId}/steps${query}`, { key });
  return {
    gateway,
    endpoint,
    ask,
    run: async (input = ticket(), key = SECRETS.acme) => {
      const begun = await gateway.send("/v1/tasks", {
        method: "POST",
        key,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ team: team.name, input }),
      });
      const { run_id } = z.looseObject({ run_id: z.string() }).parse(await begun.json());
      await gateway.system.until(run_id);
      return run_id;
    },
    steps: async (runId, more) => {
      const answer = await ask(runId, more);
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
      return stepsForm.parse(await answer.json());
    },
  };
}

/** The step of a kind, of which there is one. */
export function stepOf(steps: readonly Step[], kind: Step["kind"], agent?: string): Step {
  const found = steps.filter((step) => step.kind === kind && (agent === undefined || step.agent === agent));
  const [one] = found;
  if (one === undefined || found.length > 1) throw new Error(`there are ${found.length} of ${kind}`);
  return one;
}
