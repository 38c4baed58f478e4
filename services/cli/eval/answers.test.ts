import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder, listenLocally } from "#shared/testing";
import { startCachingEndpoint } from "./answers.ts";

it("keeps each asking of one request for this user alone, and gives a repeat the same answers in turn", async () => {
  let asked = 0;
  const model = createServer((_request, response) => response.end(`answer ${(asked += 1)}`));
  const parent = temporaryFolder();
  const folder = join(parent, "kept");
  const endpoint = `http://127.0.0.1:${await listenLocally(model)}/v1`;
  const measure = async (questions: readonly string[]): Promise<string[]> => {
    const cache = await startCachingEndpoint({ openaiBaseUrl: endpoint, modelPrices: {} }, folder, {
      left: 0,
    });
    const answers: string[] = [];
    for (const body of questions)
      answers.push(await (await fetch(`${cache.url}/chat`, { method: "POST", body })).text());
    await cache.close();
    return answers;
  };
  expect(await measure(["q", "q", "r"])).toEqual(["answer 1", "answer 2", "answer 3"]);
  expect(await measure(["q", "r", "q", "q"])).toEqual(["answer 1", "answer 3", "answer 2", "answer 4"]);
  expect(statSync(folder).mode & 0o077).toBe(0);
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
});
