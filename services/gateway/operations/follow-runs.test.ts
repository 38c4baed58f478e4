import { describe, expect, it, onTestFinished } from "vitest";
import { now, setClock } from "#shared/clock";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import { head, KEY, openConnection, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";
import { answerOf, pageForm, startedForm } from "../testing/answer.ts";

const TASK = { team: "gw-chain", input: { text: "hello" } };

async function submit(gateway: TestGateway): Promise<string> {
  return (await answerOf(gateway.post("/v1/tasks", TASK), startedForm)).run_id;
}

/** An event of the run as an agent's process would write it; with `end`, its first message is closed. */
async function tell(gateway: TestGateway, runId: string, more: { id: string; end?: boolean }): Promise<void> {
  const [submitted] = await gateway.system.store.runs.events(runId, { from: 0, limit: 1 });
  const change: RunChange = {
    event: {
      id: `${runId}-${more.id}`,
      run_id: runId,
      type: more.end === true ? "completed" : "operation",
      at: "2026-01-01T00:00:00.000Z",
      message_id: submitted?.message_id ?? "",
      agent: "gw-first",
      detail: { note: more.id, text: "line\nbreak" },
    },
    starts: true,
    ...(more.end === true
      ? { moves: { state: "closed", rank: rankOf.closed() }, result: { done: true } }
      : {}),
  };
  await gateway.system.store.journal.apply([change]);
}

interface Sent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

function parseEvents(text: string): Sent[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"))
    .map((block) => Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2))));
}

describe("GET /v1/runs/{run_id}", () => {
  it("looks by itself when a notice was lost", async () => {
    const gateway = await startTestGateway({
      bounds: { recheckEveryMs: 50 },
      // A subscription that never comes about; of a watcher only this is used.
      parts: { watcher: { watch: () => new Promise(() => undefined) } as never },
    });
    const runId = await submit(gateway);
    const poll = gateway.send(`/v1/runs/${runId}?wait=20`);
    await tell(gateway, runId, { id: "end", end: true });
    expect(await (await poll).json()).toMatchObject({ status: "completed" });
  });

  it.each(["/v1/runs/nope", "/v1/runs/nope/events", "/v1/runs/__proto__"])(
    "finds no run at %s",
    async (path) => {
      const gateway = await startTestGateway();
      const reply = await gateway.send(path);
      expect(reply.status).toBe(404);
      expect(await reply.json()).toMatchObject({ code: "not_found" });
    },
  );
});

describe("GET /v1/runs/{run_id}/events", () => {
  it("sends every event once, in order, live, and ends with the run", async () => {
    const gateway = await startTestGateway({ bounds: { eventsPage: 2, recheckEveryMs: 60_000 } });
    const runId = await submit(gateway);
    const reply = await gateway.send(`/v1/runs/${runId}/events`);
    expect(reply.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    for (const id of ["a", "b", "c"]) await tell(gateway, runId, { id });
    await tell(gateway, runId, { id: "end", end: true });
    const sent = parseEvents(await reply.text());
    const types = "submitted operation operation operation completed end";
    expect(sent.map((event) => event.event).join(" ")).toBe(types);
    expect(sent.map((event) => event.id)).toEqual(["0", "1", "2", "3", "4", undefined]);
    expect(JSON.parse(sent[1]?.data ?? "")).toMatchObject({
      run_id: runId,
      detail: { note: "a", text: "line\nbreak" },
    });
  });

  it("resumes after Last-Event-ID, and tells a client that has everything to stop", async () => {
    const gateway = await startTestGateway();
    const runId = await submit(gateway);
    await tell(gateway, runId, { id: "a" });
    await tell(gateway, runId, { id: "end", end: true });
    const resumed = await gateway.send(`/v1/runs/${runId}/events`, { headers: { "last-event-id": "0" } });
    expect(parseEvents(await resumed.text()).map((event) => event.id)).toEqual(["1", "2", undefined]);
    const done = await gateway.send(`/v1/runs/${runId}/events`, { headers: { "last-event-id": "2" } });
    expect(done.status).toBe(204);
  });

  it("gives back the place of a client that went away", async () => {
    const gateway = await startTestGateway({ bounds: { waitersMax: 1 } });
    const runId = await submit(gateway);
    const leave = new AbortController();
    await gateway.send(`/v1/runs/${runId}/events`, { signal: leave.signal });
    expect((await gateway.send(`/v1/runs/${runId}/events`)).status).toBe(429);
    leave.abort();
    const status = async (): Promise<number> => {
      const again = new AbortController();
      const reply = await gateway.send(`/v1/runs/${runId}/events`, { signal: again.signal });
      again.abort();
      return reply.status;
    };
    await expect.poll(status).toBe(200);
  });

  it("does not read on for a client that does not, and lets it go after the silence", async () => {
    const gateway = await startTestGateway({
      bounds: { connectionTimeoutMs: 600, heartbeatEveryMs: 60_000, eventsPage: 50 },
    });
    const runId = await submit(gateway);
    const big = "x".repeat(60_000);
    for (let i = 0; i < 400; i += 1) await tell(gateway, runId, { id: `${i}-${big}` });
    let reads = 0;
    const { runs } = gateway.store;
    const read = runs.events.bind(runs);
    runs.events = async (...args) => {
      reads += 1;
      return read(...args);
    };
    const socket = await openConnection(gateway);
    socket.write(head(`GET /v1/runs/${runId}/events HTTP/1.1`, KEY));
    socket.pause();
    const metrics = async (): Promise<string> => (await gateway.send("/metrics")).text();
    await expect.poll(metrics).toContain("suture_gateway_waiters 1");
    await expect.poll(metrics).toContain("suture_gateway_waiters 0");
    expect(reads).toBeLessThan(9);
    socket.destroy();
  });
});

describe("GET /v1/runs", () => {
  it("pages through runs of one millisecond without losing or repeating one", async () => {
    const gateway = await startTestGateway();
    const frozenMs = now();
    const thaw = setClock({ now: () => frozenMs });
    onTestFinished(thaw);
    const replies = await Promise.all(Array.from({ length: 60 }, () => gateway.post("/v1/tasks", TASK)));
    thaw();
    const submitted = await Promise.all(
      replies.map(async (reply) => (await answerOf(reply, startedForm)).run_id),
    );
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 30; page += 1) {
      const reply = await answerOf(gateway.send(`/v1/runs?limit=7${cursor}`), pageForm);
      seen.push(...reply.runs.map((run) => run.run_id));
      if (reply.next_cursor === null) break;
      cursor = `&cursor=${reply.next_cursor}`;
    }
    expect(seen.toSorted()).toEqual(submitted.toSorted());
  });

  it("filters by status and team", async () => {
    const gateway = await startTestGateway();
    const [ended, waiting] = [await submit(gateway), await submit(gateway)];
    await tell(gateway, ended, { id: "end", end: true });
    const ids = async (query: string): Promise<string[]> =>
      (await answerOf(gateway.send(`/v1/runs?${query}`), pageForm)).runs.map((run) => run.run_id);
    expect(await ids("status=completed")).toEqual([ended]);
    expect(await ids("status=queued&team=gw-chain")).toEqual([waiting]);
    expect(await ids("team=other")).toEqual([]);
  });

  it.each(["status=lost", "limit=201", "cursor=abc"])("refuses %s", async (query) => {
    const gateway = await startTestGateway();
    expect((await gateway.send(`/v1/runs?${query}`)).status).toBe(422);
  });
});
