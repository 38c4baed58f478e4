import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LocalBlobs } from "#shared/blobs";
import { readContext } from "#shared/context";
import { createMedicalTeam } from "../services/agents/medical/team.ts";
import { samplePractice, temporaryFolder } from "../services/agents/medical/testing/sample-practice.ts";
import { SECRETS, startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";

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
