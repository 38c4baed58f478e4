import { expect, it, onTestFinished } from "vitest";
import { uuidv7 } from "#shared/clock";
import { loadConfig, Secret } from "#shared/config";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import { Metrics } from "#shared/telemetry";
import { AgentDirectory } from "../services/bridge/bridge.ts";
import { PeerLink } from "../services/bridge/link/peer-link.ts";
import { judgeNews } from "../services/bridge/receive/judge-news.ts";
import { openBridgedDeployment } from "./support/bridged-deployment.ts";
import type { BridgedDeployment } from "./support/bridged-deployment.ts";
import { createBridgedTeam } from "./support/bridged-team.ts";
import { SECRET } from "./support/two-clusters.ts";

/** What a peer with all its keys tells of runs that are kept here. It may tell of what was sent to it, and no more. */

const TEST_MS = 60_000;
const COMPLETED = { state: "closed", rank: rankOf.closed() } as const;

/** A change in the form in which it is told. */
function told(
  runId: string,
  messageId: string | null,
  more: Partial<Told> = {},
): Told & { readonly text: string[] } {
  const whole: Told = {
    id: uuidv7(),
    type: "completed",
    agent: "abroad-appraise",
    at: new Date().toISOString(),
    rank: String(COMPLETED.rank),
    state: "closed",
    opens: [],
    end: "",
    result: '"forged"',
    cost: "0",
    tokens: "0",
    ...more,
  };
  const { id, type, agent, at, rank, state, opens, end, result, cost, tokens } = whole;
  const event = { id, run_id: runId, type, at, message_id: messageId, agent, detail: {} };
  const opened = opens.flatMap(([message, receiver]) => [message, receiver]);
  const head = [
    id,
    JSON.stringify(event),
    messageId ?? "",
    rank,
    state,
    agent,
    String(opens.length),
    ...opened,
  ];
  return { ...whole, text: [...head, end, result, "", cost, tokens, "0"] };
}

interface Told {
  readonly id: string;
  readonly type: string;
  readonly agent: string;
  readonly at: string;
  readonly rank: string;
  readonly state: string;
  readonly opens: readonly (readonly [string, string])[];
  readonly end: string;
  readonly result: string;
  readonly cost: string;
  readonly tokens: string;
}

/** A home whose runs each have a message at the far side, which works on it as long as the test wants. */
async function openHome() {
  const metrics = new Metrics();
  const deployment = await openBridgedDeployment();
  const letGo = Promise.withResolvers<void>();
  onTestFinished(() => letGo.resolve());
  deployment.doings.pause = () => letGo.promise;
  await deployment.far.startBridge();
  await deployment.home.startBridge({ metrics });
  const url = `http://127.0.0.1:${deployment.home.config.port}`;
  const peer = { cluster: "home", url, agents: [], secrets: [new Secret(SECRET)] };
  const link = new PeerLink(peer, { cluster: "far", tls: null, requestMs: 5000 });
  onTestFinished(() => link.close());
  const tell = async (runId: string, ...changes: readonly { text: string[] }[]): Promise<number> => {
    const news = changes.map(({ text }) => ({ run_id: runId, change: text }));
    const body = Buffer.from(JSON.stringify({ told: news }));
    return (await link.post("/v1/news", body, AbortSignal.timeout(5000))).status;
  };
  return { ...deployment, metrics, letGo, tell };
}

/** A run of which one message is at work in the far cluster. @returns its ids. */
async function sendAcross({ home, submit }: BridgedDeployment, task: string) {
  const runId = await submit(task);
  const find = async () => {
    const messages = await home.system.store.runs.messages(runId);
    return messages.find(({ agent, state }) => agent === "abroad-appraise" && state === "away");
  };
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  const messages = await home.system.store.runs.messages(runId);
  const first = messages.find(({ agent }) => agent === "abroad-intake")?.message_id ?? "";
  return { runId, away: (await find())?.message_id ?? "", first };
}

it(
  "applies nothing that a peer tells of a message that is not its own, or that cannot be",
  { timeout: TEST_MS },
  async () => {
    const deployment = await openHome();
    const one = await sendAcross(deployment, "t-1");
    const other = await sendAcross(deployment, "t-2");
    const { runId, away } = one;
    const dayAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const hourAhead = new Date(Date.now() + 3_600_000).toISOString();
    const acts: [string, number, ReturnType<typeof told>][] = [
      ["early", 425, told(runId, uuidv7())],
      ["message_unknown", 200, told(runId, uuidv7(), { at: dayAgo })],
      ["message_unknown", 200, told(runId, uuidv7(), { agent: "abroad-intake" })],
      ["early", 425, told(runId, other.away)],
      ["not_theirs", 200, told(runId, one.first, { agent: "abroad-intake" })],
      ["not_theirs", 200, told(runId, null, { state: "", rank: "0", agent: "" })],
      [
        "not_theirs",
        200,
        told(runId, null, { state: "", rank: "0", agent: "", type: "ended", end: "failed" }),
      ],
      ["run_unknown", 200, told(uuidv7(), away)],
      ["implausible", 200, told(runId, away, { at: hourAhead })],
      ["implausible", 200, told(runId, away, { at: "" })],
      ["implausible", 200, told(runId, away, { cost: "5000000000" })],
      ["implausible", 200, told(runId, away, { tokens: "900000000000" })],
      ["implausible", 200, told(runId, away, { result: JSON.stringify("x".repeat(70_000)) })],
      ["implausible", 200, told(runId, away, { state: "", rank: "0" })],
      [
        "implausible",
        200,
        told(runId, away, { end: "undo_failed", result: "", state: "quarantined", rank: "1" }),
      ],
      ["implausible", 200, told(runId, away, { agent: "abroad-report" })],
      ["implausible", 200, told(runId, away, { opens: [[uuidv7(), "nobody"]] })],
      ["", 422, told(runId, away, { cost: "-5" })],
    ];
    const counted: Record<string, number> = {};
    for (const [reason, status, act] of acts) {
      const run = JSON.parse(act.text[1] ?? "{}").run_id as string;
      expect([reason, await deployment.tell(run, act)]).toEqual([reason, status]);
      if (reason !== "") counted[reason] = (counted[reason] ?? 0) + 1;
    }
    for (const id of [runId, other.runId])
      expect(await deployment.home.system.store.runs.get(id)).toMatchObject({
        status: "running",
        result: null,
        cost: 0,
      });
    const text = await deployment.metrics.render();
    for (const [reason, count] of Object.entries(counted))
      expect(text).toContain(`suture_bridge_news_refused_total{cluster="far",reason="${reason}"} ${count}\n`);
    deployment.letGo.resolve();
    for (const { runId: id } of [one, other])
      expect(await deployment.home.system.until(id)).toMatchObject({
        status: "completed",
        result: { grade: "a" },
      });
  },
);

it("takes one outcome of a message, whatever comes after it or beside it", { timeout: TEST_MS }, async () => {
  const deployment = await openHome();
  const { runId, away, first } = await sendAcross(deployment, "t-1");
  const real = told(runId, away, { result: '"first"', cost: "1000" });
  const beside = Array.from({ length: 5 }, () => deployment.tell(runId, real));
  expect(await Promise.all(beside)).toEqual([200, 200, 200, 200, 200]);
  const second = told(runId, away, { result: '"second"', cost: "1000" });
  const opening = told(runId, away, { type: "handed_off", result: "", opens: [[first, "abroad-intake"]] });
  const failing = told(runId, away, { type: "discarded", end: "failed", result: "" });
  expect(await Promise.all([second, opening, failing].map((act) => deployment.tell(runId, act)))).toEqual([
    200, 200, 200,
  ]);
  expect(await deployment.tell(runId, told(runId, first, { agent: "abroad-intake" }))).toBe(200);
  const run = await deployment.home.system.store.runs.get(runId);
  expect(run).toMatchObject({ status: "completed", result: "first", cost: 0.001 });
});

it("lets one peer tell nothing of what another one has, nor of a run that is kept elsewhere", () => {
  const secrets = ["A".repeat(43)];
  const peers = [
    { cluster: "east", url: "http://127.0.0.1:9", secrets, agents: ["abroad-appraise"] },
    { cluster: "west", url: "http://127.0.0.1:9", secrets, agents: ["abroad-archive"] },
  ];
  const env = { SUTURE_BRIDGE_CLUSTER: "home", SUTURE_BRIDGE_PEERS: JSON.stringify(peers) };
  const team = createBridgedTeam({ effects: [], pause: null });
  const directory = new AgentDirectory({
    config: { ...loadConfig(env).bridge, cluster: "home" },
    teams: [team],
  });
  const judge = (
    from: string,
    changes: readonly RunChange[],
    more: { isKept?: boolean; events?: string[] } = {},
  ) =>
    judgeNews(changes, {
      from,
      directory,
      record: {
        isKept: more.isKept ?? true,
        held: new Map([["m-1", { rank: 1, state: "away", agent: "abroad-appraise" }]]),
        events: new Set(more.events),
      },
      waitMs: 1000,
      resultBytesMax: 1000,
    }).map(({ verdict }) => verdict);
  const change = (id: string, agent: string, more: Partial<RunChange> = {}): RunChange => ({
    event: {
      id: `${id}/completed`,
      run_id: "r",
      type: "completed",
      at: new Date().toISOString(),
      message_id: id,
      agent,
      detail: {},
    },
    moves: COMPLETED,
    ...more,
  });
  const result = change("m-1", "abroad-appraise", { result: "x" });
  expect(judge("west", [result])).toEqual(["not_theirs"]);
  expect(judge("east", [result], { isKept: false })).toEqual(["run_unknown"]);
  expect(judge("east", [result], { events: ["east/m-1/outcome"] })).toEqual(["known"]);
  // What east's agent makes for west's is east's to tell of by what it opened, in that order; and west's from then on.
  const opens = [{ message_id: "m-2", agent: "abroad-archive" }];
  const handedOff = change("m-1", "abroad-appraise", { opens });
  const next = change("m-2", "abroad-archive");
  expect(judge("east", [handedOff, next])).toEqual(["apply", "apply"]);
  expect(judge("west", [next])).toEqual(["early"]);
  // To name a message of another peer as one's own gives no say in it.
  const steals = change("m-3", "abroad-archive", {
    opens: [{ message_id: "m-1", agent: "abroad-appraise" }],
  });
  expect(judge("west", [steals, result])).toEqual(["early", "not_theirs"]);
  expect(judge("east", [result, change("m-1", "abroad-appraise", { result: "y" })])).toEqual([
    "apply",
    "after_end",
  ]);
});
