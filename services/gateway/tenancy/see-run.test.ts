import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";

/** Files that read runs or events from the store themselves, and why nothing of a payload leaves by them. */
const BESIDE_THE_DOOR: Readonly<Record<string, string>> = {
  "tenancy/see-run.ts": "is the door",
  "webhook/send-webhooks.ts": "looks at status and age; what it sends is read through the door",
  "runs/list-runs.ts": "gives summaries",
  "runs/start-run.ts": "gives ids of a repeated request",
  "runs/read-task.ts": "looks for a message's id",
  "agent-protocol/operations.ts": "gives records to a reader that masks them, and counts what was uploaded",
  "a2a/request-handler.ts": "gives records to a reader that masks them",
};

test("reads runs and events by one door, so that no operation shows them unmasked", () => {
  const readers = globSync("**/*.ts", { cwd: "services/gateway" })
    .filter((file) => !file.includes(".test.") && !file.startsWith("testing/"))
    .filter((file) =>
      /\bruns\s*\.(?:get|find|findConfirmed|events|eventsConfirmed|page|list)\(|\breadEvents\(/.test(
        readFileSync(`services/gateway/${file}`, "utf8"),
      ),
    );
  expect(readers.toSorted()).toEqual(Object.keys(BESIDE_THE_DOOR).toSorted());
});

test("gives stored files to no key that only reads, where a team marks anything", async () => {
  const Visit = contract("seen.visit@1", z.strictObject({ patient: sensitive(z.string()) }));
  const visits = agent("seen-visit@1", { accepts: Visit, handle: (_visit, ctx) => ctx.complete({}) });
  const [marking, plain] = [
    await startTestGateway({ team: team("clinic", [visits]) }),
    await startTestGateway(),
  ];
  for (const [gateway, status] of [
    [marking, 403],
    [plain, 200],
  ] as const) {
    const stored = await gateway.send("/v1/blobs", { method: "POST", body: "a message of Ada's" });
    const { sha256 } = z.looseObject({ sha256: z.string() }).parse(await stored.json());
    expect((await gateway.send(`/v1/blobs/${sha256}`, { key: SECRETS.viewer })).status).toBe(status);
    expect((await gateway.send(`/v1/blobs/${sha256}`, { key: SECRETS.submit })).status).toBe(200);
  }
});
