import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { Secret } from "#shared/config";
import { serveHttp } from "#shared/testing";
import { createOutside } from "../services/agents/support/outside/ports.ts";
import { openServer } from "../services/rehearsal/testing/open-server.ts";

/** Holds the support team's adapter and the sandbox to docs/guides/shop.openapi.json, by a proxy between them. */

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly $ref?: string; readonly content?: Readonly<Record<string, { schema: object }>> }
    >
  >;
}

const description = JSON.parse(readFileSync("docs/guides/shop.openapi.json", "utf8"));
// The file's own form, which the calls below would show to be another.
const paths = description.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Call {
  readonly operation: string;
  readonly status: number;
}

let proxyUrl: string;
const calls: Call[] = [];
const problems: string[] = [];
const never = new AbortController().signal;

beforeEach(async () => {
  const sandbox = await openServer();
  proxyUrl = await openProxy(`${sandbox.url}/sandbox`);
  calls.length = 0;
  problems.length = 0;
});

const outside = () => {
  const address = () => ({ url: proxyUrl, token: new Secret("tok-1234"), isSandbox: false });
  return createOutside({ address });
};

describe("the shop's interface", () => {
  it("is what the adapter sends and the sandbox answers, for every operation", async () => {
    const { orders, payments, tickets, crm } = outside();
    expect(await orders.find("kd-20117", never)).toMatchObject({ order_id: "KD-20117", total: 34.9 });
    expect(await orders.find("ZZ-99999", never)).toBeNull();
    const order = { order_id: "KD-20117", amount: 34.9, currency: "EUR", reason: "damaged" };
    const refund = await payments.make(order, "key-1", never);
    expect(await payments.make(order, "key-1", never)).toEqual(refund);
    expect(await payments.find("key-1", never)).toMatchObject({ refund_id: refund.refund_id });
    expect(await payments.find("key-2", never)).toBeNull();
    const draft = { queue: "people", title: "A matter", body: "…", severity: "high" } as const;
    const ticket = await tickets.make(draft, "key-3", never);
    expect(await tickets.find("key-3", never)).toMatchObject(ticket);
    const about = { company: null, seats: 12, score: 80, summary: "Wants 12 seats." };
    const lead = await crm.make({ customer_email: "a@b.example", ...about }, "key-4", never);
    expect(await crm.find("key-4", never)).toMatchObject(lead);
    expect(problems).toEqual([]);
    const known = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(new Set(calls.map(({ operation }) => operation))).toEqual(new Set(known));
  });

  it("refuses a key that comes with another body, in words that do not reach the error", async () => {
    const { payments } = outside();
    const order = { order_id: "KD-20117", amount: 1, currency: "EUR", reason: "damaged" };
    await payments.make(order, "key-9", never);
    await expect(payments.make({ ...order, amount: 2 }, "key-9", never)).rejects.toMatchObject({
      code: "OUTSIDE_REFUSED",
      failureClass: "handler_error",
      message: expect.stringContaining("409"),
    });
    expect(problems).toEqual([]);
  });
});

async function openProxy(target: string): Promise<string> {
  return serveHttp(async (request, response, sent) => {
    const url = new URL(request.url ?? "/", "http://shop");
    const method = request.method ?? "GET";
    const found = Object.keys(paths).find((path) => toPattern(path).test(url.pathname));
    const operation = paths[found ?? ""]?.[method.toLowerCase()];
    if (request.headers.authorization !== "Bearer tok-1234") problems.push("no token");
    if (operation === undefined) problems.push(`${method} ${url.pathname} is not described`);
    else checkRequest(operation, { url, headers: request.headers, sent });
    const answer = await fetch(`${target}${url.pathname}${url.search}`, {
      method,
      headers: {
        "content-type": "application/json",
        "idempotency-key": String(request.headers["idempotency-key"] ?? "none"),
      },
      ...(method === "GET" ? {} : { body: sent }),
    });
    const body = await answer.text();
    calls.push({ operation: `${method} ${found ?? "?"}`, status: answer.status });
    if (operation !== undefined) checkAnswer(operation, { status: answer.status, body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
}

const toPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);

interface Sent {
  readonly url: URL;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly sent: string;
}

function checkRequest(operation: Operation, { url, headers, sent }: Sent): void {
  for (const { name, in: place, required } of operation.parameters ?? []) {
    const isThere =
      place === "path" || (place === "query" ? url.searchParams.has(name) : name.toLowerCase() in headers);
    if (required && !isThere) problems.push(`${name} is missing`);
  }
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema !== undefined) check(schema, sent, "the request");
}

function checkAnswer(operation: Operation, { status, body }: { status: number; body: string }) {
  const said = operation.responses[String(status)];
  const described = said?.$ref === undefined ? said : inline({ $ref: said.$ref });
  if (described === undefined) return void problems.push(`status ${status} is not described`);
  const [schema] = Object.values(Object(described).content ?? {});
  if (schema !== undefined) check(Object(schema).schema, body, `the answer ${status}`);
}

function check(schema: object, json: string, what: string): void {
  // The description uses keywords that zod reads; a word that it does not know would throw here.
  const parsed = z
    .fromJSONSchema(inline(schema) as Parameters<typeof z.fromJSONSchema>[0])
    .safeParse(JSON.parse(json));
  if (!parsed.success)
    problems.push(`${what}: ${parsed.error.issues.map(({ path }) => path.join("/")).join(", ")}`);
}

function inline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inline);
  if (typeof value !== "object" || value === null) return value;
  const ref: unknown = Reflect.get(value, "$ref");
  if (typeof ref === "string") {
    const found = ref
      .slice(2)
      .split("/")
      .reduce((at: unknown, name) => Reflect.get(Object(at), name), description);
    return inline(found);
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner)]));
}
