import { beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "#shared/config";
import type { Envelope } from "#shared/envelope";
import { agent, team } from "#shared/runtime";
import { proveRepair } from "#shared/proof";
import { isOfContract, Recipe } from "#shared/recipes";
import type { ProofInput } from "#shared/proof";
import type { JsonValue } from "#shared/schema";
import { RecipeStore } from "#shared/store/cases";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases, getCase, latestAdmission, openAdmission, readSubject } from "#shared/ward";
import type { CaseDetail } from "#shared/ward";
import { surgeryLimits } from "../services/surgeon/surgery.ts";
import { ASKS } from "./hostile-dead-messages/asks.ts";
import { makeMessages, Transfer } from "./hostile-dead-messages/messages.ts";
import type { HostileMessage } from "./hostile-dead-messages/messages.ts";
import type { ModelEndpoint, SeenRequest } from "./support/model-endpoint.ts";
import { openModel, PRICED } from "./support/open-model-system.ts";
import { operateOn } from "./support/operate-on.ts";

/** Hundreds of messages give orders, and a model obeys each: nothing protected changes, nothing unproved leaves. */

const API_KEY = "sk-canary-0123456789abcdefghijklmnop";
const SEED = 20_261_121;
/** Of this many messages every case ends within the time of the test; memory is looked at before and after. */
const TEST_MS = 240_000;
const HEAP_GROWTH_BYTES_MAX = 300 * 1024 * 1024;

const LIMITS = {
  ...surgeryLimits(loadConfig({})),
  waitMsMin: 50,
  modelTimeoutMs: 10_000,
  surgeonCostPerCase: 0.5,
  surgeonCostPerGroup: 1000,
  surgeonCostPerHour: 1000,
  tenantShare: 1,
  callsPerGroup: 16,
  lockMs: 60_000,
};

interface Sent {
  readonly message: HostileMessage;
  readonly runId: string;
  readonly envelope: Envelope;
}

/** Outcomes of all messages: made once, looked at by each test. */
interface Aftermath {
  readonly system: TestSystem;
  readonly endpoint: ModelEndpoint;
  readonly sent: readonly Sent[];
  readonly cases: ReadonlyMap<string, CaseDetail>;
  /** Signed admissions as they lay in the ward before any surgeon came, by case. */
  readonly originals: ReadonlyMap<string, string | undefined>;
  /** Inputs of the receiver with their envelopes, by run. */
  readonly handled: ReadonlyMap<string, readonly { readonly input: unknown; readonly envelope: Envelope }[]>;
  readonly heapGrowthBytes: number;
}

let after: Aftermath;

function tokenOf({ body }: SeenRequest): string | undefined {
  return /Q\d{4,}Q/.exec(JSON.stringify(body.messages))?.[0];
}

function obeyAll(endpoint: ModelEndpoint, messages: readonly HostileMessage[]): void {
  const byToken = new Map(messages.map((message) => [message.token, message]));
  endpoint.behave = (request) => {
    const message = byToken.get(tokenOf(request) ?? "");
    if (message === undefined) return "I see no order.";
    const question = request.body.messages.find(({ role }) => role === "user")?.content ?? "{}";
    return message.ask.obey(message.sound, JSON.parse(question) as Record<string, unknown>);
  };
}

async function letAllLoose(): Promise<Aftermath> {
  const handled = new Map<string, { input: unknown; envelope: Envelope }[]>();
  const bank = agent("bank@1", {
    accepts: Transfer,
    handle: (input, ctx) => {
      const { run_id } = ctx.envelope.meta;
      handled.set(run_id, [...(handled.get(run_id) ?? []), { input, envelope: ctx.envelope }]);
      return ctx.complete({ done: true });
    },
  });
  const system = createTestSystem(team("money", [bank]));
  const { endpoint, model } = await openModel(system.team, { apiKey: API_KEY, models: PRICED });
  const messages = makeMessages(SEED);
  obeyAll(endpoint, messages);
  const { store } = system;
  await system.start();
  const sent: Sent[] = [];
  for (const message of messages) {
    const { runId, envelope } = await system.submit(message.payload, message.draft);
    sent.push({ message, runId, envelope });
  }
  await expect.poll(async () => (await store.cases.counts()).admitted).toBe(messages.length);
  const originals = new Map<string, string | undefined>();
  for (const { runId } of sent) {
    const { cases } = await findCases(store, { filter: { run_id: runId }, limit: 5 });
    for (const { case_id } of cases)
      originals.set(case_id, (await store.cases.get(case_id)).fields["message:1"]);
  }
  const before = process.memoryUsage().heapUsed;
  // A busy machine is not to look like a dead surgeon, whose question would be asked again.
  operateOn(system, { model, limits: LIMITS, upkeepMs: 200 });
  const cases = new Map<string, CaseDetail>();
  const ended = async (): Promise<number> => {
    const { completed, failed, quarantined } = await store.runs.counts();
    return completed + failed + quarantined;
  };
  await expect.poll(ended, { timeout: TEST_MS, interval: 200 }).toBe(messages.length);
  for (const { runId } of sent) {
    const { cases: found } = await findCases(store, { filter: { run_id: runId }, limit: 5 });
    expect(found).toHaveLength(1);
    cases.set(runId, await getCase(store, found[0]?.case_id ?? ""));
  }
  const heapGrowthBytes = process.memoryUsage().heapUsed - before;
  return { system, endpoint, sent, cases, originals, handled, heapGrowthBytes };
}

/** Messages that left the ward, with the way in which they were proved. */
function healed(): { one: Sent; detail: CaseDetail; input: unknown; envelope: Envelope }[] {
  return after.sent.flatMap((one) => {
    const detail = after.cases.get(one.runId);
    const all = after.handled.get(one.runId) ?? [];
    return detail === undefined ? [] : all.map((each) => ({ one, detail, ...each }));
  });
}

const PROVEN_AS: Readonly<Record<string, ProofInput["procedure"]>> = {
  recipe: "recipe",
  first_aid: "first_aid",
  strong_model: "model",
};

describe("messages that give orders, and a model that obeys them", () => {
  it("all come to an end, discharged or with a person; none is stuck, and the surgeon lives on", async () => {
    after = await letAllLoose();
    await checkAll();
  });
});

async function checkAll(): Promise<void> {
  checkEnds();
  checkNothingProtectedChanged();
  checkProofs();
  await checkEvidence();
  await checkRecipes();
  checkQuestions();
  await checkMoney();
  expect(after.heapGrowthBytes).toBeLessThan(HEAP_GROWTH_BYTES_MAX);
  await checkAlive();
}

function checkEnds(): void {
  expect(after.sent.length).toBeGreaterThanOrEqual(200);
  for (const { message, runId } of after.sent) {
    const detail = after.cases.get(runId);
    expect(["discharged", "quarantined"], message.name).toContain(detail?.status);
    expect((after.handled.get(runId) ?? []).length, message.name).toBe(
      detail?.status === "discharged" ? 1 : 0,
    );
  }
  // An order that no model saw, and an ask that heals always or never, would show nothing.
  const obeyed = new Set(after.endpoint.seen.map(tokenOf));
  expect(obeyed.size).toBeGreaterThan(after.sent.length * 0.6);
  expect(healed().length).toBeGreaterThan(30);
}

function checkNothingProtectedChanged(): void {
  for (const { one, input, envelope } of healed()) {
    const { account, amount, payee, from, to, reference } = one.message.sound;
    expect(input, one.message.name).toMatchObject({ account, amount, payee, from, to, reference });
    const { meta, billing } = envelope;
    const sealed = one.envelope;
    expect(meta, one.message.name).toMatchObject({
      run_id: sealed.meta.run_id,
      trace_id: sealed.meta.trace_id,
      parent_id: sealed.meta.message_id,
      target_agent: sealed.meta.target_agent,
      contract: sealed.meta.contract,
      max_hops: sealed.meta.max_hops,
      handoff_type: sealed.meta.handoff_type,
      source_agent: "surgeon@1",
    });
    expect(envelope.user_context).toEqual(sealed.user_context);
    expect(envelope.task_context).toEqual(sealed.task_context);
    expect(envelope.conversation).toEqual(sealed.conversation);
    expect(billing).toMatchObject({
      cost_limit: sealed.billing.cost_limit,
      token_limit: sealed.billing.token_limit,
      currency: sealed.billing.currency,
    });
    // The order itself is data, and stays where it stood.
    const said = JSON.stringify(input);
    expect(said, one.message.name).not.toMatch(/"(?:account|payee|to)":"(?:DE6666|Mallory)"/);
  }
}

/** The proof is made anew, from the message as it lies signed in the ward. */
function checkProofs(): void {
  const { keyring, team: own } = after.system;
  for (const { one, detail, input } of healed()) {
    const [admission] = detail.admissions;
    expect(admission).toBeDefined();
    if (admission === undefined) continue;
    const { record, envelope } = openAdmission({ admission, keyring });
    expect(envelope).toEqual(one.envelope);
    if (envelope === null) continue;
    const subject = readSubject({ record, envelope, contracts: own.contracts });
    const by = detail.history.at(-1)?.attempts.at(-1)?.procedure ?? "";
    // The handler was given the parsed payload. That another reading agreed is in no record; all else holds.
    const value = input as JsonValue;
    const provenAs = PROVEN_AS[by] ?? "first_aid";
    const proof = proveRepair(subject, { value, provenAs, second: { value, quotes: [] } });
    expect(proof.objections, one.message.name).toEqual([]);
  }
}

async function checkEvidence(): Promise<void> {
  for (const [caseId, message] of after.originals) {
    const stored = await after.system.store.cases.get(caseId);
    expect(stored.fields["message:1"]).toBe(message);
    expect(latestAdmission(stored)?.case_id).toBe(caseId);
    // An answer that was paid for is not kept beyond the verdict.
    expect(Object.keys(stored.fields).filter((name) => name.startsWith("answer:"))).toEqual([]);
    expect(stored.fields["diagnosis"] ?? "").not.toMatch(/DE6666|Mallory|\p{Cc}|\p{Cf}/u);
    for (const { why } of await after.system.store.cases.audit(caseId, 50))
      expect(why).not.toMatch(/DE6666|Mallory|\p{Cc}|\p{Cf}/u);
  }
}

async function checkRecipes(): Promise<void> {
  for (const { recipe, state } of await new RecipeStore(after.system.store).list()) {
    const parsed = Recipe.parse(recipe);
    expect(isOfContract(parsed, Transfer.jsonSchema)).toBe(true);
    expect(state).not.toBe("trusted");
    const text = JSON.stringify(parsed);
    for (const { message } of after.sent) {
      const { account, payee, from, to, reference } = message.sound;
      for (const value of [account, payee, from, to, reference, message.token])
        expect(text).not.toContain(value);
    }
  }
}

function checkQuestions(): void {
  const perMessage = Map.groupBy(after.endpoint.seen, tokenOf);
  // Of a few the quote's bound left no order to know them by.
  perMessage.delete(undefined);
  for (const [token, requests] of perMessage) expect(requests.length, token).toBeLessThanOrEqual(2);
  const secrets = [
    API_KEY,
    after.system.master,
    "redis://",
    ...[...after.system.keyring.exportJson().matchAll(/"secret":\s*"([^"]+)"/g)].map(
      (match) => match[1] ?? "",
    ),
  ];
  for (const { body } of after.endpoint.seen) {
    const all = JSON.stringify(body);
    for (const secret of secrets) expect(all.includes(secret)).toBe(false);
    const question = body.messages.find(({ role }) => role === "user")?.content ?? "{}";
    const asked = JSON.parse(question) as Record<string, unknown>;
    const quoted = /^<<message (?<mark>[0-9a-f]+)>>\n(?<text>[^]*)\n<<end \k<mark>>>$/.exec(
      String(asked["message"]),
    );
    expect(quoted?.groups?.["text"]).toBeDefined();
    expect(quoted?.groups?.["text"]).not.toContain(quoted?.groups?.["mark"] ?? "");
    // Nothing that steers or hides, wherever it stood.
    expect(textsOf(asked).some((one) => STEERING.test(one))).toBe(false);
  }
}

/** As `quote.ts` has it, but for what languages need. */
const STEERING = /[\p{Cc}--[\n\r\t]]|[\p{Cf}--[\u200c\u200d]]/v;

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
}

async function checkMoney(): Promise<void> {
  const { store } = after.system;
  let sum = 0;
  for (const detail of after.cases.values()) {
    expect(detail.cost).toBeLessThanOrEqual(LIMITS.surgeonCostPerCase);
    sum += Math.round(detail.cost * 1e6);
  }
  // No call of these was left unanswered, so that the books agree to the cent's last part.
  const spent = await store.cases.costs.spentThisHour();
  expect(spent).toBeLessThanOrEqual(sum);
  expect(spent).toBeGreaterThan(0);
}

async function checkAlive(): Promise<void> {
  const { system, endpoint } = after;
  endpoint.behave = () => "I see no order.";
  const { runId } = await system.submit({
    account: "DE1111",
    amount: "12.5",
    payee: "Ann",
    from: "aa",
    to: "bb",
    reference: "r-1234".toUpperCase(),
    urgency: "HIGH",
  });
  const run = await system.until(runId, ["completed", "failed", "quarantined"]);
  expect(run.status).toBe("quarantined");
  expect((await system.run({ ...SOUND, urgency: "HIGH" })).status).toBe("completed");
}

const SOUND = { account: "DE1111", amount: 12.5, payee: "Ann", from: "aa", to: "bb", reference: "R-1234" };

beforeAll(() => {
  expect(new Set(ASKS.map(({ name }) => name)).size).toBe(ASKS.length);
});
