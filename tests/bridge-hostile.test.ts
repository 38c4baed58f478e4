import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { randomHex } from "#shared/clock";
import { Secret } from "#shared/config";
import { createFirst } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import type { FirstDraft } from "#shared/envelope";
import { encodeCarried, routingOf } from "#shared/wire";
import type { CarriedMessage } from "#shared/wire";
import { PeerLink } from "../services/bridge/link/peer-link.ts";
import { REQUEST_HEADER, writeHead } from "../services/bridge/link/signature.ts";
import { openBridgedDeployment } from "./support/bridged-deployment.ts";
import type { BridgedDeployment } from "./support/bridged-deployment.ts";
import { SECRET } from "./support/two-clusters.ts";
import type { TestCluster } from "./support/two-clusters.ts";

/** What comes to a bridge's port and is not what it says, or not from whom it says. Nothing of it may take effect. */

const TEST_MS = 60_000;
/** A message that nobody has heard of. */
const UNKNOWN = "0199aaaa-0000-7000-8000-000000000001";
const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** A genuine message from intake to appraise, as the home's bridge would send it. */
function genuine({ keyring }: TestCluster, draft: Partial<FirstDraft> = {}): CarriedMessage {
  const envelope = createFirst({
    from: "abroad-intake@1",
    to: "abroad-appraise@1",
    contract: "abroad.order@1",
    payload: { task: "t-1" },
    traceparent: TRACEPARENT,
    ...draft,
  });
  const to = envelope.meta.target_agent.split("@")[0] ?? "";
  const from = envelope.meta.source_agent.split("@")[0] ?? "";
  const { message } = seal({ envelope, queue: to, key: keyring.signing(from, to) });
  return { sealed: message, routing: routingOf(envelope), home: "home", firstSentMs: Date.now() };
}

/** Asks the far bridge as the home's would, with its secret. */
function linkToFar({ far }: BridgedDeployment, from = "home"): PeerLink {
  const url = `http://127.0.0.1:${far.config.port}`;
  const peer = { cluster: "far", url, agents: [], secrets: [new Secret(SECRET)] };
  const link = new PeerLink(peer, { cluster: from, tls: null, requestMs: 5000 });
  onTestFinished(() => link.close());
  return link;
}

async function post(
  deployment: BridgedDeployment,
  path: string,
  body: Uint8Array,
): Promise<{ status: number; code: unknown }> {
  const reply = await linkToFar(deployment).post(path, body, AbortSignal.timeout(5000));
  const { code }: { code?: unknown } = JSON.parse(reply.body.toString());
  return { status: reply.status, code };
}

/** A request of any making, over a connection of its own; null: its body never comes. @returns its status. */
async function postRaw(
  port: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer | null,
): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
  try {
    const stream = session.request({ ":method": "POST", ":path": "/v1/handoffs", ...headers });
    const status = new Promise<number>((resolve, reject) => {
      stream.once("response", ({ ":status": code }) => resolve(Number(code)));
      stream.once("error", reject);
    });
    if (body !== null) stream.end(body);
    return await status;
  } finally {
    session.destroy();
  }
}

async function openFar(): Promise<BridgedDeployment> {
  const deployment = await openBridgedDeployment();
  await deployment.far.startBridge();
  return deployment;
}

async function expectNothingTaken({ far }: BridgedDeployment): Promise<void> {
  expect(await far.system.store.runs.counts()).toMatchObject({ submitted: 0 });
  expect(await far.redis.redis.keys("*taken*")).toEqual([]);
}

it(
  "believes no request that is unsigned, of a stranger, under another secret, for somebody else, changed or old",
  async () => {
    const deployment = await openFar();
    const { port } = deployment.far.config;
    const body = encodeCarried(genuine(deployment.home));
    const request = {
      method: "POST",
      path: "/v1/handoffs",
      from: "home",
      to: "far",
      sentMs: Date.now(),
      nonce: randomHex(16),
      body,
    };
    const secret = new Secret(SECRET);
    const length = { "content-length": String(body.length) };
    const heads = [
      "",
      "v1",
      writeHead({ ...request, from: "stranger" }, secret),
      writeHead(request, new Secret(Buffer.alloc(32, 1).toString("base64url"))),
      writeHead({ ...request, to: "elsewhere" }, secret),
      writeHead({ ...request, path: "/v1/news" }, secret),
      writeHead({ ...request, method: "PUT" }, secret),
      writeHead({ ...request, body: Buffer.from("other") }, secret),
      writeHead({ ...request, sentMs: request.sentMs - 600_000 }, secret),
      writeHead({ ...request, sentMs: request.sentMs + 600_000 }, secret),
      writeHead(request, secret).replace(String(request.sentMs), String(request.sentMs + 1)),
    ];
    for (const head of heads)
      expect(await postRaw(port, { [REQUEST_HEADER]: head, ...length }, body)).toBe(401);
    await expectNothingTaken(deployment);
    expect(await postRaw(port, { [REQUEST_HEADER]: writeHead(request, secret), ...length }, body)).toBe(200);
    expect(await postRaw(port, { [REQUEST_HEADER]: writeHead(request, secret), ...length }, body)).toBe(401);
  },
  TEST_MS,
);

it(
  "reads no body of unknown or too great a length, and knows no other operation",
  async () => {
    const deployment = await openFar();
    const { port } = deployment.far.config;
    const body = Buffer.alloc(10);
    const sentMs = Date.now();
    const request = {
      method: "POST",
      path: "/v1/handoffs",
      from: "home",
      to: "far",
      sentMs,
      nonce: randomHex(16),
      body,
    };
    const head = { [REQUEST_HEADER]: writeHead(request, new Secret(SECRET)) };
    expect(await postRaw(port, head, body)).toBe(413);
    expect(await postRaw(port, { ...head, "content-length": "5000000" }, null)).toBe(413);
    expect(await post(deployment, "/v1/other", body)).toEqual({
      status: 404,
      code: "BRIDGE_OPERATION_UNKNOWN",
    });
    await expectNothingTaken(deployment);
  },
  TEST_MS,
);

it(
  "takes no message that is no message, misdirected, of a broken seal, or with routing fields of its own",
  async () => {
    const deployment = await openFar();
    const good = genuine(deployment.home);
    const send = (carried: CarriedMessage) => post(deployment, "/v1/handoffs", encodeCarried(carried));
    const { sealed, routing } = good;
    expect(await post(deployment, "/v1/handoffs", Buffer.from("no protobuf"))).toMatchObject({
      status: 422,
      code: "WIRE_MALFORMED",
    });
    expect(await send({ ...good, routing: { ...routing, target_agent: "abroad-report@1" } })).toMatchObject({
      status: 422,
      code: "BRIDGE_MISDIRECTED",
    });
    expect(await send({ ...good, home: "nowhere" })).toMatchObject({
      status: 422,
      code: "BRIDGE_MISDIRECTED",
    });
    expect(
      await send({ ...good, sealed: { ...sealed, sealed: sealed.sealed.replace("t-1", "t-2") } }),
    ).toMatchObject({
      status: 422,
      code: "ENVELOPE_SIGNATURE_MISMATCH",
    });
    expect(await send({ ...good, routing: { ...routing, expires_at: null } })).toMatchObject({
      status: 422,
      code: "WIRE_ROUTING_MISMATCH",
    });
    // Along an edge whose both ends live there: nobody may bring it from outside.
    const inside = genuine(deployment.home, { from: "abroad-appraise@1", to: "abroad-archive@1" });
    expect(await send(inside)).toMatchObject({ status: 422, code: "BRIDGE_MISDIRECTED" });
    await expectNothingTaken(deployment);
    expect(await send(good)).toEqual({ status: 200, code: undefined });
    const changed = genuine(deployment.home, { runId: routing.run_id, payload: { task: "t-2" } });
    expect(changed.routing.message_id).toBe(routing.message_id);
    expect(await send(changed)).toEqual({ status: 409, code: "BRIDGE_TAKEN_FOREIGN" });
  },
  TEST_MS,
);

it(
  "lets a peer tell of no message that is held here, and applies nothing of news that it cannot read",
  async () => {
    const { home, submit } = await openBridgedDeployment();
    await home.startBridge();
    const runId = await submit("t-1");
    const [first] = await home.system.store.runs.messages(runId);
    const id = first?.message_id ?? "";
    const closes = (message: string, at = 0): string[] => {
      const event = {
        id: `e-${at}`,
        run_id: runId,
        type: "completed",
        at: "",
        message_id: message,
        agent: "abroad-intake",
        detail: {},
      };
      return [
        event.id,
        JSON.stringify(event),
        message,
        "1000000000",
        "closed",
        "abroad-intake",
        "0",
        "",
        '"forged"',
        "",
        "0",
        "0",
        "0",
      ];
    };
    const url = `http://127.0.0.1:${home.config.port}`;
    const peer = { cluster: "home", url, agents: [], secrets: [new Secret(SECRET)] };
    const link = new PeerLink(peer, { cluster: "far", tls: null, requestMs: 5000 });
    onTestFinished(() => link.close());
    const tell = async (told: unknown): Promise<number> =>
      (await link.post("/v1/news", Buffer.from(JSON.stringify({ told })), AbortSignal.timeout(5000))).status;
    expect(await tell([{ run_id: runId, change: closes(id) }])).toBe(200);
    for (const broken of [
      [],
      ["x"],
      closes(id).slice(0, -1),
      closes(id).with(3, "2000000000"),
      closes(id).with(4, "finished"),
      closes(id).with(6, "7"),
      closes(id).with(1, "{"),
      closes(id).with(0, "another"),
    ]) {
      expect(
        await tell([
          { run_id: runId, change: closes(UNKNOWN, 1) },
          { run_id: runId, change: broken },
        ]),
      ).toBe(422);
    }
    expect(await tell("nothing")).toBe(422);
    const run = await home.system.store.runs.get(runId);
    expect(run).toMatchObject({ status: "running", result: null });
    const events = await home.system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.filter(({ type }) => type === "completed")).toEqual([]);
  },
  TEST_MS,
);

it(
  "ends no message for a yes that its peer did not sign, for that very request",
  async () => {
    const impostor = createServer();
    impostor.on("stream", (stream) => {
      stream.on("error", () => undefined);
      stream.respond({ ":status": 200, "suture-bridge-reply": "A".repeat(43) });
      stream.end('{"state":"taken"}');
    });
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void impostor.close());
    const { port } = impostor.address() as AddressInfo;
    const peer = {
      cluster: "far",
      url: `http://127.0.0.1:${port}`,
      agents: [],
      secrets: [new Secret(SECRET)],
    };
    const link = new PeerLink(peer, { cluster: "home", tls: null, requestMs: 2000 });
    onTestFinished(() => link.close());
    await expect(
      link.post("/v1/handoffs", Buffer.from("x"), AbortSignal.timeout(5000)),
    ).rejects.toMatchObject({
      code: "BRIDGE_PEER_UNREACHABLE",
    });
  },
  TEST_MS,
);
