import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#shared/testing";
import type { Rehearsal } from "../server.ts";
import { openServer } from "../testing/open-server.ts";

const start = (dataDir: string): Promise<Rehearsal> => openServer({ dataDir });

interface Reply {
  readonly status: number;
  // Each test knows what it asked for.
  readonly body: Record<string, unknown> & { readonly total?: number };
}

async function post(rehearsal: Rehearsal, path: string, body: unknown, key?: string): Promise<Reply> {
  const response = await fetch(`${rehearsal.url}/sandbox${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Reply["body"] };
}

async function get(rehearsal: Rehearsal, path: string): Promise<Reply> {
  const response = await fetch(`${rehearsal.url}/sandbox${path}`);
  return { status: response.status, body: (await response.json()) as Reply["body"] };
}

const refund = { order_id: "AB-12345", amount: 42.5, currency: "EUR", account: "a1", reason: "damaged" };

test("pays once for one key, however often and however much at once it is asked", async () => {
  const rehearsal = await start(temporaryFolder());
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => post(rehearsal, "/payments/refunds", refund, "k1")),
  );
  expect(new Set(replies.map(({ status, body }) => `${status} ${String(body["refund_id"])}`)).size).toBe(1);
  expect(replies[0]?.status).toBe(201);
  const { body } = await get(rehearsal, "/payments/refunds?key=k1");
  expect(body).toMatchObject({ refunds: [{ ...refund, idempotency_key: "k1" }], total: 1 });
  expect((await get(rehearsal, "/payments/refunds?key=other")).body).toEqual({ refunds: [], total: 0 });
});

test("pays every time without a key, and refuses a key that comes with another request", async () => {
  const rehearsal = await start(temporaryFolder());
  await post(rehearsal, "/payments/refunds", refund);
  await post(rehearsal, "/payments/refunds", refund);
  expect((await get(rehearsal, "/payments/refunds")).body.total).toBe(2);
  await post(rehearsal, "/payments/refunds", refund, "k");
  expect((await post(rehearsal, "/payments/refunds", { ...refund, amount: 43 }, "k")).status).toBe(409);
});

test("remembers across a restart, drops half a last line, and goes on after it", async () => {
  const dataDir = temporaryFolder();
  const first = await start(dataDir);
  const paid = await post(first, "/payments/refunds", refund, "k1");
  await post(first, "/tickets", { queue: "ops", title: "Lost parcel", body: "…", severity: "high" }, "t1");
  await first.close();
  await appendFile(join(dataDir, "sandbox.jsonl"), '{"kind":"refund","id":"re');
  const second = await start(dataDir);
  expect((await post(second, "/payments/refunds", refund, "k1")).body["refund_id"]).toBe(
    paid.body["refund_id"],
  );
  await post(second, "/crm/leads", { company: "Acme", score: 80 }, "l1");
  await second.close();
  const third = await start(dataDir);
  for (const path of ["/payments/refunds", "/tickets", "/crm/leads"])
    expect((await get(third, path)).body.total).toBe(1);
});

test("has an effect on the disk before it says so", async () => {
  const dataDir = temporaryFolder();
  const rehearsal = await start(dataDir);
  const paid = await post(rehearsal, "/payments/refunds", refund, "k1");
  expect(await readFile(join(dataDir, "sandbox.jsonl"), "utf8")).toContain(String(paid.body["refund_id"]));
});

test("does not start over a journal that is damaged in the middle", async () => {
  const dataDir = temporaryFolder();
  await writeFile(join(dataDir, "sandbox.jsonl"), "{}\n");
  await expect(start(dataDir)).rejects.toMatchObject({ code: "REHEARSAL_JOURNAL_DAMAGED" });
});
