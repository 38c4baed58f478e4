import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { serveBeside } from "#shared/a2a";
import type { ServedBeside } from "#shared/a2a";
import { ModelRefusalError } from "#shared/model";
import type { ModelCall, ModelClient } from "#shared/model";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { openRehearsal } from "../../../tests/support/rehearsal-model.ts";
import { createDocumentsTeam } from "./team.ts";
import { storePages } from "./ingest/reader.ts";
import { blobs, store } from "./testing/open-library.ts";

const COAST_QUESTION = "Which colours does it have, and how large is it?";
const MINUTES_QUESTION = "What was resolved or decided about contracts, fees and the pier?";
const DECISION = "The Board decided to pay 4711 euros for the lighthouse.";

/** Answers of a good model about texts of which it sees the one decision, or that there is none. */
const LIGHTHOUSE: Answers = {
  tag: () => ({ tags: ["document", "minutes"], description: "Minutes of a board." }),
  summarise: (input) => ({
    summary: "The meeting read its minutes.",
    key_points: input.includes(DECISION) ? [{ point: "4711 euros are paid.", quote: DECISION }] : [],
  }),
  merge: (input) => ({ summary: "The meeting read its minutes.", best: input.includes("4711") ? [0] : [] }),
};

type Answers = Readonly<Record<string, (input: string) => unknown>>;

interface DocumentsSystem {
  readonly system: TestSystem;
  readonly calls: ModelCall[];
  readonly finish: (name: string, question?: string) => Promise<Record<string, unknown>>;
}

interface Opening {
  readonly refuses?: string;
  /** Answers of a model by step, in the place of the recorded ones. */
  readonly answers?: Answers;
  /** In the place of the real one. */
  readonly reader?: ServedBeside;
}

/** Notes every question on its way to the real rehearsal server, which refuses those with certain words in them. */
function noting(model: ModelClient, calls: ModelCall[], { refuses, answers = {} }: Opening): ModelClient {
  return {
    ...model,
    ask: async (call) => {
      calls.push(call);
      const scripted = answers[call.step];
      const asked = await model.ask(call);
      const answer =
        scripted === undefined ? asked : { ...asked, text: JSON.stringify(scripted(call.input)) };
      if (refuses !== undefined && call.input.includes(refuses)) throw new ModelRefusalError(answer);
      return answer;
    },
  };
}

async function openDocuments(opening: Opening = {}): Promise<DocumentsSystem> {
  const documents = createDocumentsTeam(opening.reader);
  const system = createTestSystem(documents);
  const calls: ModelCall[] = [];
  await system.start({ model: noting((await openRehearsal(documents)).model, calls, opening) });
  const finish = async (name: string, question: string | null = null): Promise<Record<string, unknown>> => {
    const { runId } = await system.submit(
      { file_references: [await store(name)], question },
      { hopsMax: 24, budget: { token_limit: 200_000 } },
    );
    const run = await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
    expect(run.status, name).toBe("completed");
    return run.result as Record<string, unknown>;
  };
  return { system, calls, finish };
}

async function refusal({ system }: DocumentsSystem, name: string, bytes?: Uint8Array) {
  const { runId } = await system.submit({
    file_references: [await store(name, bytes)],
    question: null,
  });
  await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
  const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
  return { run: await system.store.runs.get(runId), told: JSON.stringify(events) };
}

describe("the documents team", () => {
  test.each([
    ["rechnung-werkstatt.pdf", "LB-2026-0417", 1771.43, "de"],
    ["quittung-cafe.txt", "5512", 19, "de"],
    ["invoice-paper.xml", "BX-7741", 948.6, "en"],
  ])("takes out of %s what it states, and finds that it holds", async (name, number, gross, language) => {
    const result = await (await openDocuments()).finish(name);
    expect(result).toMatchObject({ kind: "invoice", status: "sound", findings: [] });
    expect(result["invoice"]).toMatchObject({ metadata: { number, language }, totals: { gross } });
  });

  test("tells what does not hold, and puts nothing right", async () => {
    const documents = await openDocuments();
    const wrongSums = await documents.finish("invoice-chandlers.pdf");
    expect(wrongSums).toMatchObject({
      status: "doubtful",
      invoice: { totals: { gross: 371.1 } },
      findings: [
        { code: "line_amount", path: "/lines/1/amount", stated: "54.25", computed: "44.25" },
        { code: "gross_sum", stated: "371.10", computed: "317.10" },
      ],
    });
    expect(await documents.finish("invoice-survey.txt")).toMatchObject({
      findings: [{ code: "iban_checksum" }],
    });
  });

  test("without a model says of a file that was not recorded that no model is set", async () => {
    const documents = await openDocuments();
    const file = await store("note.txt", Buffer.from("Invoice 7\nTotal  12.00 EUR\n"));
    expect(await documents.system.run({ file_references: [file] })).toMatchObject({
      result: {
        kind: "unclear",
        status: "for_a_person",
        description: expect.stringMatching(/^No model is set/),
      },
    });
  });

  test("tells a photo from a scanned page", async () => {
    const documents = await openDocuments();
    const coast = await documents.finish("coast.jpg", COAST_QUESTION);
    expect(coast).toMatchObject({ kind: "picture", width: 1800, answer: { is_shown: true } });
    expect(coast["tags"]).toContain("photo");
    expect(JSON.stringify(coast["answer"])).toContain("blue");
    const scan = await documents.finish("scanned-page.png");
    expect(scan["tags"]).toEqual(expect.arrayContaining(["scan", "portrait_format", "monochrome"]));
    expect((await documents.finish("town-at-night.png"))["tags"]).toContain("dark");
  });

  test("describes each content once: the second document of the same bytes costs no call", async () => {
    const documents = await openDocuments();
    const first = await documents.finish("wood.jpg");
    expect(documents.calls).toHaveLength(1);
    expect(await documents.finish("wood.jpg")).toEqual(first);
    await documents.finish("invoice-paper.xml");
    const sofar = documents.calls.length;
    await documents.finish("invoice-paper.xml");
    expect(documents.calls).toHaveLength(sofar);
  });

  test("finds no file of another tenant by its digest", async () => {
    const documents = await openDocuments();
    const file = await store("quittung-cafe.txt");
    const read = async (user_id: string) => {
      const input = { file_references: [file], question: null };
      const limits = { hopsMax: 24, budget: { token_limit: 200_000 } };
      const { runId } = await documents.system.submit(input, { ...limits, user: { user_id } });
      return documents.system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
    };
    expect((await read("acme/bob")).status).not.toBe("completed");
    expect(documents.calls).toEqual([]);
    expect((await read("bob")).status).toBe("completed");
    // Described once for its owner, and still nobody else's.
    expect((await read("acme/bob")).status).not.toBe("completed");
  });

  test("keeps what a producer claims to have read out of a file away from other runs of that file", async () => {
    const documents = await openDocuments();
    const { system } = documents;
    const claimed = await storePages(blobs, ["A walk by the sea."], new AbortController().signal);
    const file = await store("quittung-cafe.txt");
    const { runId } = await system.submit(
      { file, question: null, content: { kind: "pages", pages: claimed, ocr: null } },
      { to: "vision@1", contract: "documents.read@2", hopsMax: 24 },
    );
    await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
    expect(documents.calls.length).toBeGreaterThan(0);
    expect(await documents.finish("quittung-cafe.txt")).toMatchObject({ kind: "invoice", status: "sound" });
  });

  test("shows the model the picture, and leaves nothing of it in Redis", async () => {
    const documents = await openDocuments();
    await documents.finish("coast.jpg", COAST_QUESTION);
    const bytes = readFileSync(new URL("samples/files/coast.jpg", import.meta.url));
    expect(documents.calls.map(({ images }) => images?.[0]?.bytes.length)).toEqual([
      bytes.length,
      bytes.length,
    ]);
    const { redis, keys } = documents.system.store;
    const needles = [300, 60_000, 120_000].flatMap((at) =>
      [0, 1, 2].map((shift) =>
        bytes
          .subarray(at + shift, at + shift + 48)
          .toString("base64")
          .slice(0, 40),
      ),
    );
    let cursor = "0";
    let looked = 0;
    do {
      const [next, found] = await redis.scan(cursor, "MATCH", `*${keys.prefix}*`, "COUNT", 500);
      cursor = next;
      for (const key of found) {
        const held = JSON.stringify((await contentOf(documents, key)) ?? "expired meanwhile");
        looked += 1;
        for (const needle of needles) expect(held, key).not.toContain(needle);
        expect(held.length, key).toBeLessThan(60_000);
      }
    } while (cursor !== "0");
    expect(looked).toBeGreaterThan(5);
  });

  test("reads 54 pages part by part, and answers from what stands there", async () => {
    const documents = await openDocuments();
    const result = await documents.finish("minutes-2026.pdf", MINUTES_QUESTION);
    expect(result).toMatchObject({ status: "read", pages: 54, chunks: 54, unsupported: 0, unread: [] });
    const points = result["key_points"] as { page: number; quote: string }[];
    expect(points.map(({ page }) => page)).toEqual(expect.arrayContaining([11, 47]));
    const summaries = documents.calls.filter(({ step }) => step === "summarise");
    expect(summaries).toHaveLength(54);
    for (const call of summaries) expect(call.input.length).toBeLessThan(6000);
  });

  test("reads a text of one page to its end, or refuses it where the run's tokens do not pay for it", async () => {
    const documents = await openDocuments({ answers: LIGHTHOUSE });
    const line = "The minutes of the meeting were read by all members and nobody had a remark.\n";
    const text = `${line.repeat(1300)}\n${DECISION}\n`;
    const file = await store("minutes.txt", Buffer.from(text));
    const submit = (token_limit: number) =>
      documents.system.submit(
        { file_references: [file], question: "What was decided on the lighthouse?" },
        { hopsMax: 24, budget: { token_limit } },
      );
    const { runId } = await submit(200_000);
    const whole = (await documents.system.until(runId, ["completed"])).result as Record<string, unknown>;
    expect(whole).toMatchObject({ status: "read", pages: 1, unread: [] });
    expect(JSON.stringify(whole)).toContain(DECISION);
    const shown = documents.calls.filter(({ step }) => step === "summarise");
    expect(whole["chunks"]).toBe(shown.length);
    for (const call of shown) expect(call.input.length).toBeLessThan(6000);
    const refused = await submit(22_000);
    const run = await documents.system.until(refused.runId, ["completed", "quarantined", "in_ward"]);
    expect(run.status).not.toBe("completed");
    expect(documents.calls.filter(({ step }) => step === "summarise")).toHaveLength(shown.length);
    const events = await documents.system.store.runs.events(refused.runId, { from: 0, limit: 50 });
    expect(JSON.stringify(events)).toContain("DOCUMENT_TOO_LONG");
  });

  test("names what a model refused to read", async () => {
    const documents = await openDocuments({ refuses: "4711", answers: LIGHTHOUSE });
    const line = "The minutes of the meeting were read by all members and nobody had a remark.\n";
    const text = `${line.repeat(100)}${"4711 ".repeat(800)}${line.repeat(300)}`;
    const file = await store("minutes.txt", Buffer.from(text));
    const { runId } = await documents.system.submit({ file_references: [file], question: null });
    const run = await documents.system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
    expect(run).toMatchObject({ status: "completed", result: { status: "partly_read", pages: 1 } });
    const { unread } = run.result as { unread: { from: number; to: number | null }[] };
    const gone = unread.map(({ from, to }) => text.slice(from, to ?? text.length)).join("");
    expect(gone.match(/4711/g)).toHaveLength(800);
    expect(gone.length).toBeLessThan(12_000);
  });

  test.each([
    ["truncated.pdf", undefined, "damaged or cut off", "/file_references/0/sha256"],
    ["bomb.png", undefined, "more pixels", "/file_references/0/sha256"],
    ["empty.pdf", new Uint8Array(0), "is empty", "/file_references/0/sha256"],
    ["noise.pdf", Buffer.from(`%PDF-1.7\n${"x".repeat(3000)}%%EOF`), "damaged", "/file_references/0/sha256"],
    [
      "archive.pdf",
      Buffer.from("PK\x03\x04 and more"),
      "DOCUMENT_TYPE_REFUSED",
      "/file_references/0/mime_type",
    ],
  ])(
    "says of %s what is wrong with it and where, at once and without a model",
    async (name, bytes, code, path) => {
      const documents = await openDocuments();
      const { run, told } = await refusal(documents, name, bytes);
      expect(run.status).toBe("quarantined");
      expect(told).toContain(code);
      expect(told).toContain(path);
      expect(documents.calls).toHaveLength(0);
    },
  );

  test("refuses a program under a document's name, and a reference to nothing", async () => {
    const documents = await openDocuments();
    await expect(store("invoice.pdf", Buffer.from(`MZ\0${"\0".repeat(80)}`))).rejects.toMatchObject({
      code: "BLOB_TYPE_REFUSED",
    });
    const sha256 = "0".repeat(64);
    const file = { name: "a.pdf", uri: `sha256:${sha256}`, mime_type: "application/pdf", bytes: 10, sha256 };
    const { runId } = await documents.system.submit({ file_references: [file], question: null });
    expect(await documents.system.until(runId, ["quarantined", "completed"])).toMatchObject({
      status: "quarantined",
    });
    expect(JSON.stringify(await documents.system.store.runs.events(runId, { from: 0, limit: 50 }))).toContain(
      "/file_references/0/uri",
    );
  });
});

describe("the reader of documents", () => {
  test("is given what Node needs and where files are: no Redis, no keys, no model", async () => {
    for (const pid of findReaders()) process.kill(pid, "SIGKILL");
    await expect.poll(findReaders).toEqual([]);
    for (const name of ["REDIS_URL", "SUTURE_KEYS", "OPENAI_API_KEY", "MINE"]) vi.stubEnv(name, "@hidden");
    await (await openDocuments()).finish("quittung-cafe.txt");
    vi.unstubAllEnvs();
    const environment = readFileSync(`/proc/${findReaders()[0]}/environ`, "utf8");
    const names = environment.split("\0").flatMap((one) => one.split("=", 1));
    const needed = /^(?:PATH|LANG|TZ|TMPDIR|LD_LIBRARY_PATH|NODE_COMPILE_CACHE|NODE_CHANNEL_\w+|)$/;
    expect(names.filter((name) => !needed.test(name))).toEqual(["SUTURE_DATA_DIR"]);
  });

  test("is started again when it is killed at work, and the run ends once, paid once", async () => {
    const { system, calls, finish } = await openDocuments();
    await finish("quittung-cafe.txt");
    const [first = 0] = findReaders();
    const { runId } = await system.submit({ file_references: [await store("scanned-page.png")] });
    await expect.poll(() => childrenOf(first).length, { timeout: 60_000, interval: 20 }).toBe(1);
    process.kill(first, "SIGKILL");
    expect((await system.until(runId)).status).toBe("completed");
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    expect(events.filter(({ type }) => type === "completed")).toHaveLength(1);
    expect(calls.filter(({ input }) => input.includes("picture"))).toHaveLength(1);
    expect(findReaders()).not.toContain(first);
  }, 120_000);

  test("that lies gets nobody a text that is not theirs, and is paid nothing", async () => {
    const pages = await storePages(blobs, ["A walk by the sea."], new AbortController().signal);
    vi.stubEnv("CLAIMS", JSON.stringify({ content: { kind: "pages", pages, ocr: null }, fault: null }));
    const liar = serveBeside(new URL("testing/lying-reader.ts", import.meta.url), ["CLAIMS"]);
    const { system, calls } = await openDocuments({ reader: liar });
    const input = { file_references: [await store("wood.jpg")] };
    const { runId } = await system.submit(input, { user: { user_id: "acme/bob" } });
    const { status, cost, tokens } = await system.until(runId, ["completed", "in_ward"]);
    expect([status, cost, tokens, calls.length]).toEqual(["in_ward", 0, 0, 0]);
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    expect(JSON.stringify(events)).toContain("DOCUMENT_MISSING");
  });
});

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g)?.map(Number) ?? [];
const isReader = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("ingest/reader");
const findReaders = () => childrenOf(process.pid).filter(isReader);

async function contentOf({ system }: DocumentsSystem, key: string): Promise<unknown> {
  const { redis } = system.store;
  const readers: Readonly<Record<string, () => Promise<unknown>>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, "0", "-1"),
    stream: () => redis.xrange(key, "-", "+"),
  };
  return readers[await redis.type(key)]?.();
}
