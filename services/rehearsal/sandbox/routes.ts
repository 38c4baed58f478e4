import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { now } from "#shared/clock";
import type { Effects, SandboxRecord } from "./effects.ts";
import catalogue from "./catalogue.json" with { type: "json" };

const BODY_BYTES_MAX = 65_536;

const boundedText = (charactersMax: number): z.ZodString => z.string().min(1).max(charactersMax);

/** Request bodies of each external system. Unknown fields are kept, as a real help desk does. */
const refundSchema = z.looseObject({
  order_id: boundedText(100),
  amount: z.number().positive().max(1_000_000),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
const ticketSchema = z.looseObject({ title: boundedText(1_000) });
const leadSchema = z
  .looseObject({})
  .refine((lead) => Object.keys(lead).length > 0, "a lead needs at least one field");

interface Collection {
  readonly kind: SandboxRecord["kind"];
  readonly path: string;
  readonly schema: z.ZodType<Record<string, unknown>>;
}

const COLLECTIONS: readonly Collection[] = [
  { kind: "refund", path: "/payments/refunds", schema: refundSchema },
  { kind: "ticket", path: "/tickets", schema: ticketSchema },
  { kind: "lead", path: "/crm/leads", schema: leadSchema },
];

const listingSchema = z.object({ key: z.string().max(255).optional() });
const keySchema = z.string().min(1).max(255).optional();

/** Adds the sandbox's systems: orders, payments, help desk, customer relations. */
export function addSandboxRoutes(server: FastifyInstance, effects: Effects): void {
  server.get<{ Params: { id: string } }>("/sandbox/orders/:id", (request, reply) => {
    const order = findOrder(request.params.id);
    return order === null
      ? problem(reply, { status: 404, title: "There is no such order." })
      : reply.send(order);
  });
  for (const collection of COLLECTIONS) addCollection(server, collection, effects);
}

function addCollection(server: FastifyInstance, collection: Collection, effects: Effects): void {
  const url = `/sandbox${collection.path}`;
  server.post(url, { bodyLimit: BODY_BYTES_MAX }, (request, reply) =>
    create(request, reply, { collection, effects }),
  );
  server.get(url, (request, reply) => {
    const listing = listingSchema.safeParse(request.query);
    if (!listing.success)
      return problem(reply, { status: 400, title: "The listing's parameters are not valid." });
    const shown = effects.list(collection.kind, listing.data.key).map((record) => write(collection, record));
    return reply.send({ [`${collection.kind}s`]: shown, total: shown.length });
  });
}

function create(
  request: FastifyRequest,
  reply: FastifyReply,
  { collection, effects }: { readonly collection: Collection; readonly effects: Effects },
): FastifyReply {
  const key = keySchema.safeParse(request.headers["idempotency-key"]);
  if (!key.success) return problem(reply, { status: 400, title: "Idempotency-Key has 1 to 255 characters." });
  const body = collection.schema.safeParse(request.body);
  if (!body.success) {
    const paths = body.error.issues.map((issue) => `/${issue.path.join("/")}`);
    return problem(reply, { status: 422, title: `The request is not valid at ${paths.join(", ")}.` });
  }
  const record = effects.carryOut({ kind: collection.kind, key: key.data ?? null, body: body.data });
  return record === null
    ? problem(reply, { status: 409, title: "This idempotency key was used for another request." })
    : reply.code(201).send(write(collection, record));
}

function write(collection: Collection, record: SandboxRecord): object {
  return {
    ...record.body,
    [`${collection.kind}_id`]: record.id,
    idempotency_key: record.key,
    created_at: record.at,
  };
}

function problem(reply: FastifyReply, { status, title }: { status: number; title: string }): FastifyReply {
  return reply.code(status).type("application/problem+json").send({ type: "about:blank", title, status });
}

const DAY_MS = 86_400_000;

/** The catalogue by id: customer, total (two decimals), currency, status, days since it was bought. */
const ORDERS = new Map(Object.entries(catalogue));

/** Returns a catalogue order dated relative to today, or null. Ignores case and a leading `#`. */
function findOrder(orderId: string): object | null {
  const id = orderId.trim().replace("#", "").toUpperCase();
  const row = ORDERS.get(id);
  if (row === undefined) return null;
  // A row of the file has these five, which a test checks for each.
  const [customer_email, total, currency, status, daysAgo] = row as [string, number, string, string, number];
  const today = Math.floor(now() / DAY_MS) * DAY_MS;
  const bought_at = new Date(today - daysAgo * DAY_MS).toISOString();
  return { order_id: id, total, currency, status, bought_at, customer_email };
}
