import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { defineConfig } from "./define-config.ts";
import { loadConfig, openProject } from "./index.ts";

function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test("the environment comes before .env, and .env before the project's file", async () => {
  const settings = { SUTURE_QUEUE_LIMIT: 1234, SUTURE_GATEWAY_PORT: 7001, SUTURE_CONSOLE_PORT: 7002 };
  const env: NodeJS.ProcessEnv = { SUTURE_GATEWAY_PORT: "9001" };
  const folder = project({
    ".env": "SUTURE_GATEWAY_PORT=8001\nSUTURE_CONSOLE_PORT=8002\n",
    "suture.config.mjs": `export default { teams: "mine", settings: ${JSON.stringify(settings)} };`,
  });
  expect(await openProject(folder, env)).toBe(true);
  const config = loadConfig(env);
  expect(config).toMatchObject({ gatewayPort: 9001, consolePort: 8002, queueLimit: 1234 });
  expect(config.teamsDir).toMatch(/\/mine$/);
});

test("a folder without the file is no project, and its .env is left alone", async () => {
  const env: NodeJS.ProcessEnv = {};
  expect(await openProject(project({ ".env": "SUTURE_QUEUE_LIMIT=77\n" }), env)).toBe(false);
  expect(env).toEqual({});
});

test("what is no configuration is refused by the file's name", async () => {
  const folder = project({ "suture.config.mjs": "export default { team: 1 };" });
  await expect(openProject(folder, {})).rejects.toThrow(/suture\.config\.ts has a default export/);
});

test("secrets and names that mean nothing are refused, a secret's value unsaid", () => {
  const settings = { OPENAI_API_KEY: "sk-12345", SUTURE_QUEU_LIMIT: 1 };
  // As JavaScript would have it: the type refuses the misspelt name.
  const declare = () => defineConfig({ settings });
  expect(declare).toThrow(/OPENAI_API_KEY is a secret[^]*SUTURE_QUEU_LIMIT is no setting/);
  expect(declare).not.toThrow(/sk-12345/);
});
