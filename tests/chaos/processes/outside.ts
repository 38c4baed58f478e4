import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { DurableLog } from "../logs.ts";
import { draw } from "../draw.ts";
import { MODEL_FAULTS, MODEL_OUTAGES } from "../plan/faults.ts";
import type { ModelFault, ModelOutage } from "../plan/faults.ts";
import type { OutsideLine } from "../logs.ts";
import { createTask, gradeOf, indexOf } from "../task.ts";
import type { TaskSource } from "../task.ts";

/** The world outside: a troubled model endpoint, and effects once an idempotency key, in one log. */

interface OutsideOptions {
  readonly port: number;
  readonly logFile: string;
  readonly source: TaskSource;
}

// Written by deployment.ts.
const { port, logFile, source } = JSON.parse(process.argv[2] ?? "{}") as OutsideOptions;
const { seed } = source;
const log = new DurableLog<OutsideLine>(logFile);

/** Calls of one task that may be troubled; later ones never are, so that every task comes through. */
const TROUBLED_CALLS = 2;
const TROUBLED_SHARE = 0.35;
const LATENCY_MS = { min: 150, span: 500 };
/** Longer than any client waits. */
const DRIP_EVERY_MS = 100;
/** Far more than an answer may have. */
const HUGE_BYTES = 10 * 1024 * 1024;

let isFaulty = false;
let outage: ModelOutage | null = null;
let callsInOutage = 0;
const calls = new Map<string, number>();
const effects = new Map<string, string>();

function answerJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function answerError(response: ServerResponse, status: number, message: string): void {
  answerJson(response, { error: { message } }, status);
}

function completionOf(content: string): object {
  return {
    id: "chatcmpl-chaos",
    object: "chat.completion",
    created: 1,
    model: "chaos",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content, refusal: null } }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  };
}

interface Question {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly json_schema?: { readonly name: string } };
}

async function answerModel(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Sent by the OpenAI SDK of the processes under test.
  const question = JSON.parse(await text(request)) as Question;
  const isRepair = /^(?:repair|second_reading)$/.test(question.response_format?.json_schema?.name ?? "");
  if (outage !== null) {
    callsInOutage += 1;
    return answerSick(response, outage);
  }
  if (isRepair) {
    log.write({ type: "repair" });
    const verdict = { verdict: "irreparable", payload: "", reason: "nobody can know", recipe: null };
    answerJson(response, completionOf(JSON.stringify(verdict)));
    return;
  }
  const asked = question.messages.find((message) => message.role === "user")?.content ?? "{}";
  // The input of the chain's middle agent, or of a survey's branch.
  const { task, amount } = JSON.parse(asked) as { task: string; amount: number };
  const call = (calls.get(task) ?? 0) + 1;
  calls.set(task, call);
  const isBabble = createTask(source, indexOf(task)).kind === "babble";
  const fault = isBabble ? "wrong_schema" : chooseFault(task, call);
  log.write({ type: "model", task, call, fault });
  const good = JSON.stringify({ task, amount, grade: gradeOf(amount) });
  response.once("close", () => log.write({ type: "answered", task, call }));
  setTimeout(
    () => send(response, fault, good),
    LATENCY_MS.min + LATENCY_MS.span * draw(seed, "ms", task, call),
  );
}

function chooseFault(task: string, call: number): ModelFault | null {
  if (!isFaulty || call > TROUBLED_CALLS || draw(seed, "troubled", task, call) > TROUBLED_SHARE) return null;
  const fault = MODEL_FAULTS[Math.floor(draw(seed, "fault", task, call) * MODEL_FAULTS.length)] ?? null;
  // A second unusable answer in a row would be the ward's business, which other tasks are for.
  return isBadAnswer(fault) && call > 1 ? null : fault;
}

/** An answer that is paid for and useless: of two in a row a person has to hear. */
function isBadAnswer(fault: ModelFault | null): boolean {
  return fault === "wrong_schema" || fault === "huge";
}

function send(response: ServerResponse, fault: ModelFault | null, good: string): void {
  const whole = JSON.stringify(completionOf(good));
  switch (fault) {
    case null:
      return answerJson(response, completionOf(good));
    case "rate_limited":
      response.setHeader("retry-after", "1");
      return answerError(response, 429, "slow down");
    case "rate_limited_bare":
      return answerError(response, 429, "no");
    case "overloaded":
      return answerError(response, 529, "overloaded");
    case "huge":
      return answerJson(response, completionOf("a".repeat(HUGE_BYTES)));
    case "server_error":
      return answerError(response, 500, "bullmq:rateLimitExceeded");
    case "html":
      response.writeHead(200, { "content-type": "text/html" });
      return void response.end("<html><body>Welcome</body></html>");
    case "hang":
      return;
    case "drip":
      response.writeHead(200, { "content-type": "application/json" });
      return drip(response, whole);
    case "truncated":
      response.writeHead(200, { "content-type": "application/json", "content-length": String(whole.length) });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return;
    case "fenced":
      return answerJson(response, completionOf(`Here you are:\n\`\`\`json\n${good}\n\`\`\`\n`));
    case "wrong_schema":
      return answerJson(response, completionOf('{"grade": NaN, "verdict": "splendid"}'));
    default:
      return fault satisfies never;
  }
}

/** Answers as an endpoint that is down for everybody: nothing of what it is asked gets through. */
function answerSick(response: ServerResponse, how: ModelOutage): void {
  if (how === "reset") response.destroy();
  else if (how !== "hang") answerError(response, Number(how), "out of order");
}

function drip(response: ServerResponse, body: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (response.destroyed || sent >= body.length) clearInterval(timer);
    else response.write(body[sent]);
    sent += 1;
  }, DRIP_EVERY_MS);
}

async function answerEffect(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (request.method === "GET") {
    answerJson(response, { effect_id: effects.get(url.searchParams.get("key") ?? "") ?? null });
    return;
  }
  // Sent by the agents that act outside.
  const { task, key } = JSON.parse(await text(request)) as { task: string; key: string };
  const known = effects.get(key);
  const effect_id = known ?? `e-${effects.size + 1}`;
  effects.set(key, effect_id);
  log.write({ type: "effect", task, key, effect_id, is_repeat: known !== undefined });
  answerJson(response, { effect_id });
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "/").split("?")[0];
  if (path === "/healthz") return answerJson(response, {});
  if (path === "/effects") return answerEffect(request, response);
  if (path === "/v1/chat/completions") return answerModel(request, response);
  if (path === "/outage") {
    const how = await text(request);
    outage = MODEL_OUTAGES.find((one) => one === how) ?? null;
    return answerJson(response, { calls: callsInOutage });
  }
  if (path !== "/troubles") return answerJson(response, {}, 404);
  isFaulty = (await text(request)) === "on";
  answerJson(response, {});
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy());
});
server.listen(port, "127.0.0.1");
