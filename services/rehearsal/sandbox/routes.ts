import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { IdempotencyConflictError, SandboxFullError } from "../errors.ts";
import type { Effects } from "./effects.ts";
import { findOrder } from "./find-order.ts";
import type { SandboxRecord } from "./journal.ts";
import { searchSources } from "./sources.ts";

const BODY_BYTES_MAX = 65_536;
const LISTED_MAX = 10_000;

const text = (charactersMax: number): z.ZodString => z.string().min(1).max(charactersMax);

/** Request bodies of each external system. Unknown fields are kept, as a real help desk does. */
const refundSchema = z.looseObject({
  order_id: text(100),
  amount: z.number().positive().max(1_000_000),
  currency: z.string().regex(/^[A-Z]{3}$/),
});
const ticketSchema = z.looseObject({ title: text(1_000) });
const leadSchema = z
  .looseObject({})
  .refine((lead) => Object.keys(lead).length > 0, "a lead needs at least one field");

interface Collection {
  readonly kind: SandboxRecord["kind"];
  readonly path: string;
  /** Name of the list, and of the record's id. */
  readonly plural: string;
  readonly idField: string;
  readonly schema: z.ZodType<Record<string, unknown>>;
}

const COLLECTIONS: readonly Collection[] = [
  {
    kind: "refund",
    path: "/payments/refunds",
    plural: "refunds",
    idField: "refund_id",
    schema: refundSchema,
  },
  { kind: "ticket", path: "/tickets", plural: "tickets", idField: "ticket_id", schema: ticketSchema },
  { kind: "lead", path: "/crm/leads", plural: "leads", idField: "lead_id", schema: leadSchema },
];

const listingSchema = z.object({
  key: z.string().max(255).optional(),
  limit: z.coerce.number().int().min(1).max(LISTED_MAX).default(LISTED_MAX),
  offset: z.coerce.number().int().min(0).default(0),
});

const searchSchema = z.object({
  q: z.string().max(1000),
  limit: z.coerce.number().int().min(1).max(100).default(10),
});

const keySchema = z.string().min(1).max(255).optional();

/** Adds the sandbox's systems: orders, payments, help desk, customer relations, search. */
export function addSandboxRoutes(server: FastifyInstance, effects: Effects): void {
  server.get<{ Params: { id: string } }>("/sandbox/orders/:id", (request, reply) => {
    const order = findOrder(request.params.id);
    return order === null
      ? problem(reply, { status: 404, title: "There is no such order." })
      : reply.send(order);
  });
  server.get("/sandbox/sources/search", (request, reply) => {
    const query = searchSchema.safeParse(request.query);
    return query.success
      ? reply.send({ results: searchSources(query.data.q, query.data.limit) })
      : problem(reply, { status: 400, title: "A search has q, and may have limit." });
  });
  for (const collection of COLLECTIONS) addCollection(server, collection, effects);
}

function addCollection(server: FastifyInstance, collection: Collection, effects: Effects): void {
  const url = `/sandbox${collection.path}`;
  server.post(url, { bodyLimit: BODY_BYTES_MAX }, (request, reply) =>
    create({ request, reply, collection, effects }),
  );
  server.get(url, (request, reply) => {
    const listing = listingSchema.safeParse(request.query);
    if (!listing.success)
      return problem(reply, { status: 400, title: "The listing's parameters are not valid." });
    const { key, limit, offset } = listing.data;
    const found = effects.list(collection.kind, { key });
    const shown = found.slice(offset, offset + limit).map((record) => write(collection, record));
    return reply.send({ [collection.plural]: shown, total: found.length });
  });
}

interface Creation {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly collection: Collection;
  readonly effects: Effects;
}

async function create({ request, reply, collection, effects }: Creation): Promise<FastifyReply> {
  const key = keySchema.safeParse(request.headers["idempotency-key"]);
  if (!key.success) return problem(reply, { status: 400, title: "Idempotency-Key has 1 to 255 characters." });
  const body = collection.schema.safeParse(request.body);
  if (!body.success) {
    const paths = body.error.issues.map((issue) => `/${issue.path.join("/")}`);
    return problem(reply, { status: 422, title: `The request is not valid at ${paths.join(", ")}.` });
  }
  try {
    const effect = { kind: collection.kind, key: key.data ?? null, body: body.data };
    const record = await effects.carryOut(effect);
    return await reply.code(201).send(write(collection, record));
  } catch (error) {
    if (error instanceof IdempotencyConflictError)
      return problem(reply, { status: 409, title: error.message });
    if (error instanceof SandboxFullError) return problem(reply, { status: 503, title: error.message });
    throw error;
  }
}

function write(collection: Collection, record: SandboxRecord): object {
  return {
    ...record.body,
    [collection.idField]: record.id,
    idempotency_key: record.key,
    created_at: record.at,
  };
}

function problem(reply: FastifyReply, { status, title }: { status: number; title: string }): FastifyReply {
  return reply.code(status).type("application/problem+json").send({ type: "about:blank", title, status });
}
