import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { LocalBlobs } from "#shared/blobs";
import type { Team } from "#shared/runtime";
import { openRehearsal } from "../support/rehearsal-model.ts";
import { openIsolatedDeployment, startAll } from "./deployment.ts";
// As processes of agents load them.
import documents from "./documents-teams/documents/team.ts";
import inquiry from "./inquiry-teams/inquiry/team.ts";

const TEST_MS = 240_000;

/** Every agent a process of its own, the rehearsal model behind it, and a relay that dies as branches come back. */
async function openShipped(team: Team, folder: string) {
  const { url } = await openRehearsal(team);
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
    );
    const blobs = new LocalBlobs(join(dataDir, "blobs"), { bytesMax: 1e9, ageMsMax: 3_600_000 });
    const facts = await blobs.store({
      content: createReadStream("services/agents/documents/samples/files/minutes-2026.pdf"),
      mimeType: "application/pdf",
      bytesMax: 1e8,
      signal: new AbortController().signal,
    });
    // A rehearsal has recorded answers to the samples alone.
    const input = {
      file_references: [{ name: "minutes-2026.pdf", uri: `sha256:${facts.sha256}`, ...facts }],
      question: "What was resolved or decided about contracts, fees and the pier?",
    };
    const runId = await deployment.send("minutes", { team: "documents", input }, "/v1/tasks");
    await replaceRelay();
    const run = await deployment.until(runId);
    // Of so many parts that what was made of them is brought together in two levels.
    expect(run).toMatchObject({ status: "completed", result: { status: "read", chunks: 54, unread: [] } });
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
