// The team of a new project, called by the clients of the A2A and the MCP SDK.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Role, TaskState } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const running = JSON.parse(readFileSync(".suture/run.json", "utf8"));
const key = readFileSync(running.api_keys_file, "utf8").split("\n")[0].split(":")[2];
const authorization = `Bearer ${key}`;
const input = { text: "The parcel is late. It was sent on Monday." };
const answer = { gist: "The parcel is late." };

const fetchImpl = (url, init) => fetch(url, { ...init, headers: { ...init?.headers, authorization } });
const a2a = await new ClientFactory({
  transports: [new JsonRpcTransportFactory({ fetchImpl })],
  cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
}).createFromUrl(`${running.gateway_url}/a2a/hello/.well-known/agent-card.json`, "");
const part = { content: { $case: "data", value: input }, metadata: undefined, filename: "", mediaType: "" };
const task = await a2a.sendMessage({
  tenant: "",
  metadata: undefined,
  configuration: undefined,
  message: {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [part],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
});
assert.equal(task.status.state, TaskState.TASK_STATE_COMPLETED);
assert.deepEqual(task.artifacts[0].parts[0].content.value, answer);

const mcp = new Client({ name: "outside", version: "1" }, { versionNegotiation: { mode: "auto" } });
await mcp.connect(
  new StreamableHTTPClientTransport(new URL(`${running.gateway_url}/mcp`), {
    requestInit: { headers: { authorization } },
  }),
);
const { structuredContent } = await mcp.callTool({ name: "hello", arguments: input });
assert.deepEqual(structuredContent.result, answer);
await mcp.close();
