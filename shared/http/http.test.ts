import { getEventListeners, once } from "node:events";
import { request } from "node:http";
import fc from "fast-check";
import Fastify from "fastify";
import { expect, onTestFinished, test, it } from "vitest";
import { setClock } from "#shared/clock";
import { digestOfSecret, loadConfig } from "#shared/config";
import { abortWithClient } from "./abort-with-client.ts";
import { clientAddressOf, isInside, lookupOutside, refusalOfAddress } from "./addresses.ts";
import { ApiKeys } from "./api-keys.ts";
import { UnauthorisedError, RateLimitedError } from "./errors.ts";
import { FairLimit, RateLimit } from "./rate-limit.ts";

/** A server whose `/` answers at once, and whose `/waits` answers when its signal is aborted. */
async function startWaiting(stopping: AbortSignal) {
  const signals: AbortSignal[] = [];
  const begun = new EventTarget();
  const app = Fastify();
  app.get("/", async (_request, reply) => {
    signals.push(abortWithClient(reply, stopping));
    return {};
  });
  app.get("/waits", async (_request, reply) => {
    const signal = abortWithClient(reply, stopping);
    signals.push(signal);
    begun.dispatchEvent(new Event("begun"));
    if (!signal.aborted) await once(signal, "abort");
    return {};
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, signals, hasBegun: once(begun, "begun") };
}

test("ends the work when the client is gone", async () => {
  const { url, signals, hasBegun } = await startWaiting(new AbortController().signal);
  const client = new AbortController();
  const reply = fetch(`${url}/waits`, { signal: client.signal });
  await hasBegun;
  expect(signals[0]?.aborted).toBe(false);
  client.abort();
  await expect(reply).rejects.toThrow();
  await expect.poll(() => signals[0]?.aborted).toBe(true);
});

test("leaves nothing on the signal of the service", async () => {
  const stopping = new AbortController();
  const { url, signals } = await startWaiting(stopping.signal);
  for (let i = 0; i < 5; i += 1) await (await fetch(url)).text();
  await expect.poll(() => signals.every((signal) => signal.aborted)).toBe(true);
  expect(getEventListeners(stopping.signal, "abort")).toEqual([]);
});

test.each([
  ["10.0.0.7", "10.0.0.7"],
  ["::ffff:10.0.0.7", "10.0.0.7"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1", "fe80:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  [undefined, ""],
])("counts %s as %s", (address, client) => {
  expect(clientAddressOf(address)).toBe(client);
});

it.each([
  "127.0.0.1",
  "127.255.0.9",
  "0.0.0.0",
  "10.1.2.3",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "fe80::1",
  "fd00::1",
  "ff02::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
])("%s is inside", (address) => expect(isInside(address)).toBe(true));

it.each(["1.1.1.1", "172.32.0.1", "8.8.8.8", "2606:4700::1111"])("%s is outside", (address) =>
  expect(isInside(address)).toBe(false),
);

it.each([
  "http://example.org/hook",
  "https://127.0.0.1/hook",
  "https://2130706433/hook",
  "https://0x7f.1/hook",
  "https://[::1]/hook",
  "https://[::ffff:10.0.0.1]/hook",
  "https://user:pass@example.org/hook",
  "file:///etc/passwd",
  "example.org",
  "",
])("%s may not be called", (address) => expect(refusalOfAddress(address, new Set())).not.toBeNull());

it("may be called where an operator allows the host, and only there", () => {
  const allowed = new Set(["push.internal:8443"]);
  expect(refusalOfAddress("http://push.internal:8443/x", allowed)).toBeNull();
  expect(refusalOfAddress("http://push.internal/x", allowed)).not.toBeNull();
  expect(refusalOfAddress("https://example.org/x", allowed)).toBeNull();
});

it("does not connect by a name that leads inside", async () => {
  const error = await new Promise<Error>((resolve) => {
    request("http://localhost:9/", { lookup: lookupOutside }).once("error", resolve).end();
  });
  expect(error).toMatchObject({ code: "EINSIDE" });
});

const SECRET = "a-secret-that-is-long-enough";
const keys = new ApiKeys(
  loadConfig({ SUTURE_API_KEYS: `ada:admin:${SECRET},vera:viewer:another-secret-long-enough` }).apiKeys ?? [],
);

test("finds the key of a request by its secret alone", () => {
  expect(keys.authorise(`Bearer ${SECRET}`, ["admin"]).name).toBe("ada");
  expect(keys.authorise(`bearer  ${SECRET}`, ["admin"]).name).toBe("ada");
});

test("refuses what is no key of ours, however it is written", () => {
  for (const header of [
    undefined,
    "",
    SECRET,
    "Bearer",
    "Bearer ",
    `Bearer ${SECRET} `,
    `Bearer ${SECRET}x`,
    `Bearer ${SECRET.slice(0, -1)}`,
    `Basic ${SECRET}`,
    `Bearer ${SECRET}, Bearer ${SECRET}`,
    `Bearer ${"x".repeat(5000)}`,
  ]) {
    expect(() => keys.authorise(header, ["admin"]), String(header).slice(0, 60)).toThrow(UnauthorisedError);
  }
});

test("knows keys by the digest of their secret while they are configured", () => {
  expect(keys.withDigest(digestOfSecret(SECRET))?.scope).toBe("admin");
  for (const digest of [SECRET, digestOfSecret("another"), "", "x".repeat(64)])
    expect(keys.withDigest(digest)).toBeNull();
});

test("gives each caller its burst, then one token for each span, never more than the burst", () => {
  let nowMs = 1000;
  onTestFinished(setClock({ now: () => nowMs }));
  const limit = new RateLimit({ burst: 2, perSecond: 4 });
  limit.take("ada");
  limit.take("ada");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
  limit.take("vera");
  nowMs += 250;
  limit.take("ada");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
  nowMs += 60_000;
  limit.take("ada");
  limit.take("ada");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
});

test("remembers a bounded number of callers and forgets the one not seen for longest", () => {
  let nowMs = 1000;
  onTestFinished(setClock({ now: () => nowMs }));
  const limit = new RateLimit({ burst: 1, perSecond: 0.001, callersMax: 2 });
  limit.take("ada");
  limit.take("bea");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
  limit.take("cleo");
  expect(() => limit.take("ada")).toThrow(RateLimitedError);
  limit.take("bea");
});

const limitOf = (max: number, share: number): FairLimit => new FairLimit(max, () => share);

/** Takes places until there is none left for the key. Returns how many it took. */
function takeAll(limit: FairLimit, name: string, tenant: string): number {
  let taken = 0;
  while (limit.enter({ name, tenant }) !== null) taken += 1;
  return taken;
}

it("gives one tenant its share, however many keys it has, and others a share of the rest", () => {
  const limit = limitOf(100, 0.5);
  const shares = Array.from({ length: 60 }, (_, n) => takeAll(limit, `a/${n}`, "a"));
  expect(shares[0]).toBe(25);
  expect(shares.reduce((sum, taken) => sum + taken, 0)).toBe(50);
  expect(takeAll(limit, "b/1", "b")).toBe(12);
  expect(takeAll(limit, "c/1", "c")).toBe(9);
});

it("gives one key half of what there is where there is one tenant", () => {
  const limit = limitOf(100, 1);
  expect([takeAll(limit, "one", "local"), takeAll(limit, "two", "local")]).toEqual([50, 25]);
});

it("leaves a place to a key and a tenant that have none, whatever one tenant takes and gives back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 40 }),
      fc.array(fc.tuple(fc.nat(12), fc.boolean()), { maxLength: 200 }),
      (max, steps) => {
        const limit = limitOf(max, 0.5);
        const held: (() => void)[] = [];
        for (const [key, isTaken] of steps) {
          if (!isTaken) {
            held.pop()?.();
            continue;
          }
          const leave = limit.enter({ name: `a/${key}`, tenant: "a" });
          if (leave !== null) held.push(leave);
        }
        expect(limit.count).toBe(held.length);
        expect(limit.count).toBeLessThanOrEqual(max / 2);
        expect(limit.enter({ name: "b/1", tenant: "b" })).not.toBeNull();
        for (const leave of held) leave();
        for (const leave of held) leave();
        expect(limit.count).toBe(1);
      },
    ),
    { seed: 11, numRuns: 300 },
  );
});
