import { spawn } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serveHttp } from "#shared/testing";
import { formatTraceparent, newTraceparent, parseTraceparent } from "./index.ts";

async function startCollector(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const url = await serveHttp((_request, response, body) => {
    bodies.push(body);
    response.setHeader("content-type", "application/json").end("{}");
  });
  return { url, bodies };
}

function run(script: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += String(data)));
  return new Promise((resolve) => child.once("exit", (code) => resolve({ code, output })));
}

const door = JSON.stringify(join(import.meta.dirname, "index.ts"));
const script = (endpoint: string | null): string => `
  const { startTracing, withSpan, traceparentOf } = await import(${door});
  const tracing = await startTracing({ service: "probe", otlpEndpoint: ${JSON.stringify(endpoint)} });
  const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  await withSpan("moveStalledJobsToWait", { parent: null }, () => undefined);
  await withSpan("handle refund", { kind: "consumer", parent }, (span) => console.log(traceparentOf(span)));
  await withSpan("fail", { parent }, () => { throw new TypeError("words of a customer"); }).catch(() => undefined);
  await tracing.shutdown();
  console.log("loaded", process.memoryUsage().rss > 0);`;

describe("startTracing", () => {
  it("sends spans of the caller's trace, no noise and no foreign error text, before it ends", async () => {
    const { url, bodies } = await startCollector();
    const { code, output } = await run(script(url), { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const sent = bodies.join();
    expect(code, output).toBe(0);
    expect(output).toContain("00-4bf92f3577b34da6a3ce929d0e0e4736-");
    for (const part of ["handle refund", "probe", "4bf92f3577b34da6a3ce929d0e0e4736", "TypeError"])
      expect(sent).toContain(part);
    for (const part of ["moveStalledJobsToWait", "words of a customer"]) expect(sent).not.toContain(part);
  });

  it("ends cleanly when the collector is away", async () => {
    const url = "http://127.0.0.1:9";
    const { code, output } = await run(script(url), { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect({ code, output }).toMatchObject({ code: 0, output: expect.not.stringContaining("Unhandled") });
  });

  it("loads nothing of the SDK when it is off", async () => {
    const { output } = await run(
      `import { registerHooks } from "node:module";
       registerHooks({ load: (url, context, next) => { if (url.includes("sdk-node")) console.log("SDK"); return next(url, context); } });
       ${script(null)}`,
      {},
    );
    expect(output).toContain("loaded");
    expect(output).not.toContain("SDK");
  });
});

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("traceparent", () => {
  it("reads what it writes, for all ids and flags", () => {
    const id = (length: number): fc.Arbitrary<string> =>
      fc
        .array(fc.constantFrom(..."0123456789abcdef".split("")), { minLength: length, maxLength: length })
        .map((digits) => digits.join(""))
        .filter((text) => /[^0]/.test(text));
    fc.assert(
      fc.property(fc.record({ traceId: id(32), spanId: id(16), isSampled: fc.boolean() }), (parts) => {
        expect(parseTraceparent(formatTraceparent(parts))).toEqual(parts);
      }),
    );
  });

  it("reads a later version that begins in the same way", () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-03-more`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: true,
    });
  });

  it.each([
    ["nothing", ""],
    ["version ff", `ff-${TRACE}-${SPAN}-01`],
    ["a fifth part in version 00", `00-${TRACE}-${SPAN}-01-x`],
    ["upper case", `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ["a zero trace id", `00-${"0".repeat(32)}-${SPAN}-01`],
    ["a zero span id", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["a short id", `00-${TRACE.slice(1)}-${SPAN}-01`],
    ["a line break at its end", `00-${TRACE}-${SPAN}-01\n`],
    ["no end", `01-${TRACE}-${SPAN}-01-${"x".repeat(100_000)}`],
  ])("refuses %s", (_what, text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  it("makes new ones that can be read, in the given trace if there is one", () => {
    expect(parseTraceparent(newTraceparent())).toMatchObject({ isSampled: true });
    expect(parseTraceparent(newTraceparent(TRACE))).toMatchObject({ traceId: TRACE });
    expect(newTraceparent(TRACE)).not.toBe(newTraceparent(TRACE));
  });
});
