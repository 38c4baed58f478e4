import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { describeApi } from "#shared/api";
import { SECRETS, startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { renderPython } from "../../services/cli/python/render-python.ts";
import supportTeam from "../../services/agents/support/team.ts";
import { openFaultyLink } from "../support/faulty-link.ts";
import { processEnv } from "../support/process-env.ts";
import { counting } from "./counting-team.ts";
import { hasNoPython, NEEDED } from "./has-python.ts";

const run = promisify(execFile);
const STORY = `
import json, sys, typing
import suture_client as generated
from suture_client import Client, SutureError, RunNotCompletedError

url, key = sys.argv[1:]
client = Client(url, key)
run = client.submit("cl-count", {"text": "three small words"}, priority="high")
told = {"types": [event["type"] for event in run.events()], "result": run.result()}
told["uploaded"] = client.upload(b"four", "text/plain")["bytes"]
told["status"] = run.cancel()["status"]
try:
    client.submit("cl-count", {})
except SutureError as error:
    told["refused"] = [error.code, error.failure_class, error.status, error.issues[0]["pointer"]]
try:
    client.submit("cl-count", {"text": "faulty"}).result()
except RunNotCompletedError as error:
    told["failed"] = [error.run_status, error.failure_class, error.reason["code"]]
told["members"] = sorted(typing.get_type_hints(generated.ClTextV1))
print(json.dumps(told))
`;

test("the generated Python client submits once, follows, uploads and cancels over faults", async ({
  skip,
}) => {
  skip(hasNoPython, NEEDED);
  const gateway = await startTestGateway({ team: counting });
  await gateway.system.start();
  const document: unknown = await (await gateway.send("/v1/openapi.json")).json();
  const folder = await mkdtemp(join(tmpdir(), "suture-python-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "suture_client.py"), renderPython(document));
  await writeFile(join(folder, "story.py"), STORY);
  const link = await openFaultyLink(gateway.port);
  link.faults.push(
    { on: "POST /v1/tasks", cuts: "answer" },
    { on: "/events", cuts: "answer", after: 900 },
    { on: "POST /v1/blobs", cuts: "request", after: 80 },
  );
  const { stdout } = await run("python3", ["story.py", link.url, SECRETS.operator], {
    cwd: folder,
    env: processEnv(),
    timeout: 60_000,
  });
  expect(JSON.parse(stdout)).toEqual({
    types: ["submitted", "handed_off", "completed"],
    result: { words: 3 },
    uploaded: 4,
    status: "completed",
    refused: ["PAYLOAD_INVALID", "validation_error", 422, "/input/text"],
    failed: ["failed", "handler_error", "RESULT_INVALID"],
    members: ["text"],
  });
  expect(link.faults).toEqual([]);
  expect((await gateway.store.runs.counts()).submitted).toBe(2);
});

test("a module of real teams compiles, and every type that it names is there", async ({ skip }) => {
  skip(hasNoPython, NEEDED);
  const folder = await mkdtemp(join(tmpdir(), "suture-python-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "suture_client.py"), renderPython(describeApi([supportTeam, counting])));
  const check = `import typing, suture_client as s
for name, one in vars(s).copy().items():
    if typing.is_typeddict(one): typing.get_type_hints(one)
print(len(typing.get_overloads(s.Client.submit)), typing.get_type_hints(s.SupportEmailV1)["from"])`;
  const { stdout } = await run("python3", ["-c", check], { cwd: folder, env: processEnv() });
  expect(stdout.trim()).toBe("2 <class 'str'>");
});
