import type { IncomingHttpHeaders } from "node:http";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import { createTestSystem } from "#shared/testing";
import { openSurgeonTestSystem, repairWith } from "../services/surgeon/testing/surgeon-test-system.ts";
import { DIALECTS, startDialect } from "./support/dialects/index.ts";
import type { ChatRequest, Dialect, DialectEndpoint, Think } from "./support/dialects/index.ts";
import { SAMPLE_TEAMS } from "./support/dialects/sample-teams.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";

/**
 * Every team and every rung of the surgeon's ladder that asks a model, at an endpoint of every dialect. Prints the
 * matrix: the way by which answers came, or what went wrong. `npm run dialects` runs it alone.
 */

const RUNGS = ["surgeon: model", "surgeon: second look"] as const;
const COLUMNS = [...Object.keys(SAMPLE_TEAMS), ...RUNGS];
const cells = new Map<string, string>();

afterAll(() => {
  const table = [
    ["dialect", ...COLUMNS],
    ...DIALECTS.map(({ name }) => [name, ...COLUMNS.map((one) => cellOf(name, one))]),
  ];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
});

function cellOf(dialect: string, column: string): string {
  return cells.get(`${dialect}/${column}`) ?? "-";
}

/** Starts a cell, which says "failed" for as long as it is not done. */
function begin(dialect: Dialect, column: string): void {
  cells.set(`${dialect.name}/${column}`, "failed");
}

/** Notes by which way the last answer came. */
function note(dialect: Dialect, column: string, { answered }: DialectEndpoint): void {
  const last = answered.at(-1);
  const isUnread = dialect.fields.json_schema === "ignores";
  const format = isUnread ? "prompt" : (last?.response_format?.type ?? "prompt");
  const way = last?.tools === undefined ? format : "tool";
  cells.set(`${dialect.name}/${column}`, way);
}

async function open(dialect: Dialect, think: Think): Promise<DialectEndpoint> {
  const endpoint = await startDialect(dialect, think);
  onTestFinished(() => endpoint.close());
  return endpoint;
}

/** Thinks as the rehearsal does: it gives what a good model would answer, and knows no dialect. */
function thinkWith(url: string): Think {
  return async (request: ChatRequest, headers: IncomingHttpHeaders) => {
    const messages = request.messages.flatMap((message) =>
      inputsOf(message.content).map((content) => ({ ...message, content })),
    );
    const offered = typeof request.tool_choice === "object" ? undefined : request.tools;
    const tools = offered ?? toolsToldIn(request.messages[0]?.content);
    const passed = Object.entries(headers).filter(([name]) => name.startsWith("x-suture-"));
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...Object.fromEntries(passed as [string, string][]) },
      body: JSON.stringify({ model: "rehearsal-worker", messages, ...(tools.length > 0 && { tools }) }),
    });
    // The rehearsal's own answers.
    const body = (await response.json()) as { choices: [{ message: Message }] };
    const { content, tool_calls: calls } = body.choices[0].message;
    if (calls === undefined) return content;
    return {
      calls: calls.map((call) => ({
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments),
      })),
    };
  };
}

interface Message {
  readonly content: string;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** The step's input, where the instructions stand before it in one message, and what tools gave after it. */
function inputsOf(content: unknown): unknown[] {
  if (typeof content !== "string") return [content];
  const lines = content.split("\n").filter((line) => /^[{[]/.test(line));
  const results = lines.filter((line) => line.startsWith('{"tool_results":'));
  const input = lines.findLast((line) => !results.includes(line));
  return input === undefined && results.length > 0 ? results : [input ?? content, ...results];
}

/** The tools that the instructions list, for an endpoint that takes none. */
function toolsToldIn(content: unknown): object[] {
  if (typeof content !== "string") return [];
  return content
    .split("\n")
    .filter((line) => line.startsWith('{"name":') && line.includes('"parameters":'))
    .map((line) => ({ type: "function", function: JSON.parse(line) }));
}

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))("%s", (_, dialect) => {
  it.each(Object.entries(SAMPLE_TEAMS))("serves the team %s", async (name, openTeam) => {
    begin(dialect, name);
    const outside = await openRehearsal((await openTeam("http://127.0.0.1:9")).team);
    const { team, task, result } = await openTeam(outside.url);
    const endpoint = await open(dialect, thinkWith(outside.url));
    const model = createModelClient({
      baseUrl: endpoint.url,
      apiKey: "test",
      models: { router: "small", worker: "middle", surgeon: "large" },
      timeoutMs: 60_000,
      // Agent and step go along, by which the rehearsal finds its answer.
      isRehearsal: true,
    });
    onTestFinished(() => model.close());
    const system = createTestSystem(team);
    await system.start({ model, lockMs: 30_000 });
    const { runId } = await system.submit(task, { hopsMax: 24, ttlMs: 600_000 });
    const run = await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
    expect(endpoint.faults).toEqual([]);
    if (name === "documents: photo" && dialect.fields.images !== undefined) {
      const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
      expect(run.status).toBe("in_ward");
      expect(JSON.stringify(events)).toContain("MODEL_INPUT_REFUSED");
      cells.set(`${dialect.name}/${name}`, "no pictures");
      return;
    }
    expect(run).toMatchObject({ status: "completed", result });
    note(dialect, name, endpoint);
  });

  const QUERY = { user: { original_query: "Please refund order A-1234 for 3 seats." } };

  it.each(RUNGS)("serves the rung %s", async (rung) => {
    begin(dialect, rung);
    const isSecond = rung === "surgeon: second look";
    const endpoint = await open(dialect, ({ messages }) => {
      const asked = messages.find(({ role }) => role === "user")?.content;
      const isFirst = String(asked).includes('"problems"') && !String(asked).includes('"second_look"');
      const seats = isSecond && isFirst ? 77 : 3;
      return JSON.stringify(repairWith({ order_id: "A-1234", seats }));
    });
    const { handled, startSurgeon, ...system } = await openSurgeonTestSystem({ baseUrl: endpoint.url });
    await system.start();
    startSurgeon();
    const { runId } = await system.submit({ order_id: "A-1234" }, QUERY);
    const run = await system.until(runId, ["completed", "failed", "quarantined"]);
    expect(run.status).toBe("completed");
    expect(handled).toEqual([{ order_id: "A-1234", seats: 3 }]);
    // Reasoning takes all the room of an answer, which is asked for again: this surgeon has no budget for reasoning.
    // Another reading of the text follows what only its sense speaks for.
    const asked = (isSecond ? 3 : 2) * (dialect.reasoningTokens === undefined ? 1 : 2);
    expect(endpoint.answered).toHaveLength(asked);
    expect(endpoint.faults).toEqual([]);
    note(dialect, rung, endpoint);
  });
});
