import { expect, it } from "vitest";
import { ConfigError, loadConfig } from "./index.ts";

const SECRET = "A".repeat(43);
const PEER = {
  cluster: "us",
  url: "https://bridge.us.example.org:8083",
  secrets: [SECRET],
  agents: ["refunds"],
};

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map(({ variable, problem }) => `${variable} ${problem}`);
    throw error;
  }
  return [];
}

const withPeers = (...peers: readonly unknown[]): Record<string, string> => ({
  SUTURE_BRIDGE_CLUSTER: "eu",
  SUTURE_BRIDGE_PEERS: JSON.stringify(peers),
});

it("has no bridge unless one is named", () => {
  expect(loadConfig({}).bridge).toMatchObject({
    cluster: null,
    peers: [],
    port: 8083,
    tls: null,
    window: 32,
  });
});

it("reads peers, and shows no secret of theirs", () => {
  const { bridge } = loadConfig(withPeers({ ...PEER, url: `${PEER.url}/` }));
  expect(bridge).toMatchObject({
    cluster: "eu",
    peers: [{ cluster: "us", url: PEER.url, agents: ["refunds"] }],
  });
  expect(bridge.peers[0]?.secrets[0]?.reveal()).toBe(SECRET);
  expect(JSON.stringify(bridge)).not.toContain(SECRET);
});

it.each([
  ["no JSON", "[{]"],
  ["an address with a path", [{ ...PEER, url: "https://a.example.org/bridge" }]],
  ["an address with a password", [{ ...PEER, url: "https://a:b@a.example.org" }]],
  ["an address that is none", [{ ...PEER, url: "ftp://a.example.org" }]],
  ["a short secret", [{ ...PEER, secrets: ["short"] }]],
  ["no secret", [{ ...PEER, secrets: [] }]],
  ["a name that is none", [{ ...PEER, cluster: "U S" }]],
  ["an unknown field", [{ ...PEER, secret: SECRET }]],
  ["a cluster twice", [PEER, { ...PEER, agents: [] }]],
  ["an agent in two places", [PEER, { ...PEER, cluster: "asia" }]],
  ["this cluster itself", [{ ...PEER, cluster: "eu" }]],
])("refuses peers with %s, without their secrets", (_name, peers) => {
  const text = typeof peers === "string" ? peers : JSON.stringify(peers);
  const problems = problemsOf({ SUTURE_BRIDGE_CLUSTER: "eu", SUTURE_BRIDGE_PEERS: text });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^SUTURE_BRIDGE_PEERS /);
  expect(problems[0]).not.toContain(SECRET);
});

it("refuses peers of a cluster without a name, and halves of TLS", () => {
  expect(problemsOf({ SUTURE_BRIDGE_PEERS: JSON.stringify([PEER]) })).toEqual([
    "SUTURE_BRIDGE_CLUSTER must be set for SUTURE_BRIDGE_PEERS",
  ]);
  expect(problemsOf({ SUTURE_BRIDGE_TLS_CERT: "@package.json" })).toEqual([
    "SUTURE_BRIDGE_TLS_CERT names a file that is not PEM",
  ]);
});
