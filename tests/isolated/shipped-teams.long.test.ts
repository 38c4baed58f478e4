import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { LocalBlobs } from "#shared/blobs";
import type { StandIn, Team } from "#shared/runtime";
import { openRehearsal } from "../support/rehearsal-model.ts";
import { openIsolatedDeployment, startAll } from "./deployment.ts";
// As processes of agents load them.
import documents from "./documents-teams/documents/team.ts";
import inquiry from "./inquiry-teams/inquiry/team.ts";

const TEST_MS = 240_000;

const DECISION = "The Board decided to pay 4711 euros for the lighthouse.";

/** What a good model answers about minutes with one decision. */
const MINUTES: Readonly<Record<string, StandIn>> = {
  tag: () => ({ tags: ["document", "minutes"], description: "Minutes of a board." }),
  summarise: (input) => ({
    summary: "The meeting read its minutes.",
    key_points: JSON.stringify(input).includes(DECISION)
      ? [{ point: "4711 euros are paid.", quote: DECISION }]
      : [],
  }),
  merge: (input) => ({
    summary: "The meeting read its minutes.",
    best: JSON.stringify(input).includes("4711") ? [0] : [],
  }),
};

/** Every agent a process of its own, the rehearsal model behind it, and a relay that dies as branches come back. */
async function openShipped(team: Team, folder: string, answers?: Readonly<Record<string, StandIn>>) {
  const { url } = await openRehearsal(team, 0, answers);
  const dataDir = mkdtempSync(join(tmpdir(), "suture-shipped-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = {
    OPENAI_API_KEY: "",
    OPENAI_BASE_URL: "",
    SUTURE_REHEARSAL_PORT: new URL(url).port,
    SUTURE_DATA_DIR: dataDir,
  };
  const deployment = await openIsolatedDeployment({ team, folder, env });
  const struck = deployment.spawnRelay({
    strike: { point: "W29:after_counted_before_told", action: "kill", nth: 2 },
  });
  await startAll(deployment, 0);
  const replaceRelay = async (): Promise<void> => {
    await struck.untilStruck();
    deployment.spawnRelay();
  };
  return { deployment, dataDir, replaceRelay };
}

it(
  "the documents team reads a long text part by part as isolated agents, beside a relay that dies",
  async () => {
    const { deployment, dataDir, replaceRelay } = await openShipped(
      documents,
      "tests/isolated/documents-teams",
      MINUTES,
    );
    const line = "The minutes of the meeting were read by all members and nobody had a remark.\n";
    const file = join(dataDir, "minutes.txt");
    writeFileSync(file, `${line.repeat(500)}\n${DECISION}\n`);
    const blobs = new LocalBlobs(join(dataDir, "blobs"), { bytesMax: 1e9, ageMsMax: 3_600_000 });
    const facts = await blobs.store({
      content: createReadStream(file),
      mimeType: "application/octet-stream",
      bytesMax: 1e8,
      signal: new AbortController().signal,
    });
    const input = {
      file_references: [{ name: "minutes.txt", uri: `sha256:${facts.sha256}`, ...facts }],
      question: "What was decided on the lighthouse?",
    };
    const runId = await deployment.send("minutes", { team: "documents", input }, "/v1/tasks");
    await replaceRelay();
    const run = await deployment.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { status: "read", unread: [] } });
    expect(JSON.stringify(run.result)).toContain(DECISION);
    // Of so many parts that what was made of them is brought together in two levels.
    expect((run.result as { chunks: number }).chunks).toBeGreaterThan(8);
    expect(await deployment.refusedByRedis()).toEqual([]);
  },
  TEST_MS,
);

it(
  "the research team investigates several questions at once as isolated agents, beside a relay that dies",
  async () => {
    const { deployment, replaceRelay } = await openShipped(inquiry, "tests/isolated/inquiry-teams");
    const texts = [
      "How many homes does district heating supply in Ostermoor?",
      "How many tonnes of carbon dioxide does the heat pump in Ostermoor avoid a year?",
      "Who won the cup final?",
    ];
    const runId = await deployment.send("barrier", {
      target_agent: "desk",
      contract: "research.commission@2",
      data_payload: {
        conversation: { conversation_id: "one", turn: 1 },
        goal: "A report on district heating.",
        questions: texts.map((text, index) => ({ question_id: `q${index + 1}`, text })),
        reference: null,
      },
    });
    await replaceRelay();
    const run = await deployment.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { failed: [] } });
    expect(JSON.stringify(run.result)).toContain("2,900 homes");
    expect(await deployment.refusedByRedis()).toEqual([]);
  },
  TEST_MS,
);
