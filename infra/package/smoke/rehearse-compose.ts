import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { z } from "zod";
import { buildImage } from "../../compose/build-image.ts";
import { composeUp } from "../../compose/compose-up.ts";
import type { RunningCompose } from "../../compose/compose-up.ts";
import { readCompose } from "../../compose/read-compose.ts";
import { obtainRedisServer } from "../../redis/obtain-redis-server.ts";

const MODEL_KEY = "sk-of-nobody";
const GIST = "The parcel is late.";
const ANSWER_MS = 60_000;
const runSchema = z.object({ run_id: z.string() });
const endSchema = z.object({ status: z.literal("completed"), result: z.object({ gist: z.string() }) });

/** Rehearses `docker compose up --build` on what `suture init` wrote; submits one task. @throws {Error} It fails. */
export async function rehearseCompose(root: string, outside: string): Promise<void> {
  const temporary = (name: string): string => mkdtempSync(join(dirname(outside), `suture-${name}-`));
  // As root each service runs as its own user, who reads the image as any user of a container does.
  chmodSync(outside, 0o755);
  const folders = { image: temporary("image"), volumes: temporary("volumes") };
  chmodSync(folders.image, 0o755);
  const model = await startModel();
  const file = readCompose(join(outside, "compose.yml"), {
    OPENAI_API_KEY: MODEL_KEY,
    OPENAI_BASE_URL: model.url,
  });
  try {
    const running = await composeUp({
      file,
      root: outside,
      image: buildImage(outside, folders.image, {
        dockerfile: file.services["gateway"]?.build?.dockerfile ?? "",
        packages: "installed",
      }),
      folder: folders.volumes,
      redis: await obtainRedisServer({
        say: () => undefined,
        fallbackDir: join(root, ".suture", "redis-server"),
      }),
    });
    try {
      await askThrough(running);
    } finally {
      await running.stop();
    }
  } finally {
    model.close();
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
  }
}

/** A model that has read one text, at an address of this machine. */
async function startModel(): Promise<{ readonly url: string; readonly close: () => void }> {
  const message = { role: "assistant", content: JSON.stringify({ gist: GIST }) };
  const server = createServer((request, response) => {
    request.resume();
    const isAllowed = request.headers.authorization === `Bearer ${MODEL_KEY}`;
    response.writeHead(isAllowed ? 200 : 401, { "content-type": "application/json" }).end(
      JSON.stringify({
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 1,
        model: "gpt-5-mini",
        choices: [{ index: 0, message, finish_reason: "stop", logprobs: null }],
        usage: { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 },
      }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => void server.close() };
}

async function askThrough(running: RunningCompose): Promise<void> {
  const keys = readFileSync(join(running.folders.volume("secrets-gateway"), "api-keys"), "utf8");
  const headers = {
    authorization: `Bearer ${keys.trim().split(":")[2] ?? ""}`,
    "content-type": "application/json",
  };
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(running.urlOf("gateway", 8080) + path, {
      ...request,
      headers,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return response.json();
  };
  const task = { team: "hello", input: { text: "The parcel is late. It was sent on Monday." } };
  const { run_id } = runSchema.parse(await ask("/v1/tasks", task));
  const run = await ask(`/v1/runs/${run_id}?wait=30`);
  if (endSchema.safeParse(run).data?.result.gist !== GIST)
    throw new Error(`The run is ${JSON.stringify(run)}. ${running.outputOf("agent-hello").slice(-3000)}`);
  const page = await fetch(running.urlOf("console", 8081), { signal: AbortSignal.timeout(ANSWER_MS) });
  if (!page.ok) throw new Error(`The console answered ${page.status}.`);
}
