import { readFileSync } from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it, onTestFinished, vi } from "vitest";
import { LocalBlobs } from "#shared/blobs";
import { createTestSystem } from "#shared/testing";
import documentsTeam from "../services/agents/documents/team.ts";
import { spawnAgents, whenGone } from "./support/agent-process.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";

/**
 * The worker that reads a long text is killed in the middle of its parts: no part is lost, and none that was answered
 * for is paid for again.
 */

it("reads on where it was killed, and asks no part a second time that was answered", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "suture-documents-crash-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const blobs = new LocalBlobs(join(dataDir, "blobs"), { bytesMax: 1e9, ageMsMax: 3_600_000 });
  const bytes = readFileSync("services/agents/documents/samples/files/minutes-2026.pdf");
  const facts = await blobs.store({
    content: Readable.from([bytes]),
    mimeType: "application/pdf",
    bytesMax: 1e8,
    signal: new AbortController().signal,
  });
  const file = { name: "minutes.pdf", uri: `sha256:${facts.sha256}`, ...facts };
  const system = createTestSystem(documentsTeam);
  const endpoint = await startModelEndpoint([documentsTeam]);
  onTestFinished(() => endpoint.close());
  const work = {
    agents: [...documentsTeam.agents.keys()],
    prefix: system.store.keys.prefix,
    keyring: system.keyring,
    modelUrl: endpoint.url,
    sandboxUrl: endpoint.url,
    env: { SUTURE_DATA_DIR: dataDir },
  };
  const chunks = (): string[] =>
    endpoint.seen
      .filter(({ schemaName }) => schemaName === "longread_chunk_1")
      .map(({ body }) => body.messages.find(({ role }) => role === "user")?.content ?? "");
  const worker = spawnAgents(work);
  const task = { file_references: [file], question: null };
  const { runId } = await system.submit(task, {
    hopsMax: 24,
    ttlMs: 600_000,
    budget: { token_limit: documentsTeam.options.tokenLimit ?? 0 },
  });
  await vi.waitFor(() => expect(chunks().length).toBeGreaterThan(15), { timeout: 60_000, interval: 5 });
  worker.kill("SIGKILL");
  await whenGone(worker);
  const askedBefore = chunks().length;
  expect(askedBefore).toBeLessThan(54);
  spawnAgents(work);
  await vi.waitFor(
    async () => expect(await system.store.runs.get(runId)).toMatchObject({ status: "completed" }),
    { timeout: 120_000, interval: 100 },
  );
  expect((await system.store.runs.get(runId)).result).toMatchObject({
    pages: 54,
    chunks: 54,
    unsupported: 0,
  });
  const asked = chunks();
  expect(new Set(asked).size).toBe(54);
  // Only what was under way when it died, at most a window, was asked and could not be written down.
  expect(asked.length - 54).toBeLessThanOrEqual(8);
  const described = endpoint.seen.filter(({ schemaName }) => schemaName === "vision_tags_2");
  expect(described).toHaveLength(1);
}, 240_000);
