import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { uuidv7 } from "#shared/clock";
import { openBytes, sealBytes, UntrustedMessageError } from "#shared/envelope/seals";
import type { KeyEdge, Keyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { forgingKeys } from "#shared/testing";
import { rotate } from "../keys/rotate.ts";
import { issueKeys, openKeys } from "./key-files.ts";

/**
 * Whoever steals the whole key file of one service makes no message that anybody else takes as from a third: every
 * service's file is turned against every edge that is not its own, before whoever verifies that edge.
 */

const TEAMS = "tests/isolated/teams";
const THIEVES = ["surgeon", "relay", "console", "gateway", "dock", "crane", "ledge"];

let dataDir: string;
let edges: readonly KeyEdge[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "suture-stolen-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  edges = edgesOf(await loadTeams(TEAMS));
});

const ringOf = (agent: string): Keyring => issueKeys({ dataDir, edges, agents: [agent] });

/** Names every edge that the thief's file seals on in another's name, before whoever verifies it there. */
function forgedBy(thief: string, generations: readonly number[] = [1]): string[] {
  const file = ringOf(thief);
  const found = edges
    .filter(({ from }) => from !== thief)
    .flatMap((edge) => {
      const verifiers = edge.to === "ward" ? ["surgeon", "relay"] : [edge.to];
      return verifiers.flatMap((verifier) => {
        const keyring = ringOf(verifier);
        return forgingKeys(file, edge, generations)
          .filter((key) => isTaken({ key, edge, keyring }))
          .map(({ key_id }) => key_id);
      });
    });
  return [...new Set(found)].toSorted();
}

function isTaken({
  key,
  edge,
  keyring,
}: {
  readonly key: ReturnType<typeof forgingKeys>[number];
  readonly edge: KeyEdge;
  readonly keyring: Keyring;
}): boolean {
  const id = uuidv7();
  const made = sealBytes({ bytes: "{}", queue: edge.to, id, key });
  const { value } = made.seal;
  // As it is, and as if it were made by the other algorithm; an Ed25519 signature has twice the characters.
  const seals = [
    made.seal,
    { ...made.seal, alg: "EdDSA" },
    { ...made.seal, alg: "EdDSA", value: value + value },
  ];
  return seals.some((seal) => {
    try {
      return (
        openBytes({ message: { ...made, seal }, queue: edge.to, jobId: id, keyring }).key.from === edge.from
      );
    } catch (error) {
      expect(error).toBeInstanceOf(UntrustedMessageError);
      return false;
    }
  });
}

describe("where agents are isolated", () => {
  beforeEach(() => openKeys({ dataDir, trust: "isolated" }));

  it.each(THIEVES)("the key file of %s seals as nobody else", (thief) => {
    expect(forgedBy(thief)).toEqual([]);
  });

  it.each(THIEVES)(
    "the key file of %s holds no shared secret, and private keys of its own edges alone",
    (thief) => {
      const { keys } = JSON.parse(ringOf(thief).exportJson()) as {
        readonly keys: readonly { readonly from: string; readonly alg: string; readonly private?: string }[];
      };
      expect(new Set(keys.map(({ alg }) => alg))).toEqual(new Set(["EdDSA"]));
      const halves = keys.filter((key) => key.private !== undefined);
      expect(new Set(halves.map(({ from }) => from))).toEqual(new Set([thief]));
    },
  );

  it("issues the same keys from the same master, and other ones for the next generation", async () => {
    expect(ringOf("crane").exportJson()).toBe(ringOf("crane").exportJson());
    const before = ringOf("crane").signing("crane", "ledge").verifying.export({ format: "jwk" }).x;
    vi.stubEnv("SUTURE_TRUST", "isolated");
    vi.stubEnv("SUTURE_TEAMS", TEAMS);
    vi.stubEnv("SUTURE_KEYS_CHECK_MS", "100");
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    });
    await rotate({ dataDir });
    const keys = ringOf("ledge");
    expect(keys.find("crane>ledge#1")?.verifying.export({ format: "jwk" }).x).toBe(before);
    expect(keys.find("crane>ledge#2")).toMatchObject({ alg: "EdDSA", signing: undefined });
    expect(keys.find("crane>ledge#2")?.verifying.export({ format: "jwk" }).x).not.toBe(before);
  });
});

it("shared secrets let their receivers, the surgeon and the relay seal as their senders, as SECURITY.md says", () => {
  expect(forgedBy("surgeon")).toEqual(
    expect.arrayContaining(["crane>ledge#1", "dock>ward#1", "gateway>dock#1"]),
  );
  expect(forgedBy("relay")).toEqual(expect.arrayContaining(["crane>ledge#1", "surgeon>ledge#1"]));
  expect(forgedBy("ledge")).toContain("crane>ledge#1");
  // Decisions are signed with pairs in either profile.
  expect(forgedBy("surgeon")).not.toContain("console>ward#1");
});
