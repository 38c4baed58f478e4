import type { ServerResponse } from "node:http";
import { pino } from "pino";
import { onTestFinished, vi } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { loadConfig } from "#shared/config";
import { contract } from "#shared/contract";
import type { GuardDeclaration } from "#shared/guard";
import { PRICES_DEFAULT } from "#shared/model";
import { agent, team } from "#shared/runtime";
import { RecipeStore } from "#shared/store/cases";
import type { StoredCase } from "#shared/store/cases";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases, getCase } from "#shared/ward";
import type { CaseDetail, WardCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import type { DecisionKind } from "#shared/ward/decisions";
import { complete } from "../../../tests/support/model-endpoint.ts";
import type { ModelEndpoint } from "../../../tests/support/model-endpoint.ts";
import { openModel, PRICED } from "../../../tests/support/open-model-system.ts";
import { RecipeCache } from "../recipes/recipe-cache.ts";
import { startSurgeon } from "../start-surgeon.ts";
import type { RunningSurgeon, StartSurgeonOptions } from "../start-surgeon.ts";
import { surgeryLimits } from "../surgery.ts";
import type { Surgery, SurgeryLimits } from "../surgery.ts";

/** For tests: a team whose messages die, a model's endpoint that a test steers, and a surgeon between them. */
export interface SurgeonTestSystem extends TestSystem {
  readonly endpoint: Endpoint;
  /** Inputs of the handlers, in order. */
  readonly handled: unknown[];
  /** As the surgeon opens them. */
  readonly recipes: RecipeStore;
  readonly surgery: (limits?: Partial<SurgeryLimits>) => Surgery;
  readonly startSurgeon: (options?: Partial<StartSurgeonOptions>) => RunningSurgeon;
  /** The only case of a run, once it satisfies `when`. */
  readonly untilCase: (runId: string, when: (one: WardCase) => boolean) => Promise<CaseDetail>;
  readonly stored: (caseId: string) => Promise<StoredCase>;
  /** As Ada decides, who gives no reason. */
  readonly decide: (
    caseId: string,
    decision: DecisionKind,
    more?: Partial<Parameters<typeof decide>[1]>,
  ) => ReturnType<typeof decide>;
}

export interface Endpoint {
  readonly url: string;
  /** Questions for a repair that the endpoint was asked, as their parsed input. */
  readonly questions: Record<string, unknown>[];
  /** Questions for a reading of the text apart from the repair. */
  readonly readings: Record<string, unknown>[];
  /** Requests that it answered 400, because they break a documented rule, and what it said. */
  readonly refused: object[];
  /** The next answers; a number is an HTTP status without an answer, `{ status, error }` one with an error. */
  answer: (input: Record<string, unknown>) => unknown;
  /** Its reading of a text. Default: its answer before. */
  read: (input: Record<string, unknown>, repair: unknown) => unknown;
  /** Time until its answer, in ms. */
  delayMs: number;
  /** Questions it was thinking about at once, at most. */
  atOnce: number;
}

/** A surgeon that waits for nothing, and keeps its cases on a machine that stands still. */
const BRISK = { waitMsMin: 50, jobMissingMs: 200, lockMs: 10_000, stalledIntervalMs: 200 };

/** A refund as the tests' agents are asked for it. */
export const Refund = contract(
  "desk.refund@1",
  z.strictObject({
    order_id: z.string().regex(/^A-\d{4}$/),
    seats: z.int().positive(),
    reason: z.enum(["damaged", "late", "other"]).optional(),
    account: z.string().min(3).meta({ "x-locked": true, "x-two-person": true }).optional(),
    amount: z.number().meta({ "x-locked": true }).optional(),
  }),
  {
    check: (refund) =>
      refund.seats > 1000 ? [{ path: "/seats", code: "too_many", message: "no order has so many" }] : [],
  },
);

export const Note = contract("desk.note@1", z.strictObject({ text: z.string(), parcels: z.int() }));

export const Objections = contract("desk.objections@1", z.strictObject({ objections: z.array(z.string()) }));

export type RefundHandler = NonNullable<Parameters<typeof agent<"desk", typeof Refund>>[1]["handle"]>;

export async function openSurgeonTestSystem(
  options: {
    readonly handle?: RefundHandler;
    /** Of the desk. Default: none. */
    readonly guard?: GuardDeclaration;
    readonly limits?: Partial<SurgeryLimits>;
    /** The model that the surgeon asks instead of `endpoint`. */
    readonly baseUrl?: string;
  } = {},
): Promise<SurgeonTestSystem> {
  const handled: unknown[] = [];
  const desk = agent("desk@1", {
    accepts: Refund,
    answers: [Note, Objections],
    ...(options.guard === undefined ? {} : { guard: options.guard }),
    handle: (input, ctx) => {
      handled.push(input);
      return options.handle === undefined
        ? ctx.complete({ order_id: input.order_id })
        : options.handle(input, ctx);
    },
  });
  const clerk = agent("clerk@1", { accepts: Refund, handle: (_input, ctx) => ctx.complete({ by: "clerk" }) });
  const system = createTestSystem(team("help", [desk, clerk]));
  const { baseUrl } = options;
  const opened = await openModel(system.team, {
    models: PRICED,
    timeoutMs: 2000,
    ...(baseUrl !== undefined && { baseUrl }),
  });
  const { model } = opened;
  const logger = pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
  const recipes = new RecipeStore(system.store);
  const surgery = (limits: Partial<SurgeryLimits> = {}): Surgery => ({
    store: system.store,
    keyring: system.keyring,
    teams: [system.team],
    model,
    prices: PRICES_DEFAULT,
    logger,
    limits: { ...surgeryLimits(loadConfig({})), ...BRISK, ...options.limits, ...limits },
    recipes,
    recipeCache: new RecipeCache(recipes),
    stopping: new AbortController().signal,
  });
  const running: RunningSurgeon[] = [];
  onTestFinished(async () => {
    await Promise.all(running.map((one) => one.stop(0)));
  });
  return {
    ...system,
    endpoint: steer(opened.endpoint),
    handled,
    recipes,
    surgery,
    startSurgeon: (more = {}) => {
      const started = startSurgeon({ ...surgery(), upkeepMs: 50, ...more });
      running.push(started);
      return started;
    },
    untilCase: (runId, when) => untilCase(system, { runId, when }),
    decide: (case_id, decision, more = {}) =>
      decide(system.store, { case_id, decision, by: "ada", why: "", ...more }),
    stored: (caseId) => system.store.cases.get(caseId),
  };
}

/** The same with its agents and a surgeon at work. */
export async function openSurgeonAtWork(
  options: Parameters<typeof openSurgeonTestSystem>[0] = {},
): Promise<SurgeonTestSystem> {
  const system = await openSurgeonTestSystem(options);
  await system.start();
  system.startSurgeon();
  return system;
}

function untilCase(
  { store }: TestSystem,
  wanted: { runId: string; when: (one: WardCase) => boolean },
): Promise<CaseDetail> {
  const look = async (): Promise<CaseDetail> => {
    const { cases } = await findCases(store, { filter: { run_id: wanted.runId }, limit: 5 });
    const found = cases.find(wanted.when);
    if (found === undefined) throw new Error(`no such case, but ${JSON.stringify(cases, null, 1)}`);
    return getCase(store, found.case_id);
  };
  return vi.waitFor(look, { timeout: 60_000, interval: 10 });
}

/** Has a model's endpoint answer as the test says. */
function steer(model: ModelEndpoint): Endpoint {
  let thinking = 0;
  /** Its answers by message: several are asked about at once. */
  const repairs = new Map<string, unknown>();
  const endpoint: Endpoint = {
    url: model.url,
    questions: [],
    readings: [],
    read: (_, answered) => answered,
    refused: model.refused,
    delayMs: 0,
    atOnce: 0,
    answer: () => ({ verdict: "irreparable", payload: "", reason: "nothing to go by", recipe: null }),
  };
  model.behave = ({ body: { messages } }) => {
    // JSON that this repository wrote. A re-ask repeats the question before it says what was wrong.
    const input: Record<string, unknown> = JSON.parse(messages.find(isUsers)?.content ?? "{}");
    const isReading = "message" in input && !("problems" in input);
    (isReading ? endpoint.readings : endpoint.questions).push(input);
    thinking += 1;
    endpoint.atOnce = Math.max(endpoint.atOnce, thinking);
    // Between two marks, which are drawn for each question.
    const about = String(input["message"]).split("\n").slice(1, -1).join("\n");
    return async (response) => {
      await sleep(endpoint.delayMs);
      const answer = isReading ? endpoint.read(input, repairs.get(about)) : endpoint.answer(input);
      if (!isReading) repairs.set(about, answer);
      thinking -= 1;
      reply(response, answer);
    };
  };
  return endpoint;
}

const isUsers = ({ role }: { readonly role: string }): boolean => role === "user";

const TOKENS = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 };

function reply(response: ServerResponse, answer: unknown): void {
  if (typeof answer === "number") return void response.writeHead(answer).end("{}");
  if (typeof answer === "object" && answer !== null && "status" in answer && "error" in answer) {
    const { status, error } = answer;
    response.writeHead(Number(status), { "content-type": "application/json" });
    return void response.end(JSON.stringify({ error }));
  }
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  complete(response, { text, model: "gpt-5", usage: TOKENS });
}

/** The strong model's answer with a repair. */
export function repairWith(payload: unknown, recipe: unknown = null): Record<string, unknown> {
  return {
    verdict: "repaired",
    payload: JSON.stringify(payload),
    quotes: [],
    reason: "taken from the query",
    recipe: recipe === null ? null : JSON.stringify(recipe),
  };
}

/** Answers as a model that can read German, and copies all else. */
export function readGerman(input: Record<string, unknown>): Record<string, unknown> {
  const { bestellung, ...rest } = messageIn(input);
  return repairWith({ order_id: bestellung, ...rest });
}

/** The message that a question quotes. */
export function messageIn(input: Record<string, unknown>): Record<string, unknown> {
  // The tests' messages are objects.
  return JSON.parse(String(input["message"]).split("\n").slice(1, -1).join("\n")) as Record<string, unknown>;
}
