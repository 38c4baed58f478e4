import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { LocalBlobs } from "#shared/blobs";
import { readContext } from "#shared/context";
import type { Team } from "#shared/runtime";
import { startTestSystem, serveHttp, temporaryFolder } from "#shared/testing";
import { createMedicalTeam } from "../services/agents/medical/team.ts";
import { samplePractice } from "../services/agents/medical/testing/sample-practice.ts";
import { SECRETS, startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";
import { openModel, PRICED } from "./support/open-model-system.ts";
import { operateOn } from "./support/operate-on.ts";

const SAID = [
  "My name is Piet Aldous and my address is Canal Street 12.",
  "My heart skips beats in the evening, for about 10 minutes.",
];
const STARTED = z.object({ run_id: z.string() });
const RUN = z.object({
  status: z.string(),
  result: z.object({ transcript: z.object({ uri: z.string(), sha256: z.string(), turns: z.int() }) }),
});

/** A gateway and the medical team on the same files, with one visit of the tenant `acme` that is done. */
async function openVisit() {
  const folder = temporaryFolder();
  const blobs = new LocalBlobs(folder, { bytesMax: 1024 ** 2, ageMsMax: 3_600_000 });
  const { model, url } = await openRehearsal(createMedicalTeam(samplePractice("http://127.0.0.1:9")));
  const team = createMedicalTeam({ ...samplePractice(url), transcripts: () => blobs });
  const gateway = await startTestGateway({ team, parts: { blobs } });
  await gateway.system.start({ model });
  const turns = SAID.map((text) => ({ role: "patient", text }));
  const body = { team: "medical", input: { visit_id: "v-1", turns } };
  const started = await gateway.post("/v1/tasks", body, { authorization: `Bearer ${SECRETS.acme}` });
  const { run_id } = STARTED.parse(await started.json());
  await gateway.system.until(run_id, ["completed"]);
  const { result } = RUN.parse(
    await (await gateway.send(`/v1/runs/${run_id}`, { key: SECRETS.acme })).json(),
  );
  const read = (key: string, query = "") =>
    gateway.send(`/v1/blobs/${result.transcript.uri}${query}`, { key });
  return { folder, read, transcript: result.transcript };
}

describe("the transcript that a packet refers to", () => {
  it("is read where the reference says, without who the patient is", async () => {
    const { read, transcript } = await openVisit();
    const reply = await read(SECRETS.acme);
    expect(reply.status).toBe(200);
    const { history } = readContext(Buffer.from(await reply.arrayBuffer()));
    expect(history).toHaveLength(transcript.turns);
    expect(history.map(({ content }) => content)).toEqual([
      "My name is [name] and my address is [address].",
      SAID[1],
    ]);
  });

  it("is absent for another tenant, and forbidden to keys that only read", async () => {
    const { read } = await openVisit();
    const foreign = [
      await read(SECRETS.globex),
      await read(SECRETS.submit),
      await read(SECRETS.globex, "?tenant=acme"),
    ];
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await read(SECRETS.acmeViewer)).status).toBe(403);
    for (const reply of [...foreign, await read(SECRETS.acmeViewer)])
      expect(await reply.text()).not.toContain("heart");
  });

  it("is gone once it has reached its age", async () => {
    const { folder, read } = await openVisit();
    await new LocalBlobs(folder, { bytesMax: 1024 ** 2, ageMsMax: 0 }).retire();
    expect((await read(SECRETS.acme)).status).toBe(404);
  });
});

const FOLLOW_UP = "specialist_follow-up_3";
const JUDGEMENTS = "medical_judgements_1";
const HEART = { visit_id: "v-1", turns: [{ role: "patient", text: "My heart skips beats in the evening." }] };
const GOOD = {
  question: "Do you feel faint when your heart skips beats?",
  asks_about: "fainting",
  because: "heart skips beats",
  urgency: "soon",
};

/** Agents and a surgeon in this process, with models at the endpoint. */
async function openPractice() {
  const team = createMedicalTeam(samplePractice("http://127.0.0.1:9"));
  const { endpoint, model } = await openModel(team, { models: PRICED });
  const system = await startTestSystem(team, { model });
  operateOn(system, { model, upkeepMs: 100 });
  return { endpoint, system };
}

/** The surgeon's questions: for a repair, and for another reading. */
const OF_SURGEON: ReadonlySet<string> = new Set(["repair", "second_reading"]);

const repairedTo = (payload: unknown): string =>
  JSON.stringify({ verdict: "repaired", payload: JSON.stringify(payload), reason: "r", recipe: null });

describe("an answer of the medical team's model that is of no use", () => {
  it.each<[string, object, readonly object[]]>([
    ["tells a patient a dose", { question: "You have angina, could you take 500 mg of aspirin?" }, []],
    [
      "tells a patient a diagnosis, by a second reader",
      { question: "Das wird Angina sein, rauchen Sie?" },
      [{ what: "diagnosis", quote: "Angina" }],
    ],
  ])("waits for a person where it %s, whatever the surgeon's model makes of it", async (_, bad, says) => {
    const { endpoint, system } = await openPractice();
    const unsafe = { ...GOOD, ...bad };
    endpoint.behave = ({ schemaName }) => {
      if (schemaName === FOLLOW_UP) return JSON.stringify(unsafe);
      if (schemaName === JUDGEMENTS && says.length > 0) return JSON.stringify({ says });
      return OF_SURGEON.has(schemaName) ? repairedTo(unsafe) : null;
    };
    const run = await system.run(HEART, {}, ["completed", "quarantined", "failed"]);
    expect(run).toMatchObject({ status: "quarantined", result: null });
  });
});

/** A server that takes every ticket, and what it was sent. */
async function openDesk() {
  const tickets: { readonly url: string | undefined; readonly token: string | undefined }[] = [];
  const keys = new Set<unknown>();
  const url = await serveHttp((request, response) => {
    tickets.push({ url: request.url, token: request.headers.authorization });
    keys.add(request.headers["idempotency-key"]);
    response.writeHead(201, { "content-type": "application/json" }).end('{"ticket_id":"T-1"}');
  });
  return { tickets, keys, url };
}

const MODEL = { OPENAI_API_KEY: "sk-not-a-key", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
const ALARM = { visit_id: "v-1", signs: [{ sign: "chest_pain", quote: "my chest hurts" }], certain: true };

/** Opens the shipped medical team with these variables, and raises an alarm at its `emergency`. */
async function alarm(variables: Readonly<Record<string, string>>): Promise<{ readonly message: string }> {
  for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "SUTURE_DESK_URL", "SUTURE_DESK_TOKEN"])
    vi.stubEnv(name, "");
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = "../services/agents/medical/team.ts";
  const loaded: { readonly default: Team } = await import(path);
  const system = await startTestSystem(loaded.default);
  const { result } = await system.run(ALARM, { to: "emergency@1", contract: "medical.alarm@1" });
  // The team declares this form of its result.
  return result as { readonly message: string };
}

it("sends an emergency to the desk that is configured, with its token, and nothing to the sandbox", async () => {
  const [desk, sandbox] = [await openDesk(), await openDesk()];
  const configured = { SUTURE_DESK_URL: `${desk.url}/api`, SUTURE_DESK_TOKEN: "of-the-desk" };
  const { message } = await alarm({ ...MODEL, ...configured, SUTURE_SANDBOX_URL: sandbox.url });
  expect(desk.tickets).toEqual([{ url: "/api/tickets", token: "Bearer of-the-desk" }]);
  // By it a desk tells the same person once, whoever dies in between.
  expect([...desk.keys]).toEqual([expect.stringMatching(/./)]);
  expect(sandbox.tickets).toEqual([]);
  expect(message).toContain("A person here has been told");
});

it("tells no patient that a person was told where no desk is configured, and has them call for help", async () => {
  const sandbox = await openDesk();
  const { message } = await alarm({ ...MODEL, SUTURE_SANDBOX_URL: sandbox.url });
  expect(message).toContain("Call your emergency number now");
  expect(message).toContain("Nobody here has been told");
});

it("keeps a rehearsal in the sandbox, whatever is configured", async () => {
  const [desk, sandbox] = [await openDesk(), await openDesk()];
  await alarm({ SUTURE_DESK_URL: desk.url, SUTURE_SANDBOX_URL: sandbox.url });
  expect(desk.tickets).toEqual([]);
  expect(sandbox.tickets).toEqual([{ url: "/sandbox/tickets", token: undefined }]);
});
