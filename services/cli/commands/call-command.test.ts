import { afterEach, expect, test, vi } from "vitest";
import type { z } from "zod";
import { CONSOLE_API, GATEWAY_API } from "#shared/api";
import { createProgram } from "../create-program.ts";

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
}

const OPERATIONS: readonly Declared[] = Object.values({ ...GATEWAY_API, ...CONSOLE_API });
const WHY = ["--why", "seen"];

afterEach(() => vi.unstubAllGlobals());

/** Every command that is a row of a table, with all its options but those that read a file. */
const COMMANDS: readonly (readonly [typed: string, ...options: string[]])[] = [
  ["agents"],
  ["queues ls"],
  ["queues pause desk", ...WHY],
  ["queues resume desk"],
  ["producers", "--span", "two_days"],
  ["api-keys create shop --scope submit --tenant acme --cost-per-day 2 --running-runs 1 --teams a,b", ...WHY],
  ["api-keys create shop --scope submit --expires 2099-01-01T00:00:00Z"],
  ["api-keys list"],
  ["api-keys revoke acme/shop"],
  ["recipes ls"],
  ["recipes show r1"],
  ["recipes approve r1", ...WHY],
  ["recipes retire r1"],
  ["runs ls --status completed --team t --limit 3 --cursor c"],
  ["runs cancel r1"],
  ["runs reveal r1", ...WHY],
  ["teams matrix --span hour"],
  ["ward groups --sort need --limit 2"],
  ["ward costs"],
  ["ward ls --status quarantined --fingerprint f --agent a --run r --limit 3 --cursor c"],
  ["ward show c1"],
  ["ward operate c1"],
  ["ward release c1", ...WHY],
  ["ward discard c1", ...WHY],
  ["ward restore c1"],
  ["ward approve c1", ...WHY],
  ["ward refuse c1", ...WHY],
  ["ward reveal c1 --path /patient", ...WHY],
  ["ward applied b1 --limit 2 --offset 1"],
  ["ward undo b1", ...WHY],
  ["ward acknowledge f1"],
  ["ward resolve f1 --since desk@2", ...WHY],
  ["ward reopen f1"],
];

test.each(COMMANDS)("%s asks for an operation as the API declares it", async (typed, ...options) => {
  const asked: Request[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(request);
    return new Response("enough seen", { status: 418 });
  });
  const words = typed.split(" ");
  const isOfGateway = ["agents", "runs", "teams"].includes(words[0] ?? "") && words[1] !== "reveal";
  const to = [isOfGateway ? "--gateway-url" : "--console-url", "http://127.0.0.1:9", "--key", "k".repeat(24)];
  await expect(createProgram().parseAsync([...words, ...options, ...to], { from: "user" })).rejects.toThrow(
    "418",
  );
  const [request] = asked;
  if (request === undefined) throw new Error("nothing was asked for");
  const url = new URL(request.url);
  const operation = OPERATIONS.find(
    ({ method, path }) =>
      method === request.method && new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(url.pathname),
  );
  if (operation === undefined) throw new Error(`no operation is ${request.method} ${url.pathname}`);
  const refusals = (schema: z.ZodType | undefined, value: unknown) =>
    schema?.safeParse(value).error?.issues ?? [];
  expect(refusals(operation.query, Object.fromEntries(url.searchParams))).toEqual([]);
  if (request.method === "POST" && operation.body !== undefined)
    expect(refusals(operation.body, await request.json())).toEqual([]);
});
