import { StandInCalls } from "#shared/runtime/tools";
import type {
  StandIn,
  Agent,
  Context,
  Gathered,
  HandlerOutcome,
  HandoffOptions,
  ModelRequest,
  OnceOptions,
  Team,
} from "#shared/runtime";
import type { StandInTools, Tool } from "#shared/runtime/tools";
import pino from "pino";
import { timestamp, uuidv7 } from "#shared/clock";
import { checkPayload } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import { createFirst } from "#shared/envelope";
import type { Branch } from "#shared/envelope";
import { newTraceparent } from "#shared/telemetry";

export interface AskedModel {
  readonly agent: string;
  readonly step: string;
  readonly instructions: string;
  readonly input: unknown;
}

interface Delivery {
  readonly run_id: string;
  readonly message_id: string;
  readonly contract: string;
  readonly payload: unknown;
  /** When the message was sent, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Set in a branch of a fan-out. */
  readonly branch: Branch | undefined;
  /** Set for a join whose branches are back. */
  readonly gathered: Gathered | undefined;
}

type FanOutDraft = Extract<HandlerOutcome, { readonly kind: "fanned_out" }>["fanOut"];

const HOPS_MAX = 40;

/** The run that a message belongs to, with every agent that it passed; of a branch, which one. */
interface Way extends Pick<Partial<Delivery>, "branch"> {
  readonly run_id: string;
  readonly path: string[];
}

/** Runs a team in memory with what a worker guarantees; stand-ins answer for models, or a test for single steps. */
export class MemoryRuntime {
  readonly asked: AskedModel[] = [];
  /** Answers by `agent/step` that take the place of the stand-in's. */
  readonly answers = new Map<string, unknown>();
  readonly team: Team;
  private readonly recorded = new Map<string, unknown>();
  private readonly effects = new Map<string, { readonly done: boolean; readonly value?: unknown }>();

  constructor(team: Team) {
    this.team = team;
  }

  /** Delivers one message to one agent. A repeat with the same `message_id` reads the recorded steps. */
  async deliver(name: string, payload: unknown, options: Partial<Delivery> = {}): Promise<HandlerOutcome> {
    const receiver = this.agent(name);
    const delivery = {
      run_id: options.run_id ?? uuidv7(),
      message_id: options.message_id ?? uuidv7(),
      contract: options.contract ?? receiver.accepts.id,
      payload,
      atMs: options.atMs ?? Date.parse(timestamp()),
      branch: options.branch,
      gathered: options.gathered,
    };
    const { accepts } = receiver;
    const input = checkPayload(accepts, this.team.contracts.upcast(delivery.contract, accepts, payload));
    return receiver.options.handle(input, this.contextOf(receiver, delivery));
  }

  /** Runs a task from the team's entry to its end, branches one after the other. */
  async run(task: unknown): Promise<{
    readonly path: readonly string[];
    readonly result: Readonly<Record<string, unknown>>;
  }> {
    const { name } = this.team.entry;
    const way = { run_id: uuidv7(), path: [name] };
    const outcome = await this.follow(await this.deliver(name, task, way), way);
    const { path } = way;
    if (outcome.kind !== "completed") throw new Error(`${outcome.kind} by ${path.at(-1) ?? "nobody"}`);
    // Every agent of these teams completes with an object.
    return { path, result: outcome.result as Record<string, unknown> };
  }

  /** Follows handoffs to an end; in a branch, to the handoff that its join waits for. */
  private async follow(first: HandlerOutcome, way: Way): Promise<HandlerOutcome> {
    let outcome = first;
    while (outcome.kind === "handed_off") {
      const [handoff] = outcome.handoffs;
      if (handoff === undefined || way.path.length > HOPS_MAX) throw new Error("no end");
      if (handoff.to === way.branch?.join) return outcome;
      way.path.push(handoff.to);
      outcome = await this.deliver(handoff.to, handoff.payload, { ...way, contract: handoff.contract.id });
    }
    return outcome.kind === "fanned_out" ? this.gather(outcome.fanOut, way) : outcome;
  }

  private async gather({ branches, join }: FanOutDraft, way: Way): Promise<HandlerOutcome> {
    const answers: Gathered["answers"][number][] = [];
    for (const [index, draft] of branches.entries()) {
      const branch = { fan_out: "fan-out", index, join: join.to };
      const end = await this.follow({ kind: "handed_off", handoffs: [draft] }, { ...way, branch });
      const [answer] = end.kind === "handed_off" ? end.handoffs : [];
      if (answer !== undefined) {
        const value = checkPayload(answer.contract, answer.payload);
        answers.push({ index, agent: draft.to, value });
      }
    }
    way.path.push(join.to);
    const gathered = { answers, failures: [], isMet: true, total: branches.length };
    const options = { run_id: way.run_id, contract: join.contract.id, gathered };
    return this.follow(await this.deliver(join.to, join.payload, options), way);
  }

  private agent(name: string): Agent {
    const found = this.team.agents.get(name);
    if (found === undefined) throw new Error(`the team has no ${name}`);
    return found;
  }

  private contextOf(receiver: Agent, delivery: Delivery): Context {
    const memo = async <Value>(step: string, work: () => Promise<Value> | Value): Promise<Value> => {
      const key = `${delivery.message_id}/${step}`;
      if (!this.recorded.has(key)) this.recorded.set(key, asJson(await work()));
      // Recorded by the same step of the same message, so it is of the step's type.
      return this.recorded.get(key) as Value;
    };
    const { signal } = new AbortController();
    return {
      envelope: envelopeOf(receiver, delivery),
      preferences: {},
      constraints: {},
      signal,
      log: pino({ level: "silent" }),
      step: (name, work) => memo(`step/${name}`, () => work(signal)),
      once: (key, act, options) =>
        this.once(`${options?.scope === "agent" ? "" : delivery.run_id}/${receiver.name}/${key}`, {
          act,
          options,
          signal,
        }),
      model: (step, request) => memo(`model/${step}`, () => this.answer(receiver, step, request)),
      remote: () => Promise.reject(new Error("nobody in this team asks a remote agent")),
      board: () => {
        throw new Error("nobody in this team writes on a board");
      },
      gathered: () => {
        if (delivery.gathered === undefined) throw new Error(`${receiver.name} waits for no branches`);
        return delivery.gathered;
      },
      handoff: (to: unknown, payload: unknown, options: HandoffOptions = {}) => {
        if (typeof to !== "string") throw new Error("nobody in this team hands on by capability");
        const contract = receiver.to[to];
        if (contract === undefined) throw new Error(`${receiver.name} may not hand to ${to}`);
        checkPayload(contract, payload);
        return { kind: "handed_off", handoffs: [{ to, contract, payload: asJson(payload), options }] };
      },
      approve: () => Promise.reject(new Error("this runtime asks nobody to approve")),
      tokenCounter: () => Promise.resolve((text) => Math.ceil(text.length / 4)),
      // As the runtime gives it back, of the same type.
      complete: <Result>(result: Result) => ({ kind: "completed", result: asJson(result) as Result }),
      reject: (reason) => ({ kind: "rejected", reason }),
    };
  }

  private async once<Value>(key: string, effect: Effect<Value>): Promise<Value> {
    const before = this.effects.get(key);
    // Written under the same key by the same kind of effect.
    if (before?.done === true) return before.value as Value;
    if (before !== undefined) {
      if (effect.options?.reconcile === undefined) throw new Error("the effect is uncertain");
      const found = await effect.options.reconcile(key, effect.signal);
      if (found.done) return this.finish(key, found.value);
    }
    this.effects.set(key, { done: false });
    return this.finish(key, await effect.act(key, effect.signal));
  }

  private finish<Value>(key: string, value: Value): Value {
    this.effects.set(key, { done: true, value: asJson(value) });
    return value;
  }

  private async answer<C extends Contract>(
    receiver: Agent,
    step: string,
    request: ModelRequest<C>,
  ): Promise<ContractOutput<C>> {
    const input = asJson(request.input);
    this.asked.push({ agent: receiver.name, step, instructions: request.instructions, input });
    const standIn = receiver.options.standIns?.[step];
    const own = `${receiver.name}/${step}`;
    if (standIn === undefined && !this.answers.has(own)) throw new Error(`no stand-in for ${own}`);
    const { tools } = request;
    const answer =
      standIn === undefined || this.answers.has(own)
        ? this.answers.get(own)
        : await askStandIn(standIn, { input, tools });
    if (receiver.options.answers?.includes(request.answers) !== true)
      throw new Error(`${own} is not declared`);
    return checkPayload(request.answers, asJson(answer));
  }
}

interface Effect<Value> {
  readonly act: (idempotencyKey: string, signal: AbortSignal) => Promise<Value>;
  readonly options: OnceOptions<Value> | undefined;
  readonly signal: AbortSignal;
}

/** Through the wire and back: what is not JSON does not survive it, and absent fields stay absent. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function envelopeOf(
  receiver: Agent,
  { run_id, message_id, contract, payload, atMs, branch }: Delivery,
): Context["envelope"] {
  const envelope = createFirst({
    to: receiver.id,
    contract,
    payload,
    runId: run_id,
    traceparent: newTraceparent(),
    ttlMs: null,
  });
  const marks = branch === undefined ? {} : { branch };
  return { ...envelope, meta: { ...envelope.meta, ...marks, message_id, timestamp: timestamp(atMs) } };
}

/** Asks a stand-in for its answer as a model step does, and runs the tools that it calls before, without records. */
async function askStandIn(
  standIn: StandIn,
  { input, tools = [] }: { readonly input: unknown; readonly tools?: readonly Tool[] | undefined },
): Promise<unknown> {
  const results: StandInTools["results"][number][] = [];
  const offered = tools.map(({ name }) => name);
  for (;;) {
    // A stand-in takes the input of its own step, which is what its agent passed.
    const answer = await standIn(input as never, () => 0.5, [], { offered, results: [...results] });
    if (!(answer instanceof StandInCalls)) return answer;
    for (const call of answer.calls) {
      const prepared = tools.find(({ name }) => name === call.tool)?.prepare(call.arguments);
      if (prepared === undefined || "issues" in prepared) throw new Error(`a bad call of ${call.tool}`);
      const { signal } = new AbortController();
      const outcome = await prepared.run({ signal, idempotencyKey: "test" }).then(
        (checked) => (checked.ok ? { status: "done", output: checked.value } : { status: "failed" }),
        () => ({ status: "failed" }),
      );
      results.push({ ...call, outcome });
    }
    if (results.length > 32) throw new Error("the stand-in calls without end");
  }
}
