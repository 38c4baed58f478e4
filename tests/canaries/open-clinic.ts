import { z } from "zod";
import { Secret } from "#shared/config";
import { contract, sensitive } from "#shared/contract";
import { createFirst } from "#shared/envelope";
import { createMaster, issueKeyring } from "#shared/envelope/keys";
import { seal } from "#shared/envelope/seals";
import { SENSITIVE_MASK } from "#shared/masking";
import { agent, edgesOf, team } from "#shared/runtime";
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
import type { ModelEndpoint } from "../support/model-endpoint.ts";
import { startCollector } from "../support/trace-collector.ts";
import { startReceiver } from "#shared/testing";
import type { Post } from "#shared/testing";
import { openModel, PRICED } from "../support/open-model-system.ts";
import { operateOn } from "../support/operate-on.ts";

export const PATIENT = "Zephyrine Quillfeather";
const ACCOUNT = "ZZ77 9917 4482 0153";

/** Any part of a canary, as it is, in other letters, or without its spaces. */
export const CANARY = /zephyrine|quillfeather|9917 ?4482|4482 ?0153/i;

/** Objection of the clinic's own rule to some visits, until somebody lifts it. */
const house = { isStrict: true };

const person = {
  patient: sensitive(z.string().min(1)),
  account: sensitive(z.string().min(10).meta({ "x-locked": true })),
};

/** Acts of an agent of the clinic with a visit: one way for each kind of text that may carry a value out. */
const WAYS = ["completes", "is repaired", "throws", "rejects", "asks for a tool", "breaks a rule"] as const;

type Way = (typeof WAYS)[number];

const Visit = contract("clinic.visit@1", z.strictObject({ ...person, beds: z.int(), way: z.enum(WAYS) }));

const Stay = contract("clinic.stay@1", z.strictObject({ ...person, nights: z.int(), remark: z.string() }), {
  check: ({ patient, remark }) =>
    house.isStrict && remark === "barred"
      ? [{ path: "/remark", code: "barred", message: `${patient} is barred` }]
      : [],
});

const intake = agent("intake@1", {
  accepts: Visit,
  to: { ledger: Stay },
  handle: async ({ patient, account, beds, way }, ctx) => {
    ctx.log.warn({ visitor: patient, about: [`pays from ${account}`] }, `visited by ${patient}`);
    const stay = { patient, account, nights: beds, remark: "quiet" };
    if (way === "throws") throw new Error(`there is no ${patient} with ${account}`);
    if (way === "rejects") return ctx.reject(`${patient} is not known here`);
    if (way === "asks for a tool") {
      const call = { call_id: "wire-1", tool: "wire", arguments: { to: account, holder: patient } };
      const { approved } = await ctx.approve(call);
      return ctx.complete({ approved, to: account });
    }
    // Its author wrote it wrongly: no type says so.
    if (way === "is repaired")
      return ctx.handoff("ledger", { ...stay, nights: "2 nights", naechte: 2 } as never);
    return ctx.handoff("ledger", { ...stay, remark: way === "breaks a rule" ? "barred" : "quiet" });
  },
});

const ledger = agent("ledger@1", {
  accepts: Stay,
  handle: ({ patient, account, nights }, ctx) =>
    ctx.complete({
      nights,
      patient,
      // No copy of a value: nothing in the text says where it came from.
      message: `Dear Ms ${patient.split(" ").at(-1) ?? ""}, we took it from ${account.slice(-9)}.`,
      [patient]: "is a name of a member here",
    }),
});

/** Two agents that handle what is personal, and let it out in every way that they have. */
export const clinic = team("clinic", [intake, ledger]);

export function visit(way: Way): Record<string, unknown> {
  return { patient: PATIENT, account: ACCOUNT, beds: 2, way };
}

export interface Clinic {
  readonly gateway: TestGateway;
  readonly console: TestConsole;
  readonly endpoint: ModelEndpoint;
  /** One run for each way, begun by the key `s`. */
  readonly runs: ReadonlyMap<Way, string>;
  /** Lines of every process's log so far. */
  readonly log: string[];
  /** Bodies of webhooks so far. */
  readonly posts: readonly Post<string>[];
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
  const { url: hook, posts } = await startReceiver((text) => text);
  const gateway = await startTestGateway({ team: clinic, parts: { logger }, bounds: { stepWaitMsMax: 100 } });
  const { system } = gateway;
  const { endpoint, model } = await openModel(clinic, { models: PRICED });
  endpoint.behave = ({ body }) => repair(body.messages.find(({ role }) => role === "user")?.content ?? "{}");
  await system.start({ logger });
  const console = await startTestConsole({}, [], system);
  operateOn(system, {
    model,
    logger,
    upkeepMs: 50,
    noticesEveryMs: 50,
    limits: {
      webhooks: [
        {
          url: new Secret(hook),
          secrets: [new Secret(`whsec_${Buffer.alloc(32, 7).toString("base64")}`)],
          events: null,
          redact: false,
          format: "standard",
        },
      ],
      groupMessagesPerHour: 1,
      quarantineCasesMax: 1,
    },
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

/** A good model's answer to the one message that it can heal. */
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

export { CONSOLE_KEYS, GATEWAY_KEYS };
