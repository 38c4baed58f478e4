import { seal } from "#shared/envelope/seals";
import { volumeOf } from "../../infra/deploy/stack.ts";
import { OWN } from "./act.ts";
import type { Act, Aim, Attacker } from "./act.ts";

type Door = "gateway" | "console";

interface Request {
  readonly door: Door;
  readonly method?: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/** Each a request that the agent sends over the network that it is on, to doors that it has no credential for. */
const REQUESTS: readonly [Aim, string, (attacker: Attacker) => Request][] = [
  ["read", "another's run", ({ victims }) => ({ door: "gateway", path: `/v1/runs/${victims.paid}` })],
  ["read", "what people did", () => ({ door: "console", path: "/v1/audit/people" })],
  [
    "forge",
    "hands work to who pays",
    () => ({
      door: "gateway",
      method: "POST",
      path: "/v1/handoffs",
      body: { target_agent: "refunds", contract: "refunds.request@2", data_payload: {} },
    }),
  ],
  [
    "delete",
    "cancels another's run",
    ({ victims }) => ({ door: "gateway", method: "POST", path: `/v1/runs/${victims.mail}/cancel`, body: {} }),
  ],
  [
    "decide",
    "releases another's case",
    ({ victims }) => ({
      door: "console",
      method: "POST",
      path: `/v1/ward/cases/${victims.waitingCase}/release`,
      body: { why: "x" },
    }),
  ],
  [
    "decide",
    "pauses who pays",
    () => ({ door: "console", method: "POST", path: "/v1/queues/refunds/pause", body: { why: "x" } }),
  ],
  [
    "approve",
    "another's case",
    ({ victims }) => ({
      door: "console",
      method: "POST",
      path: `/v1/ward/cases/${victims.waitingCase}/approve`,
      body: { why: "x" },
    }),
  ],
  [
    "approve",
    "a recipe",
    () => ({
      door: "console",
      method: "POST",
      path: "/v1/recipes/operations%2F*%2Foperations.request@1/approve",
      body: { why: "x" },
    }),
  ],
  [
    "spend",
    "has the surgeon operate again",
    ({ victims }) => ({
      door: "console",
      method: "POST",
      path: `/v1/ward/cases/${victims.waitingCase}/operate`,
      body: { why: "x" },
    }),
  ],
];

async function ask(attacker: Attacker, request: Request, headers: Record<string, string>): Promise<number> {
  const { door, method = "GET", path, body } = request;
  const answer = await fetch(attacker.cluster[door].url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.body?.cancel();
  return answer.status;
}

const WITHOUT_CREDENTIALS: readonly Act[] = REQUESTS.map(([aim, name, requestOf]) => ({
  aim,
  name: `${name}, with no credential`,
  refused: { by: "door", statuses: [401], isListed: false },
  attempt: (attacker) => ask(attacker, requestOf(attacker), {}),
}));

/** It has a password, of Redis. */
const WITH_ITS_OWN_SECRETS: readonly Act[] = (["gateway", "console"] as const).map((door) => ({
  aim: "impersonate",
  name: `a client of the ${door}, with the agent's own password`,
  refused: { by: "door", statuses: [401], isListed: true },
  attempt: (attacker) => {
    const { password } = attacker.cluster.loginOf(`agent-${OWN}`);
    const path = door === "gateway" ? "/v1/runs" : "/v1/overview";
    return ask(attacker, { door, path }, { authorization: `Bearer ${password}` });
  },
}));

/** Lines of a shell in the agent's container, as its user. What they write to their output, they have got. */
const LINES: readonly [Aim, string, (attacker: Attacker) => [line: string, ...args: string[]]][] = [
  ["escape", "reads keys of other agents", () => ['cat "$1"/*', volumeOf("secrets-agent-refunds")]],
  ["escape", "reads the surgeon's keys", () => ['cat "$1"/*', volumeOf("secrets-surgeon")]],
  ["escape", "reads the master", () => ['cat "$1/keys/master"', volumeOf("data")]],
  ["escape", "reads the users of Redis", () => ['cat "$1"/*', volumeOf("secrets-redis")]],
  [
    "escape",
    "reads the environment of the surgeon",
    ({ cluster: { pids } }) => ['cat "/proc/$1/environ"', String(pids.surgeon)],
  ],
  [
    "escape",
    "opens the inspector of who pays",
    ({ cluster: { pids } }) => ['kill -USR1 "$1" && echo done', String(pids["agent-refunds"])],
  ],
  [
    "escape",
    "ends the surgeon",
    ({ cluster: { pids } }) => ['kill -KILL "$1" && echo done', String(pids.surgeon)],
  ],
  ["escape", "changes the code that all run", () => ["echo x >> shared/envelope/index.ts && echo done"]],
  ["escape", "changes its own keys", () => ["echo x >> /run/secrets/keys.json && echo done"]],
  ["escape", "becomes root", () => ["setpriv --reuid=0 --clear-groups echo done"]],
  [
    "spend",
    "writes down a payment",
    () => ['echo "{}" >> "$1/sandbox.jsonl" && echo done', volumeOf("sandbox")],
  ],
  [
    "decide",
    "makes itself a session of the console",
    () => ['touch "$1/sessions.json" && echo done', volumeOf("console")],
  ],
];

const ON_THE_MACHINE: readonly Act[] = LINES.map(([aim, name, lineOf]) => ({
  aim,
  name,
  refused: { by: "kernel" },
  attempt: (attacker) => attacker.shell(...lineOf(attacker)),
}));

const WITH_ITS_KEYS: readonly Act[] = [
  {
    aim: "forge",
    name: "seals as triage to who pays",
    refused: { by: "keys" },
    attempt: async ({ ring, hold }) =>
      seal({ envelope: await hold(), queue: "refunds", key: ring.signing("triage", "refunds") }),
  },
  {
    aim: "forge",
    name: "seals as the surgeon to itself",
    refused: { by: "keys" },
    attempt: ({ ring }) => Promise.resolve().then(() => ring.signing("surgeon", OWN)),
  },
];

export const ACTS_ELSEWHERE: readonly Act[] = [
  ...WITH_ITS_KEYS,
  ...WITHOUT_CREDENTIALS,
  ...WITH_ITS_OWN_SECRETS,
  ...ON_THE_MACHINE,
];
