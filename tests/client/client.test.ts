import { createServer } from "node:http";
import { expect, expectTypeOf, test } from "vitest";
import { createClient } from "#shared/client";
import type { Client, ClientOptions, RunEvent, TeamsOf } from "#shared/client";
import { openLink, listenLocally } from "#shared/testing";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import type { TestGateway, TestGatewayOptions } from "../../services/gateway/testing/start-test-gateway.ts";
import { counting } from "./counting-team.ts";

/** A fault of the network that happens once. */
interface Fault {
  /** Happens to the next request that contains this text. */
  readonly on: string;
  /** `request`: breaks off within it. `answer`: the request arrives, and its answer breaks off. */
  readonly cuts: "request" | "answer";
  /** Bytes that still pass. Default 0. */
  readonly after?: number;
}

/** A way to an HTTP server, on which connections break where a test says. */
interface FaultyLink {
  readonly url: string;
  /** Faults to come, in order. One that has happened is no longer there. */
  readonly faults: Fault[];
  /** Breaks every connection; from then on they lead to another port. Null: none is taken. */
  leadTo(port: number | null): void;
}

/** Opens a link to a port of this machine; closes it after the test. */
async function openFaultyLink(port: number): Promise<FaultyLink> {
  let target: number | null = port;
  const faults: Fault[] = [];
  const link = await openLink(
    () => (target === null ? null : { port: target }),
    ({ client, server }) => {
      /** Bytes of the answer that still pass. */
      let left = Infinity;
      const breakOff = (): void => {
        client.resetAndDestroy();
        server.resetAndDestroy();
      };
      return {
        toServer: (bytes) => {
          const fault = faults[0] !== undefined && bytes.includes(faults[0].on) ? faults.shift() : undefined;
          if (fault?.cuts === "answer") left = fault.after ?? 0;
          if (fault?.cuts !== "request") return void server.write(bytes);
          server.write(bytes.subarray(0, fault.after ?? 0), breakOff);
        },
        toClient: (bytes) => {
          const passing = bytes.subarray(0, left);
          left -= passing.length;
          if (passing.length === bytes.length) client.write(passing);
          // Ended in order after its last byte, so that this byte arrives.
          else client.end(passing, () => client.destroy());
        },
      };
    },
  );
  return {
    url: `http://127.0.0.1:${link.port}`,
    faults,
    leadTo(next) {
      target = next;
      link.breakAll();
    },
  };
}

type Teams = TeamsOf<typeof counting>;

interface Linked {
  readonly gateway: TestGateway;
  readonly link: FaultyLink;
  readonly client: Client<Teams>;
}

async function startLinked(
  options: TestGatewayOptions = {},
  ofClient: Partial<ClientOptions> = {},
): Promise<Linked> {
  const gateway = await startTestGateway({ team: counting, ...options });
  const link = await openFaultyLink(gateway.port);
  return { gateway, link, client: createClient<Teams>({ url: link.url, key: SECRETS.submit, ...ofClient }) };
}

const countRuns = async ({ gateway }: Linked): Promise<number> =>
  (await gateway.store.runs.counts()).submitted;

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const collected: RunEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

test("submits, follows and returns the result with the types of the team", async () => {
  const linked = await startLinked();
  await linked.gateway.system.start();
  const run = await linked.client.submit("cl-count", { text: "three small words" }, { priority: "high" });
  const { words }: { words: number } = await run.result();
  expect(words).toBe(3);
  const events = await collect(run.events());
  expect(events.map(({ type }) => type)).toEqual(["submitted", "handed_off", "completed"]);
  for (const event of events)
    if (event.type === "handed_off") expect(event.detail.next?.[0]?.agent).toBe("cl-count");
  const shown = await linked.client.run("cl-count", run.id).show();
  expect(shown.hops.map(({ agent: name }) => name)).toEqual(["cl-read", "cl-count"]);
});

test("has the types of the declared teams, and errors with code, class, remedy and place", async () => {
  const { link } = await startLinked();
  expectTypeOf<Teams["cl-count"]>().branded.toEqualTypeOf<{
    readonly input: { text: string };
    readonly result: { words: number };
  }>();
  const untyped = createClient({ url: link.url, key: SECRETS.submit });
  await expect(untyped.submit("cl-count", { texts: 1 })).rejects.toMatchObject({
    code: "PAYLOAD_INVALID",
    failureClass: "validation_error",
    status: 422,
    remedy: expect.stringMatching(/\w+/),
    issues: expect.arrayContaining([expect.objectContaining({ path: "/input/text" })]),
  });
  await expect(untyped.submit("other", {})).rejects.toMatchObject({ status: 422 });
});

test("starts one run when connections break within the request and within its answer", async () => {
  const linked = await startLinked();
  const on = "POST /v1/tasks";
  linked.link.faults.push(
    { on, cuts: "request", after: 60 },
    { on, cuts: "answer" },
    { on, cuts: "answer", after: 600 },
  );
  const run = await linked.client.submit("cl-count", { text: "once" });
  expect(linked.link.faults).toEqual([]);
  expect(await countRuns(linked)).toBe(1);
  const again = await linked.client.submit("cl-count", { text: "once" });
  expect(again.id).not.toBe(run.id);
  expect(await countRuns(linked)).toBe(2);
});

test("goes on after a gateway that was killed and one that took its place", async () => {
  const linked = await startLinked();
  const run = await linked.client.submit("cl-count", { text: "a b" });
  const seen: string[] = [];
  const following = (async () => {
    for await (const { type } of run.events()) seen.push(type);
  })();
  const result = run.result();
  await expect.poll(() => seen).toEqual(["submitted"]);
  linked.link.leadTo(null);
  await linked.gateway.running.stop(0);
  const submitting = linked.client.submit("cl-count", { text: "meanwhile" });
  const next = await startTestGateway({ system: linked.gateway.system });
  linked.link.leadTo(next.port);
  await linked.gateway.system.start();
  expect(await result).toEqual({ words: 2 });
  await following;
  expect(seen).toEqual(["submitted", "handed_off", "completed"]);
  expect(await (await submitting).result()).toEqual({ words: 1 });
});

test("ends every wait with its signal, and the wait for a result also with its time", async () => {
  const { client, link } = await startLinked();
  const run = await client.submit("cl-count", { text: "nobody reads it" });
  await expect(run.result({ timeoutMs: 300 })).rejects.toMatchObject({ code: "RESULT_TIMED_OUT" });
  const reason = new Error("enough");
  const abortSoon = (): AbortSignal => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 200);
    return controller.signal;
  };
  await expect(run.result({ signal: abortSoon() })).rejects.toBe(reason);
  await expect(collect(run.events({ signal: abortSoon() }))).rejects.toBe(reason);
  link.leadTo(null);
  await expect(client.submit("cl-count", { text: "x" }, { signal: abortSoon() })).rejects.toBe(reason);
  await expect(run.show({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const hasty = createClient<Teams>({ url: link.url, key: SECRETS.submit, retryForMs: 300 });
  await expect(hasty.submit("cl-count", { text: "x" })).rejects.toMatchObject({
    code: "GATEWAY_UNREACHABLE",
    failureClass: "transient",
  });
});

test.each([301, 302, 307, 308])("sends neither key nor task after a redirect, %s", async (status) => {
  const requests: (string | undefined)[] = [];
  const origin = async (answer: Parameters<typeof createServer>[1]): Promise<string> => {
    const server = createServer(answer);
    const port = await listenLocally(server);
    return `http://127.0.0.1:${port}`;
  };
  const attacker = await origin((request, reply) => {
    requests.push(request.headers.authorization);
    reply.end("{}");
  });
  const url = await origin((request, reply) => {
    request.resume();
    reply.writeHead(status, { location: `${attacker}/v1/tasks` }).end();
  });
  const client = createClient({ url, key: SECRETS.submit });
  await expect(client.submit("cl-count", { text: "x" })).rejects.toMatchObject({ code: "REDIRECT_REFUSED" });
  await expect(collect(client.run("cl-count", "x").events())).rejects.toMatchObject({
    code: "REDIRECT_REFUSED",
  });
  expect(requests).toEqual([]);
});

test("keeps its key out of errors, and refuses at once what no header can carry", async () => {
  const { link } = await startLinked();
  const client = createClient({ url: link.url, key: "wrong-secret-0123456789" });
  const error: unknown = await client.submit("cl-count", {}).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "UNAUTHORISED", status: 401 });
  expect(JSON.stringify(error) + String(error)).not.toContain("wrong-secret");
  await expect(client.submit("cl-count", {}, { idempotencyKey: "a\nb" })).rejects.toThrow(TypeError);
});
