import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { GuardDeclaration } from "#shared/guard";
import { closeMcpServers, listMcpTools, mcpTools } from "#shared/mcp";
import type { McpServer, McpTools } from "#shared/mcp";
import { agent, team } from "#shared/runtime";
import { startTestSystem, listenLocally, temporaryFolder } from "#shared/testing";
import { runCli } from "../../support/run-cli.ts";
import { Answer, call, GOOD, Note, openSpeaker, resultsIn } from "../model-that-calls.ts";
import type { Turn } from "../model-that-calls.ts";

/** Tools of real MCP servers, over stdio and HTTP, and of servers that attack. */

const SIGNAL = new AbortController().signal;
const require = createRequire(import.meta.url);

afterEach(() => closeMcpServers());

function hostile(behaviour: string, file = ""): McpServer {
  const path = new URL("hostile-server.mjs", import.meta.url).pathname;
  return { command: process.execPath, args: [path, behaviour, file], env: { NOTE_KEY: "declared" } };
}

async function pinsOf(server: McpServer, effect: "none" | "write" = "none") {
  const listed = await listMcpTools(server, SIGNAL);
  return Object.fromEntries(listed.map(({ name, hash }) => [name, { hash, effect }]));
}

interface Setting {
  readonly mcp: McpTools;
  readonly turns: readonly Turn[];
  readonly guard?: GuardDeclaration;
}

async function run({ mcp, turns, guard }: Setting) {
  const reader = agent("reader@1", {
    accepts: Note,
    answers: [Answer],
    ...(guard === undefined ? {} : { guard }),
    handle: async (note, ctx) => {
      const tools = await mcp.open(ctx.signal);
      return ctx.complete(
        await ctx.model("answer", { instructions: "Answer.", input: note, answers: Answer, tools }),
      );
    },
  });
  const desk = team("desk", [reader]);
  const { endpoint, model } = await openSpeaker(desk, turns);
  const system = await startTestSystem(desk, { model }, { retry: { deliveriesMax: 2 } });
  const ended = await system.run({ text: "x" }, {}, ["completed", "failed", "in_ward", "quarantined"]);
  const events = JSON.stringify(await system.store.runs.events(ended.run_id, { from: 0, limit: 100 }));
  return { ended, events, results: resultsIn(endpoint.seen.at(-1)), seen: endpoint.seen };
}

describe("the real filesystem server", () => {
  function openFolder() {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "open"));
    writeFileSync(join(folder, "open/price.txt"), "19 EUR");
    writeFileSync(join(folder, "closed.txt"), "secret");
    const main = join(
      require.resolve("@modelcontextprotocol/server-filesystem/package.json"),
      "../dist/index.js",
    );
    const server: McpServer = { command: process.execPath, args: [main, join(folder, "open")] };
    return { folder, server };
  }

  it("reads and writes files for a model, within its folder", async () => {
    const { folder, server } = openFolder();
    const pins = await pinsOf(server);
    const mcp = mcpTools({
      name: "files",
      server,
      tools: {
        read_text_file: pins["read_text_file"] ?? { hash: "", effect: "none" },
        write_file: { hash: pins["write_file"]?.hash ?? "", effect: "write" },
      },
    });
    const { ended, results } = await run({
      mcp,
      turns: [
        [
          call("read_text_file", { path: join(folder, "open/price.txt") }),
          call("read_text_file", { path: join(folder, "closed.txt") }),
          call("write_file", { path: join(folder, "open/new.txt"), content: "20 EUR" }),
          call("list_directory", { path: folder }),
        ],
        GOOD,
      ],
    });
    expect(ended.status).toBe("completed");
    expect(results[0]).toMatchObject({ status: "done", output: { is_error: false, text: "19 EUR" } });
    expect(results[1]).toMatchObject({ status: "done", output: { is_error: true } });
    expect(JSON.stringify(results[1])).not.toContain('secret"');
    expect(results[2]).toMatchObject({ status: "done", output: { is_error: false } });
    // The server has it, and nobody pinned it.
    expect(results[3]).toMatchObject({ status: "failed", code: "unknown_tool" });
    expect(readFileSync(join(folder, "open/new.txt"), "utf8")).toBe("20 EUR");
  });
});

describe("a real server over HTTP", () => {
  it("serves its tools with the declared headers, and none to others", async () => {
    // The official server SDK, which the filesystem server brings along.
    const sdk = createRequire(require.resolve("@modelcontextprotocol/server-filesystem/package.json"));
    const { McpServer: Served } = sdk("@modelcontextprotocol/sdk/server/mcp.js");
    const { StreamableHTTPServerTransport } = sdk("@modelcontextprotocol/sdk/server/streamableHttp.js");
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (request.headers.authorization !== "Bearer key") return void response.writeHead(401).end();
      const served = new Served({ name: "prices", version: "1" });
      served.registerTool("price", { description: "Gives a price.", inputSchema: {} }, async () => ({
        content: [{ type: "text", text: "19 EUR" }],
      }));
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      response.on("close", () => void transport.close());
      await served.connect(transport);
      await transport.handleRequest(request, response);
    };
    const http = createServer((request, response) => void serve(request, response));
    const port = await listenLocally(http);
    const url = `http://127.0.0.1:${port}/mcp`;
    const server: McpServer = { url, headers: { authorization: "Bearer key" } };
    const mcp = mcpTools({ name: "prices", server, tools: await pinsOf(server) });
    const { ended, results } = await run({ mcp, turns: [[call("price", {})], GOOD] });
    expect(ended.status).toBe("completed");
    expect(results).toMatchObject([{ status: "done", output: { text: "19 EUR" } }]);
    await expect(listMcpTools({ url }, SIGNAL)).rejects.toMatchObject({ code: "MCP_SERVER_UNAVAILABLE" });
  });
});

describe("a server that attacks", () => {
  it.each(["description", "schema", "gone", "twice"])(
    "by another %s after it was pinned is refused, and its tool is named",
    async (behaviour) => {
      const server = hostile(behaviour);
      const mcp = mcpTools({ name: "notes", server, tools: await pinsOf(server) });
      const { ended, events, results } = await run({ mcp, turns: [[call("note", { text: "a" })], GOOD] });
      expect(ended.status).toBe("quarantined");
      expect(events).toContain("MCP_TOOL_CHANGED");
      expect(results).toEqual([]);
      await expect(mcp.open(SIGNAL)).rejects.toThrow(/note of MCP server|no tool note/);
    },
  );

  it.each([
    ["giant", { status: "failed", code: "output_too_large" }],
    ["error", { status: "done", output: { is_error: true, text: "no room\n[image]" } }],
  ])("by a result that is %s gives a bounded one", async (behaviour, result) => {
    const server = hostile(behaviour);
    const mcp = mcpTools({ name: "notes", server, tools: await pinsOf(server) });
    const { ended, results } = await run({ mcp, turns: [[call("note", { text: "a" })], GOOD] });
    expect(ended.status).toBe("completed");
    expect(results).toMatchObject([result]);
  });

  it("by a hanging call times out, and the model goes on", async () => {
    const server = hostile("hang");
    const pins = await pinsOf(server);
    const tools = { note: { hash: pins["note"]?.hash ?? "", effect: "none" as const, timeoutMs: 100 } };
    const { ended, results } = await run({
      mcp: mcpTools({ name: "notes", server, tools }),
      turns: [[call("note", { text: "a" })], GOOD],
    });
    expect(ended.status).toBe("completed");
    expect(results).toMatchObject([{ status: "failed", code: "timed_out" }]);
  });

  it.each(["die", "flood"])(
    "by a call in which it does %s waits for a retry; a write is not repeated",
    async (behaviour) => {
      const server = hostile(behaviour);
      const read = mcpTools({ name: "notes", server, tools: await pinsOf(server) });
      const turns = [[call("note", { text: "a" })], GOOD];
      const first = await run({ mcp: read, turns });
      expect(first.events).toContain("MCP_SERVER_UNAVAILABLE");
      const write = mcpTools({ name: "notes", server, tools: await pinsOf(server, "write") });
      const second = await run({ mcp: write, turns });
      expect(second.ended.status).toBe("quarantined");
      expect(second.events).toContain("EFFECT_UNCERTAIN");
    },
  );

  it("by orders in a result has them labelled, so that guards see them", async () => {
    const server = hostile("orders");
    const mcp = mcpTools({ name: "notes", server, tools: await pinsOf(server) });
    const turns = [[call("note", { text: "a" })], GOOD];
    const { ended, events } = await run({ mcp, turns, guard: { injection: { reaction: "quarantine" } } });
    expect(ended.status).toBe("quarantined");
    expect(events).toContain("INJECTION_SUSPECTED");
  });

  it("by reading its environment finds what is declared, and no key of this process", async () => {
    process.env["SUTURE_TEST_SECRET"] = "sk-live-secret";
    onTestFinished(() => void delete process.env["SUTURE_TEST_SECRET"]);
    const server = hostile("env");
    const mcp = mcpTools({ name: "notes", server, tools: await pinsOf(server) });
    const { results } = await run({ mcp, turns: [[call("note", { text: "a" })], GOOD] });
    expect(JSON.stringify(results)).toContain("declared");
    expect(JSON.stringify(results)).not.toContain("sk-live-secret");
  });

  it("is held to its own schema, and ends with its connection", async () => {
    const server = hostile("honest");
    const mcp = mcpTools({ name: "notes", server, tools: await pinsOf(server) });
    const { results } = await run({
      mcp,
      turns: [[call("note", { text: "x".repeat(21) }), call("note", { text: "a" })], GOOD],
    });
    expect(results[0]).toMatchObject({ status: "failed", code: "bad_arguments" });
    const pid = /noted by (\d+)/.exec(JSON.stringify(results[1]))?.[1] ?? "";
    expect(execFileSync("ps", ["-o", "pid=", "-p", pid], { encoding: "utf8" }).trim()).toBe(pid);
    await mcp.close();
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it("`suture mcp pin` prints a declaration with the hashes, and nothing that acts on a terminal", async () => {
  const { command, args } = hostile("honest") as { command: string; args: string[] };
  const [listed] = await listMcpTools({ command, args }, SIGNAL);
  const { code, stdout } = await runCli(["mcp", "pin", "--", command, ...args.slice(0, 2)]);
  expect(code).toBe(0);
  expect(stdout).toContain(`"note": { hash: "${listed?.hash}", effect: "write", approval: true },`);
  expect((await runCli(["mcp", "pin"])).code).toBe(2);
});
