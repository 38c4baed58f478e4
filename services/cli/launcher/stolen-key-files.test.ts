import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { uuidv7 } from "#shared/clock";
import { openBytes, sealBytes, UntrustedMessageError } from "#shared/envelope/seals";
import type { KeyEdge, Keyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { forgingKeys, temporaryFolder } from "#shared/testing";
import { rotate } from "../keys/key-commands.ts";
import { issueKeys, openMaster } from "./key-files.ts";

/** A stolen key file of each service, turned against every edge that is not its own, before who verifies it. */

const TEAMS = "tests/support/office-team";
const THIEVES = ["gateway", "inbox", "desk", "archive"];

let dataDir: string;
let edges: readonly KeyEdge[];

beforeEach(async () => {
  dataDir = temporaryFolder();
  openMaster(dataDir);
  edges = edgesOf(await loadTeams(TEAMS));
});

const ringOf = (agent: string): Keyring => issueKeys({ dataDir, edges, agents: [agent] });

/** Names every edge that the thief's file seals on in another's name, before whoever verifies it there. */
function forgedBy(thief: string, generations: readonly number[] = [1]): string[] {
  const file = ringOf(thief);
  const found = edges
    .filter(({ from }) => from !== thief)
    .flatMap((edge) => {
      const verifiers = edge.to === "ward" ? ["surgeon"] : [edge.to];
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
  try {
    return openBytes({ message: made, queue: edge.to, jobId: id, keyring }).key.from === edge.from;
  } catch (error) {
    expect(error).toBeInstanceOf(UntrustedMessageError);
    return false;
  }
}

it.each(THIEVES)("the key file of %s seals as others to itself alone", (thief) => {
  const toOthers = edges.filter(({ to }) => to !== thief).map(({ from, to }) => `${from}>${to}#1`);
  expect(forgedBy(thief).filter((key) => toOthers.includes(key))).toEqual([]);
});

it("the surgeon's key file, which verifies every edge, seals as every agent, as SECURITY.md says", () => {
  const forged = forgedBy("surgeon");
  expect(forged).toEqual(expect.arrayContaining(["gateway>inbox#1", "inbox>desk#1", "desk>ward#1"]));
});

it("issues the same keys from the same master, and other ones for the next generation", async () => {
  expect(ringOf("desk").exportJson()).toBe(ringOf("desk").exportJson());
  const secretOf = (id: string): string =>
    ringOf("desk").find(id)?.verifying.export({ format: "jwk" }).k ?? "none";
  const before = secretOf("inbox>desk#1");
  vi.stubEnv("SUTURE_TEAMS", TEAMS);
  vi.stubEnv("SUTURE_KEYS_CHECK_MS", "100");
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  await rotate({ dataDir });
  expect(secretOf("inbox>desk#1")).toBe(before);
  expect(["none", before]).not.toContain(secretOf("inbox>desk#2"));
});
