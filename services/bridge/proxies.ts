import { z } from "zod";
import type { SealedMessage } from "#shared/envelope/seals";
import type { Agent, Context, Team } from "#shared/runtime";
import { carry } from "./carry.ts";
import type { Carrier } from "./carry.ts";

/** Beside its tries: opening its seal, a request that is under way, the write of its outcome. In ms. */
const BESIDE_TRIES_MS = 60_000;

/** What the runtime has verified before a handler runs; here only its type is asked for. */
const sealedSchema: z.ZodType<SealedMessage> = z.object({
  sealed: z.string(),
  seal: z.object({ alg: z.enum(["HS256", "EdDSA"]), key_id: z.string(), value: z.string() }),
  attempt: z.int().min(0),
  encoding: z.literal("gzip").exactOptional(),
});

/**
 * Returns the team as a bridge runs it: each agent of another cluster is replaced by a proxy that carries its messages
 * there. A proxy keeps the agent's name, contract and edges, so that ward and runtime attribute dead messages to it.
 */
export function withProxies(
  team: Team,
  options: { readonly carriers: ReadonlyMap<string, Carrier>; readonly window: number },
): Team {
  const agents = [...team.agents].map(([name, member]) => {
    const carrier = options.carriers.get(name);
    return [name, carrier === undefined ? member : proxyFor(member, carrier, options.window)] as const;
  });
  return { ...team, agents: new Map(agents) };
}

function proxyFor(member: Agent, carrier: Carrier, window: number): Agent {
  return {
    ...member,
    options: {
      accepts: member.accepts,
      to: member.to,
      description: `proxy of ${member.id} of cluster ${carrier.link.peer.cluster}`,
      carries: true,
      concurrency: window,
      // For as long as the message lives; the carrier itself sees when that is over.
      deliveriesMax: Infinity,
      handlerTimeoutMs: carrier.triesMs + BESIDE_TRIES_MS,
      handle: (stored: unknown, ctx: Context) => carry(carrier, sealedSchema.parse(stored), ctx),
    },
  };
}
