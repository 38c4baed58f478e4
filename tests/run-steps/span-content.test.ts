import { expect, test } from "vitest";
import { startTracing } from "#shared/telemetry";
import { startCollector } from "../support/trace-collector.ts";
import { openModelSystem } from "../support/open-model-system.ts";
import { markedDesk, PATIENT, plainDesk, TEXT, ticket, TOKEN } from "./desk-team.ts";

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
    const { runId } = await system.submit(ticket({ text }));
    await system.until(runId);
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
