import { pino } from "pino";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope/keys";
import { createFirst } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import type { Envelope, FirstDraft } from "#shared/envelope";
import type { KeyGenerations } from "#shared/envelope/keys";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { createModelClient } from "#shared/model";
import type { ModelClient } from "#shared/model";
import { edgesOf, RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import type { RuntimeLimits, Team } from "#shared/runtime";
import { startAgents } from "#shared/runtime/process";
import type { RunningAgents } from "#shared/runtime/process";
import { Store } from "#shared/store";
import type { StoreOptions } from "#shared/store";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunRecord } from "#shared/store/runs";
import type { Admission } from "#shared/store/settlement";
import { takeInDeadMessages } from "#shared/ward";

type Accepting = Partial<Parameters<Store["runs"]["accept"]>[0]>;

/** A team on a real Redis, under a prefix of its own, with keys for every edge. */
export interface TestSystem {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly master: string;
  readonly team: Team;
  start(options?: Partial<Parameters<typeof startAgents>[0]>): Promise<RunningAgents>;
  /** Seals and accepts the first message of a run; delivers it. */
  submit(
    payload: unknown,
    draft?: Partial<FirstDraft>,
    accepting?: Accepting,
  ): Promise<{ runId: string; envelope: Envelope }>;
  /** Submits, and waits for the run to reach an end or one of the named states. */
  run(
    payload: unknown,
    draft?: Partial<FirstDraft>,
    statuses?: readonly RunRecord["status"][],
  ): Promise<RunRecord>;
  /** Waits for a run to reach an end or one of the named states. */
  until(runId: string, statuses?: readonly RunRecord["status"][]): Promise<RunRecord>;
}

export interface SystemOptions {
  readonly retry?: Partial<RuntimeLimits["retry"]>;
  /** Gets every dead message that the ward takes in, as it was admitted. */
  readonly admissions?: Admission[];
  /** Another Redis, say, or another way to it. */
  readonly store?: Partial<StoreOptions>;
  /** Takes dead messages in, as a surgeon does. Default true. */
  readonly takesIn?: boolean;
  /** Default: shared secrets. */
  readonly generations?: KeyGenerations;
}

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** A client that no test reaches: port 9 is closed, so that an unexpected call fails at once. */
export function unreachableModel(): ModelClient {
  return createModelClient({
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: "none",
    models: { router: "none", worker: "none", surgeon: "none" },
    timeoutMs: 1000,
    isRehearsal: false,
  });
}

/** Opens a team on a Redis, without agents at work. The caller closes it. */
export function openSystem(
  team: Team,
  place: { readonly redisUrl: string; readonly prefix: string },
  options: SystemOptions = {},
): TestSystem & { close(): Promise<void> } {
  const store = new Store({
    url: place.redisUrl,
    prefix: place.prefix,
    role: "worker",
    retentionMs: 3_600_000,
    ledgerLifeMs: 3_600_000,
    onError: () => undefined,
    ...options.store,
  });
  if (options.admissions !== undefined) collectAdmissions(store, options.admissions);
  const master = createMaster();
  const edges = edgesOf([team]);
  const generations = options.generations === undefined ? {} : { generations: options.generations };
  const agents = [...team.agents.keys(), "gateway", "surgeon", "console"];
  const keyring = Keyring.merge(
    agents.map((agent) => issueKeyring({ master, agent, edges, ...generations })),
  );
  const running: RunningAgents[] = [];
  const logger = pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
  const stopsTakingIn =
    options.takesIn === false
      ? []
      : store.shards.map((shard) => takeInDeadMessages({ store: shard, logger }));
  return {
    store,
    keyring,
    master,
    team,
    async start(more = {}) {
      const started = await startAgents({
        teams: [team],
        store,
        keyring,
        model: unreachableModel(),
        logger,
        limits: {
          ...RUNTIME_LIMITS_DEFAULT,
          retry: { ...RETRY_POLICY_DEFAULT, delayMs: 20, ...options.retry },
        },
        concurrency: 5,
        lockMs: 2000,
        stalledIntervalMs: 500,
        ...more,
      });
      running.push(started);
      return started;
    },
    submit: (payload, draft = {}, accepting = {}) =>
      submit({ store, keyring, team }, { payload, draft }, accepting),
    run: async (payload, draft = {}, statuses = ENDED_STATUSES) => {
      const { runId } = await submit({ store, keyring, team }, { payload, draft });
      return until(store, { runId, statuses });
    },
    until: (runId, statuses = ENDED_STATUSES) => until(store, { runId, statuses }),
    async close() {
      await Promise.all(running.map((one) => one.stop(0)));
      for (const stop of stopsTakingIn) stop();
      await store.close();
    },
  };
}

function collectAdmissions(store: Store, admissions: Admission[]): void {
  const write = store.cases.write.bind(store.cases);
  store.cases.write = async (change) => {
    const written = await write(change);
    const admitted =
      change.arrival === undefined ? undefined : change.sets[`message:${change.sets["messages"]}`];
    if (admitted !== undefined && written.kind === "written") admissions.push(JSON.parse(admitted));
    return written;
  };
}

async function submit(
  system: { store: Store; keyring: Keyring; team: Team },
  task: { payload: unknown; draft: Partial<FirstDraft> },
  accepting: Accepting = {},
): Promise<{ runId: string; envelope: Envelope }> {
  const { store, keyring, team } = system;
  const entry = team.entry;
  const envelope = createFirst({
    to: entry.id,
    contract: entry.accepts.id,
    payload: task.payload,
    traceparent: TRACEPARENT,
    ...task.draft,
  });
  const receiver = envelope.meta.target_agent.split("@")[0] ?? "";
  const sealed = seal({ envelope, queue: receiver, key: keyring.signing("gateway", receiver) });
  const accepted = await store.runs.accept({
    runId: envelope.meta.run_id,
    traceId: envelope.meta.trace_id,
    team: team.name,
    send: {
      lane: "fresh",
      agent: receiver,
      jobId: envelope.meta.message_id,
      data: { ...sealed.message },
      delayMs: 0,
      priority: "normal",
    },
    expiresMs: envelope.meta.expires_at === null ? null : Date.parse(envelope.meta.expires_at),
    idempotency: null,
    idempotencyLifeMs: 60_000,
    waitingMax: 1_000_000,
    ...accepting,
  });
  if (accepted.kind !== "accepted") throw new Error(`not accepted: ${accepted.kind}`);
  return { runId: envelope.meta.run_id, envelope };
}

/** Longest wait for a run, in ms. It is long because a busy machine is slow, not broken. */
const UNTIL_MS = 100_000;

async function until(
  store: Store,
  wanted: { runId: string; statuses: readonly RunRecord["status"][] },
): Promise<RunRecord> {
  const deadline = performance.now() + UNTIL_MS;
  for (;;) {
    const run = await store.runs.get(wanted.runId);
    if (wanted.statuses.includes(run.status)) return run;
    if (performance.now() > deadline) {
      const events = await store.runs.events(wanted.runId, { from: 0, limit: 100 });
      const told = events.map(
        (event) => `${event.agent ?? ""}:${event.type} ${JSON.stringify(event.detail)}`,
      );
      throw new Error(`run is ${run.status}, not ${wanted.statuses.join(" or ")}:\n${told.join("\n")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
