import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { Secret } from "#shared/config";
import { createFirst } from "#shared/envelope";
import { createMaster, issueKeyring } from "#shared/envelope/keys";
import { seal } from "#shared/envelope/seals";
import { SENSITIVE_MASK } from "#shared/masking";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import { edgesOf } from "#shared/runtime";
import { createLogger, startTracing } from "#shared/telemetry";
import { findCases } from "#shared/ward";
import {
  SECRETS as CONSOLE_KEYS,
  startTestConsole,
} from "../../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import {
  SECRETS as GATEWAY_KEYS,
  startTestGateway,
} from "../../services/gateway/testing/start-test-gateway.ts";
import type { TestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";
import { startModelEndpoint } from "../support/model-endpoint.ts";
import type { ModelEndpoint } from "../support/model-endpoint.ts";
import { startCollector } from "../support/trace-collector.ts";
import { clinic, house, visit, WAYS } from "./clinic.ts";
import type { Way } from "./clinic.ts";
import { listenLocally } from "../support/listen-locally.ts";

export interface Clinic {
  readonly gateway: TestGateway;
  readonly console: TestConsole;
  readonly endpoint: ModelEndpoint;
  /** One run for each way, begun by the key `s`. */
  readonly runs: ReadonlyMap<Way, string>;
  /** Lines of every process's log so far. */
  readonly log: string[];
  /** Bodies of webhooks so far. */
  readonly posts: string[];
  /** Ends tracing. @returns what the collector was sent. */
  endTracing(): Promise<string[]>;
}

/** A gateway, a console, agents and a surgeon with canaries in them: a run for each way in which a visit may go. */
export async function openClinic(): Promise<Clinic> {
  const collector = await startCollector();
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url;
  const tracing = await startTracing({ service: "clinic", otlpEndpoint: collector.url });
  const log: string[] = [];
  const logger = createLogger({
    service: "clinic",
    level: "trace",
    destination: { write: (line) => void log.push(line) },
  });
  const { url: hook, posts } = await startReceiver();
  const gateway = await startTestGateway({ team: clinic, parts: { logger }, bounds: { stepWaitMsMax: 100 } });
  const { system } = gateway;
  const endpoint = await startModelEndpoint([clinic]);
  onTestFinished(() => endpoint.close());
  endpoint.behave = ({ body }) => repair(body.messages.find(({ role }) => role === "user")?.content ?? "{}");
  const models = { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" };
  const model = createModelClient({ baseUrl: endpoint.url, apiKey: "none", models, timeoutMs: 2000 });
  await system.start({ logger });
  const console = await startTestConsole({}, [], system);
  const surgeon = startSurgeon({
    store: system.store,
    keyring: system.keyring,
    teams: [clinic],
    model,
    prices: PRICES_DEFAULT,
    logger,
    limits: SURGERY_LIMITS_DEFAULT,
    upkeepMs: 50,
    noticesEveryMs: 50,
    notices: {
      receivers: [
        {
          url: new Secret(hook),
          secrets: [new Secret(`whsec_${Buffer.alloc(32, 7).toString("base64")}`)],
          events: null,
          redact: false,
          format: "standard",
        },
      ],
      thresholds: { groupMessagesPerHour: 1, quarantineCasesMax: 1 },
    },
  });
  onTestFinished(async () => {
    await surgeon.stop(0);
    model.close();
  });
  const runs = new Map<Way, string>();
  for (const way of WAYS) runs.set(way, await begin(gateway, way));
  await decide({ gateway, console, runs });
  await tamper(gateway);
  return {
    gateway,
    console,
    endpoint,
    runs,
    log,
    posts,
    endTracing: async () => {
      await tracing.shutdown();
      return collector.texts;
    },
  };
}

async function begin(gateway: TestGateway, way: Way): Promise<string> {
  const answer = await gateway.send("/v1/tasks", {
    method: "POST",
    key: GATEWAY_KEYS.submit,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ team: "clinic", input: visit(way) }),
  });
  const { run_id: runId } = (await answer.json()) as { run_id: string };
  const isDone = way === "completes" || way === "is repaired";
  await gateway.system.until(runId, isDone ? ["completed"] : ["quarantined"]);
  return runId;
}

/** Has a genuine message arrive with a changed seal: nobody may read it, and it waits for a person. */
async function tamper({ system }: TestGateway): Promise<void> {
  const envelope = createFirst({
    to: "intake@1",
    contract: "clinic.visit@1",
    payload: visit("completes"),
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  });
  const stranger = issueKeyring({ master: createMaster(), agent: "gateway", edges: edgesOf([clinic]) });
  const { message } = seal({ envelope, queue: "intake", key: stranger.signing("gateway", "intake") });
  const jobId = envelope.meta.message_id;
  const job = { lane: "fresh", agent: "intake", jobId, data: { ...message }, delayMs: 0 } as const;
  await system.store.queues.add({ ...job, priority: "normal" });
  const isQuarantined = async (): Promise<boolean> => {
    const { cases } = await findCases(system.store, { filter: { agent: "intake" }, limit: 50 });
    return cases.some(({ message_id }) => message_id === jobId);
  };
  while (!(await isQuarantined())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** People send one message on with another value in it, as they see it, and drop another. */
async function decide({
  gateway,
  console,
  runs,
}: Pick<Clinic, "gateway" | "console" | "runs">): Promise<void> {
  const caseOf = async (way: Way): Promise<string> => {
    const filter = { run_id: runs.get(way) ?? "" };
    const { cases } = await findCases(gateway.system.store, { filter, limit: 1 });
    return `/v1/ward/cases/${cases[0]?.case_id ?? ""}`;
  };
  house.isStrict = false;
  const masked = { patient: SENSITIVE_MASK, account: SENSITIVE_MASK, nights: 2, remark: "barred" };
  const release = { payload_text: JSON.stringify(masked), why: "they may stay" };
  const released = await console.post(`${await caseOf("breaks a rule")}/release`, release, {
    key: "operator",
  });
  const discarded = await console.post(`${await caseOf("rejects")}/discard`, { why: "a test" });
  for (const answer of [released, discarded])
    if (answer.status !== 202) throw new Error(`a decision was refused: ${await answer.text()}`);
  await gateway.system.until(runs.get("breaks a rule") ?? "");
  await gateway.system.until(runs.get("rejects") ?? "");
}

/** What a good model says of the one message that it can heal. */
function repair(question: string): string {
  // Questions of the surgeon are JSON of its own.
  const { message = "" } = JSON.parse(question) as { message?: string };
  const text = message.split("\n").slice(1, -1).join("\n");
  const irreparable = { verdict: "irreparable", payload: "", reason: "nothing to go by", recipe: null };
  if (!text.includes("naechte")) return JSON.stringify(irreparable);
  const { naechte, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const payload = JSON.stringify({ ...rest, nights: naechte });
  return JSON.stringify({ verdict: "repaired", payload, reason: "it counts them twice", recipe: null });
}

async function startReceiver(): Promise<{ readonly url: string; readonly posts: string[] }> {
  const posts: string[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      posts.push(text);
      response.writeHead(204).end();
    });
  });
  const port = await listenLocally(server);
  return { url: `http://127.0.0.1:${port}`, posts };
}

export { CONSOLE_KEYS, GATEWAY_KEYS };
