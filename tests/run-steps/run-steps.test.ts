import { describe, expect, test } from "vitest";
import { z } from "zod";
import { GATEWAY_API } from "#shared/api";
import type { Team } from "#shared/runtime";
import { startTracing } from "#shared/telemetry";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import type { TestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import type { ModelEndpoint } from "../support/model-endpoint.ts";
import { INSTRUCTIONS, markedDesk, PATIENT, plainDesk, TEXT, ticket, TOKEN } from "./desk-team.ts";
import { openModel, openModelSystem } from "../support/open-model-system.ts";
import { startCollector } from "../support/trace-collector.ts";

const stepsForm = GATEWAY_API.listRunSteps.answers[200];

type Step = z.output<typeof stepsForm>["steps"][number];

interface Desk {
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
async function openDesk(team: Team): Promise<Desk> {
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
function stepOf(steps: readonly Step[], kind: Step["kind"], agent?: string): Step {
  const found = steps.filter((step) => step.kind === kind && (agent === undefined || step.agent === agent));
  const [one] = found;
  if (one === undefined || found.length > 1) throw new Error(`there are ${found.length} of ${kind}`);
  return one;
}

const ABSENT = "01990000-0000-7000-8000-000000000000";

describe("what passed between the steps of a run", () => {
  test("is each delivery, recorded step, model call, effect and handoff in order, with what it was sent and gave", async () => {
    const desk = await openDesk(plainDesk);
    const runId = await desk.run();
    const { steps, is_masked: isMasked, next_cursor: next } = await desk.steps(runId);
    expect([isMasked, next]).toEqual([false, null]);
    expect(steps.map(({ kind, agent, name }) => [kind, agent, name])).toEqual([
      ["delivery", "desk-front", null],
      ["step", "desk-front", `look up/${PATIENT}`],
      ["model", "desk-front", "route"],
      ["effect", "desk-front", `refund ${PATIENT}`],
      ["handoff", "desk-front", null],
      ["delivery", "desk-back", null],
    ]);
    expect(stepOf(steps, "delivery", "desk-front")).toMatchObject({
      hop: 0,
      attempt: 1,
      tokens: 120,
      outcome: "handed_off",
      input: { state: "whole", value: ticket(), contract: "desk.ticket@1" },
    });
    expect(stepOf(steps, "model")).toMatchObject({
      model: "middle",
      round: "1",
      attempt: 1,
      input: { state: "whole", value: { text: TEXT, urgent: true, [PATIENT]: "is a customer" } },
      output: { state: "whole", value: { queue: "parcels", writer: PATIENT }, contract: "desk.route@1" },
    });
    expect(stepOf(steps, "effect")).toMatchObject({
      outcome: "done",
      output: { value: { refunded: "AB-1234", to: PATIENT } },
    });
    expect(stepOf(steps, "delivery", "desk-back")).toMatchObject({
      hop: 1,
      outcome: "completed",
      output: { value: { closed: "AB-1234", queue: "parcels", told: PATIENT } },
    });
  });
});

describe("who may see it", () => {
  test("is nobody of another tenant, and nobody without a key", async () => {
    const desk = await openDesk(plainDesk);
    const runId = await desk.run();
    const [step] = (await desk.steps(runId)).steps;
    // A run of another tenant is as absent as one that never was.
    const told = async (id: string, key: string): Promise<string> => {
      const refused = await desk.ask(id, { key });
      expect(refused.status).toBe(404);
      return (await refused.text()).replace(id, "RUN").replace(/"trace_id":"[^"]*"/, "");
    };
    for (const key of [SECRETS.globex, SECRETS.submit, SECRETS.viewer]) {
      expect(await told(runId, key)).toBe(await told(ABSENT, key));
      const one = await desk.gateway.send(`/v1/runs/${runId}/steps/${step?.step_id ?? ""}`, { key });
      expect(one.status).toBe(404);
    }
    const anonymous = await desk.gateway.send(`/v1/runs/${runId}/steps`, { key: null });
    expect(anonymous.status).toBe(401);
    // A step of another run is not found through one's own.
    const other = await desk.run(ticket(), SECRETS.globex);
    const through = `/v1/runs/${other}/steps/${step?.step_id ?? ""}`;
    expect((await desk.gateway.send(through, { key: SECRETS.globex })).status).toBe(404);
  });

  test("is shown instructions with the scope of an operator alone", async () => {
    const desk = await openDesk(plainDesk);
    const runId = await desk.run();
    for (const [key, state] of [
      [SECRETS.acme, "withheld"],
      [SECRETS.acmeViewer, "withheld"],
      [SECRETS.operator, "whole"],
      [SECRETS.admin, "whole"],
    ] as const) {
      const answer = await (await desk.ask(runId, { key })).text();
      expect(answer.includes("House rule seven"), key).toBe(state === "whole");
      const { steps } = await desk.steps(runId, { key });
      expect(stepOf(steps, "model").instructions).toMatchObject(
        state === "whole" ? { state, value: INSTRUCTIONS } : { state, value: null },
      );
    }
  });

  test("is shown no key or token that a step or an effect gave, whoever asks", async () => {
    const desk = await openDesk(plainDesk);
    const runId = await desk.run(ticket({ text: `${TEXT} My key is ${TOKEN}.` }));
    for (const key of [SECRETS.acme, SECRETS.operator, SECRETS.admin]) {
      const page = await desk.steps(runId, { key });
      expect(JSON.stringify(page)).not.toContain(TOKEN);
      expect(JSON.stringify(page)).toContain("[secret]");
      for (const { step_id: id } of page.steps) {
        const one = await desk.gateway.send(`/v1/runs/${runId}/steps/${id}`, { key });
        expect(await one.text()).not.toContain(TOKEN);
      }
    }
  });

  test("is shown what contracts mark as the run's own client alone: not in values, names, keys, fields or instructions", async () => {
    const desk = await openDesk(markedDesk);
    const runId = await desk.run();
    const own = JSON.stringify(await desk.steps(runId));
    expect(own).toContain(PATIENT);
    for (const key of [SECRETS.acmeViewer, SECRETS.acmeOperator, SECRETS.operator, SECRETS.admin]) {
      const page = await desk.steps(runId, { key });
      expect(page.is_masked).toBe(true);
      expect(JSON.stringify(page)).not.toMatch(/zephyrine|quillfeather/i);
      expect(stepOf(page.steps, "delivery", "ward-desk-front").input.value).toMatchObject({
        ref: "AB-1234",
        writer: "[sensitive]",
        text: TEXT,
      });
      // Values from the message stay readable; literals have no contract.
      expect(stepOf(page.steps, "model").input.value).toMatchObject({ text: TEXT, urgent: "[sensitive]" });
      for (const { step_id: id } of page.steps) {
        const one = await desk.gateway.send(`/v1/runs/${runId}/steps/${id}`, { key });
        expect(await one.text()).not.toMatch(/zephyrine|quillfeather/i);
      }
    }
  });
});

describe("what is damaged or kept no more", () => {
  test("says of erased messages, ledgers and prompts that they are gone, and shows the rest", async () => {
    const desk = await openDesk(plainDesk);
    const runId = await desk.run();
    const { store } = desk.gateway.system;
    const [first] = (await desk.steps(runId)).steps;
    const messageId = first?.message_id ?? "";
    await store.redis.del(store.keys.job("desk-front", messageId));
    const without = (await desk.steps(runId, { key: SECRETS.operator })).steps;
    expect(stepOf(without, "delivery", "desk-front")).toMatchObject({
      input: { state: "gone", value: null },
    });
    expect(stepOf(without, "model").input.state).toBe("gone");
    expect(stepOf(without, "step").output.state).toBe("whole");
    await store.redis.del(store.keys.ledger("desk-front", messageId));
    const less = (await desk.steps(runId, { key: SECRETS.operator })).steps;
    expect(less.map(({ kind }) => kind)).toEqual(["delivery", "handoff", "delivery"]);
    expect(JSON.stringify(less)).not.toContain(TEXT.slice(-40));
    await store.redis.del(store.keys.run(runId));
    expect((await desk.ask(runId)).status).toBe(404);
  });
});

const MAIL = "ada.lovelace@example.org";
const CONTENT = ["gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"];

test("holds content where it is asked for alone: as the conventions name it, cut, without secrets, addresses and marked fields", async () => {
  const collector = await startCollector();
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url;
  const tracing = await startTracing({ service: "desk", otlpEndpoint: collector.url });
  for (const [team, start] of [
    [plainDesk, {}],
    [plainDesk, { capturesContent: true }],
    [markedDesk, { capturesContent: true }],
  ] as const) {
    const { system, endpoint } = await openModelSystem(team, start);
    endpoint.behave = () => JSON.stringify({ queue: `parcels, says ${MAIL}`, writer: PATIENT });
    const text = `${TEXT} Write to ${MAIL}, my key is ${TOKEN}. ${"It rained all day. ".repeat(900)}`;
    await system.run(ticket({ text }));
  }
  await tracing.shutdown();
  const chats = collector.spans.filter(({ name }) => name.startsWith("chat "));
  const withContent = chats.filter(({ about }) => CONTENT.every((name) => typeof about[name] === "string"));
  // On a busy machine a delivery may be repeated, and its call with it.
  expect(withContent.length).toBeGreaterThanOrEqual(2);
  expect(chats.length).toBeGreaterThan(withContent.length);
  const others = JSON.stringify(collector.spans.filter((span) => !withContent.includes(span)));
  expect(others).not.toMatch(/parcel|House rule|zephyrine|input\.messages/i);

  const all = collector.texts.join("\n");
  expect(all).not.toContain(TOKEN);
  expect(all).not.toContain(MAIL);
  const [plain, marked] = ["desk-front", "ward-desk-front"].map(
    (agent) => withContent.find(({ about }) => about["gen_ai.agent.name"] === agent)?.about ?? {},
  );
  const read = (name: string): unknown => JSON.parse(String(plain?.[name]));
  expect(read("gen_ai.input.messages")).toEqual([
    {
      role: "user",
      parts: [{ type: "text", content: expect.stringMatching(/blue vase never came.*\[email\]/) }],
    },
  ]);
  expect(String(plain?.["gen_ai.input.messages"]).length).toBeLessThan(9000);
  expect(read("gen_ai.output.messages")).toMatchObject([{ role: "assistant", finish_reason: "stop" }]);
  expect(String(plain?.["gen_ai.system_instructions"])).toContain("House rule seven");
  // In a team that marks something: neither the marked values nor what has no contract.
  expect(JSON.stringify(marked)).not.toMatch(/zephyrine|quillfeather|is a customer/i);
  expect(String(marked?.["gen_ai.input.messages"])).toContain("The parcel with the blue vase never came.");
});
