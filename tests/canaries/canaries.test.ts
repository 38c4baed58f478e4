import { expect, test } from "vitest";
import { RecipeStore } from "#shared/store/cases";
import { findCases } from "#shared/ward";
import { ROUTES as CONSOLE_ROUTES } from "../../services/console/api/routes.ts";
import { ROUTES as GATEWAY_ROUTES } from "../../services/gateway/routes.ts";
import { runCli } from "../support/run-cli.ts";
import { startTestConsole } from "../../services/console/testing/start-test-console.ts";
import { startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { CANARY, clinic, CONSOLE_KEYS, GATEWAY_KEYS, openClinic, PATIENT, visit } from "./open-clinic.ts";
import { allCommands, knownCommands, SEARCHED } from "./commands.ts";
import type { Clinic } from "./open-clinic.ts";

const TIMEOUT_MS = 120_000;
const STREAM_MS = 300;

/** Addresses asked at once, with every key: a client may have a hundred connections that have not shown a key yet. */
const AT_ONCE = 10;

/** Something that a way out gave, and which one it was. */
type Out = readonly [way: string, text: string];

/** Requests that look and act as POST: what they answer is searched as well. */
const LOOKING_POSTS = ["/v1/ward/cases/:case_id/check", "/ap/v1/agent/tasks/:task_id/steps"];

/** Every address of a route: its parameters filled with everything that there is of the kind. */
function addressesOf(path: string, known: Readonly<Record<string, readonly string[]>>): string[] {
  const name = /:(\w+)/.exec(path)?.[1];
  if (name === undefined) return [path];
  const values = known[name];
  // A new route with a parameter of another kind: say above what there is of it.
  if (values === undefined) throw new Error(`nothing is known to put for :${name} in ${path}`);
  return values.flatMap((value) => addressesOf(path.replace(`:${name}`, encodeURIComponent(value)), known));
}

/** An answer with its headers; of one that goes on, what came within the time. */
async function textOf(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  const timer = setTimeout(() => void reader?.cancel(), STREAM_MS);
  const parts: Uint8Array[] = [];
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) break;
    parts.push(part.value);
  }
  clearTimeout(timer);
  return `${answer.status} ${JSON.stringify([...answer.headers])} ${Buffer.concat(parts).toString()}`;
}

async function askGateway({ gateway, runs }: Clinic): Promise<Out[]> {
  const messages = await Promise.all([...runs.values()].map((id) => gateway.system.store.runs.messages(id)));
  const ids = [...runs.values()];
  const known = {
    run_id: ids,
    task_id: ids,
    // The Agent Protocol's steps are messages; a run's own are what each of them did.
    step_id: [
      ...messages.flat().map(({ message_id }) => message_id),
      ...(await stepIdsOf(gateway, ids[0] ?? "")),
    ],
    artifact_id: ids.map((id) => `${id}.result`),
    contract: ["clinic.visit@1"],
    id: ["0".repeat(64)],
  };
  const keys = ["viewer", "operator", "admin", "acmeOperator", "acmeViewer"] as const;
  const asked = GATEWAY_ROUTES.filter(
    ({ method, path }) => method === "GET" || LOOKING_POSTS.includes(path),
  ).flatMap(({ method, path }) => addressesOf(path, known).map((address) => ({ method, address })));
  const outs: Out[] = [];
  for (let at = 0; at < asked.length; at += AT_ONCE)
    outs.push(
      ...(await Promise.all(
        asked.slice(at, at + AT_ONCE).flatMap(({ method, address }) =>
          keys.map(async (key): Promise<Out> => {
            const body =
              method === "POST" ? { headers: { "content-type": "application/json" }, body: "{}" } : {};
            const answer = await gateway.send(address, { method, key: GATEWAY_KEYS[key], ...body });
            return [`gateway ${key} ${method} ${address}`, await textOf(answer)];
          }),
        ),
      )),
    );
  return outs;
}

/** Every step of a run, as its own client sees them. */
async function stepIdsOf(gateway: Clinic["gateway"], runId: string): Promise<string[]> {
  const answer = await gateway.send(`/v1/runs/${runId}/steps?limit=100`, { key: GATEWAY_KEYS.submit });
  const { steps } = (await answer.json()) as { steps: { step_id: string }[] };
  return steps.map(({ step_id }) => step_id);
}

async function askConsole({ console, gateway, runs }: Clinic): Promise<Out[]> {
  const { store } = gateway.system;
  const { cases } = await findCases(store, { filter: {}, limit: 50 });
  expect(cases.length).toBeGreaterThan(3);
  const known = {
    case_id: cases.map(({ case_id }) => case_id),
    fingerprint: [...new Set(cases.map(({ fingerprint }) => fingerprint))],
    recipe_id: (await new RecipeStore(store).list()).map(({ recipe_id }) => recipe_id),
    batch_id: ["none"],
    run_id: [...runs.values()],
    step_id: await stepIdsOf(gateway, [...runs.values()][0] ?? ""),
    agent: ["intake"],
    // Nothing is attached here; services/console/attached.test.ts searches what attached queues tell.
    queue: ["none"],
  };
  const outs: Out[] = [];
  for (const { method, path } of CONSOLE_ROUTES) {
    if (method !== "GET" && !LOOKING_POSTS.includes(path)) continue;
    if (path === "/v1/events") continue;
    for (const address of addressesOf(path, known))
      for (const key of ["viewer", "operator", "admin"] as const) {
        const answer =
          method === "GET"
            ? await console.send(address, { key })
            : await console.post(address, { payload: { beds: 2 } }, { key });
        outs.push([`console ${key} ${method} ${address}`, await textOf(answer)]);
      }
  }
  return outs;
}

async function askByCommand({ console, gateway, runs }: Clinic): Promise<Out[]> {
  const toConsole = ["--console-url", console.url, "--key", CONSOLE_KEYS.admin];
  const toGateway = ["--gateway-url", gateway.url, "--key", GATEWAY_KEYS.operator];
  const { cases } = await findCases(gateway.system.store, { filter: {}, limit: 50 });
  const listings = SEARCHED.filter((name) => !/(?:show|watch)$/.test(name)).map((name) => [
    ...name.split(" "),
    ...(name === "audit export" ? [] : ["--json"]),
    ...(name.startsWith("runs") || name === "agents" ? toGateway : toConsole),
  ]);
  const commands = [
    ...listings,
    ...[...runs.values()].slice(0, 2).map((id) => ["runs", "show", id, ...toGateway]),
    ...[...runs.values()].map((id) => ["runs", "show", id, "--steps", ...toGateway]),
    ["runs", "watch", runs.get("is repaired") ?? "", "--json", ...toGateway],
    ...cases.slice(0, 3).map(({ case_id }) => ["ward", "show", case_id, ...toConsole]),
  ];
  return Promise.all(
    commands.map(async (args): Promise<Out> => {
      const { stdout, stderr } = await runCli(args);
      expect(stdout, args.join(" ")).not.toBe("");
      return [args.slice(0, 3).join(" "), stdout + stderr];
    }),
  );
}

function leaksIn(outs: readonly Out[]): string[] {
  return outs.flatMap(([way, text]) => {
    const at = text.search(CANARY);
    return at === -1 ? [] : [`${way}: …${text.slice(Math.max(0, at - 80), at + 40)}…`];
  });
}

test(
  "gives a run's own client its result as it is, and so the key that began it",
  { timeout: TIMEOUT_MS },
  async () => {
    const gateway = await startTestGateway({ team: clinic });
    await gateway.system.start();
    const resultFor = async (began: string, key: string): Promise<unknown> => {
      const begun = await gateway.send("/v1/tasks", {
        method: "POST",
        key: began,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ team: "clinic", input: visit("completes") }),
      });
      const { run_id } = (await begun.json()) as { run_id: string };
      await gateway.system.until(run_id);
      const seen = await gateway.send(`/v1/runs/${run_id}`, { key });
      return ((await seen.json()) as { result: unknown }).result;
    };
    const { submit, submit2, operator, admin, viewer, acme, acmeOperator } = GATEWAY_KEYS;
    const clear = { patient: PATIENT, nights: 2 };
    expect(await resultFor(submit, submit)).toMatchObject(clear);
    expect(await resultFor(submit, submit2)).toMatchObject(clear);
    expect(await resultFor(acme, acme)).toMatchObject(clear);
    expect(await resultFor(admin, admin)).toMatchObject(clear);
    for (const [began, key] of [
      [submit, viewer],
      [submit, operator],
      [submit, admin],
      [admin, operator],
      [acme, admin],
      [acme, acmeOperator],
    ] as const)
      expect(await resultFor(began, key)).toBe("[sensitive]");
  },
);

test("searches the output of every command that shows what others sent", () => {
  // A new command: search it, or say why it shows nothing.
  expect(allCommands().toSorted()).toEqual(knownCommands().toSorted());
});

test("reveals by a command what a run came to, with a reason", async () => {
  const gateway = await startTestGateway({ team: clinic });
  await gateway.system.start();
  const console = await startTestConsole({}, [], gateway.system);
  const { runId } = await gateway.system.submit(visit("completes"));
  await gateway.system.until(runId);
  const to = ["--console-url", console.url, "--key", CONSOLE_KEYS.admin];
  expect((await runCli(["runs", "reveal", runId, ...to])).code).toBe(2);
  const { code, stdout } = await runCli(["runs", "reveal", runId, "--why", "they called", ...to]);
  expect(code).toBe(0);
  expect(stdout).toContain(PATIENT);
});

test(
  "lets no value that a contract marks out by any way, whatever became of the run",
  { timeout: TIMEOUT_MS },
  async () => {
    const open = await openClinic();
    const outs = [...(await askGateway(open)), ...(await askConsole(open)), ...(await askByCommand(open))];
    // The answers to all of this.
    outs.push(...open.log.map((line): Out => ["log", line]));
    outs.push(...open.posts.map(({ body }): Out => ["webhook", body]));
    outs.push(...open.endpoint.seen.map(({ body }): Out => ["prompt", JSON.stringify(body)]));
    outs.push(...(await open.endTracing()).map((text): Out => ["spans", text]));
    for (const kind of ["gateway", "console", "runs", "ward", "log", "webhook", "prompt", "spans"])
      expect(
        outs.some(([way]) => way.startsWith(kind)),
        kind,
      ).toBe(true);
    expect(leaksIn(outs)).toEqual([]);
  },
);
