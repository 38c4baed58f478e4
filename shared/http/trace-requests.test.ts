import Fastify from "fastify";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { sleep } from "#shared/clock";
import { traceRequests } from "./trace-requests.ts";

it("logs a request at debug, and at warn or info what failed here or was slow without being asked to wait", async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const app = Fastify();
  traceRequests(app, { logger });
  app.get("/quick", async () => "x");
  app.get("/slow", () => sleep(1100).then(() => "x"));
  app.get("/stream", async (_request, reply) => {
    await sleep(1100);
    return reply.header("content-type", "text/event-stream").send("data: x\n\n");
  });
  app.get("/broken", (_request, reply) => reply.code(503).send());
  onTestFinished(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  await Promise.all(
    ["/quick", "/slow", "/slow?wait=5", "/stream", "/broken", "/nowhere?wait=5&token=secret"].map((path) =>
      fetch(url + path),
    ),
  );
  const levels = { 20: "debug", 30: "info", 40: "warn" };
  const told = (): string[] =>
    lines
      .filter(({ msg }) => msg === "request")
      .map(
        ({ level, route, status }) => `${levels[level as 20 | 30 | 40]} ${String(route)} ${String(status)}`,
      )
      .toSorted();
  await expect
    .poll(told)
    .toEqual([
      "debug /quick 200",
      "debug /slow 200",
      "debug /stream 200",
      "debug unknown 404",
      "info /slow 200",
      "warn /broken 503",
    ]);
  expect(JSON.stringify(lines)).not.toContain("secret");
});
