import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { run } from "./open-outside.ts";

const PAGE_ADDRESS = "http://127.0.0.1:8080";
const PAGE = "docs/quick-start/library.md";
/** Commands of the page, which the story goes through. */
const COMMANDS = ["npx suture init", "npm install", "npm test", "npx suture dev"];

/**
 * Writes the page's files as a reader would: a team, its test and `client.ts`. The story's own steps are the page's
 * commands.
 *
 * @throws {Error} The page has other commands or files than the story knows.
 */
export function writeQuickStart(root: string, folder: string): void {
  const page = readFileSync(join(root, PAGE), "utf8");
  const blocks = [...page.matchAll(/^```(\w+)[^\n]*\n([^]*?)^```$/gm)].map(([, language, code = ""]) => ({
    language,
    code,
  }));
  const commands = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ code }) => code.trim().split("\n"));
  if (commands.join("\n") !== COMMANDS.join("\n"))
    throw new Error(`${PAGE} has other commands than the story: ${commands.join("; ")}`);
  const [team = "", test = "", client = "", ...more] = blocks.flatMap(({ language, code }) =>
    language === "ts" ? [code] : [],
  );
  if (more.length > 0) throw new Error(`${PAGE} has more files than the story.`);
  mkdirSync(join(folder, "teams/report"), { recursive: true });
  writeFileSync(join(folder, "teams/report/team.ts"), team);
  writeFileSync(join(folder, "teams/report/team.test.ts"), test);
  writeFileSync(join(folder, "client.ts"), client);
}

/**
 * Runs the page's client beside `suture dev`.
 *
 * @throws {Error} It prints another result than the page says.
 */
export function runClient(node: string, folder: string): void {
  const { gateway_url: address } = z
    .object({ gateway_url: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, ".suture/run.json"), "utf8")));
  const client = join(folder, "client.ts");
  writeFileSync(client, readFileSync(client, "utf8").replace(PAGE_ADDRESS, address));
  const printed = run(node, [client], { cwd: folder });
  if (printed !== "{ count: 2 }\n") throw new Error(`The page's client printed ${printed}`);
}
