import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { loadTeams } from "#shared/runtime";
import { obtainRedisServer } from "../infra/redis/obtain-redis-server.ts";
import { buildImage } from "./support/compose/build-image.ts";
import { composeUp } from "./support/compose/compose-up.ts";
import type { RunningCompose } from "./support/compose/compose-up.ts";
import { readCompose } from "./support/compose/read-compose.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";

/** The compose file as `docker compose up` runs it on an empty volume, with a key for a model and nothing else set. */

const root = dirname(import.meta.dirname);
const COMPOSE_FILE = join(root, "docker-compose.yml");
const runSchema = z.looseObject({ status: z.string() });

const LEAD = {
  company: "Bright Labs",
  seats: 120,
  customer_email: "karen.osei@brightlabs.example",
  language: "en",
  summary: "Asks for a quote for 120 seats.",
  text: "We need a quote for 120 seats.",
  budget: { value: 15_000, currency: "EUR" },
};

async function startAll(): Promise<RunningCompose> {
  const folder = mkdtempSync(join(tmpdir(), "suture-compose-test-"));
  const model = await startModelEndpoint(await loadTeams(join(root, "services/agents")));
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const running = await composeUp({
    // The address too, because tests call nobody outside; all else is left to its default.
    file: readCompose(COMPOSE_FILE, {
      OPENAI_API_KEY: "sk-test-0123456789abcdef",
      OPENAI_BASE_URL: model.url,
    }),
    root,
    image: buildImage(root, join(folder, "image")),
    folder,
    redis: await obtainRedisServer({
      say: () => undefined,
      fallbackDir: join(root, ".suture", "redis-server"),
    }),
  });
  onTestFinished(async () => void (await running.stop()));
  return running;
}

/** Sends a task and returns how its run ended. */
async function submit(running: RunningCompose, path: string, body: unknown): Promise<string> {
  const gateway = running.urlOf("gateway", 8080);
  const keys = join(running.volume("data"), "keys/api-keys");
  await expect.poll(() => existsSync(keys), { timeout: 60_000 }).toBe(true);
  const key = readFileSync(keys, "utf8").trim().split(":")[2] ?? "";
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = () => fetch(gateway + path, { method: "POST", headers, body: JSON.stringify(body) });
  await expect
    .poll(
      () =>
        post().then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(202);
  const { run_id: runId } = z.looseObject({ run_id: z.string() }).parse(await (await post()).json());
  const show = async (): Promise<string> =>
    runSchema.parse(await (await fetch(`${gateway}/v1/runs/${runId}`, { headers })).json()).status;
  await expect.poll(show, { timeout: 90_000 }).toMatch(/completed|failed|expired|quarantined/);
  return show();
}

it("starts on an empty volume, takes a task to its result, heals a broken one and stops when it is told to", async () => {
  const running = await startAll();
  const task = {
    team: "support",
    input: {
      from: "Ada <ada@example.org>",
      subject: "Refund for order A-10245",
      body: "The lamp arrived broken. I'd like my money back please, it was 42.50 EUR. Order number is A-10245.",
    },
  };
  const fenced = {
    target_agent: "sales",
    contract: "sales.lead@1",
    data_payload: `\`\`\`json\n${JSON.stringify(LEAD)}\n\`\`\``,
    on_invalid: "ward",
  };
  const runs = [submit(running, "/v1/tasks", task), submit(running, "/v1/handoffs", fenced)];
  expect(await Promise.race([running.failed, Promise.all(runs)])).toEqual(["completed", "completed"]);
  expect(Object.entries(await running.stop()).filter(([, code]) => code !== 0)).toEqual([]);
}, 180_000);
