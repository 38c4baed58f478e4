import { z } from "zod";
import { now } from "#shared/clock";
import { contract } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type { Agent, Context, HandlerOutcome, ModelTier, StandIn, Transitions } from "#shared/runtime";
import { RouteUnknownError } from "./errors.ts";

/** One category with its solver. */
export interface Route<Input> {
  /** Plain name of the solver agent. */
  readonly to: string;
  /** Contract that the solver accepts. */
  readonly contract: Contract;
  /** Condition of this category, in words for the model. */
  readonly when: string;
  /** Parameters that the router extracts. Default: all of the solver's contract. */
  readonly extracts?: z.ZodObject;
  /** Makes the solver's payload from the parameters and the input. Default: the parameters. */
  readonly payload?: (parameters: Readonly<Record<string, unknown>>, input: Input) => unknown;
}

export interface RouterOptions<Accepts extends Contract> {
  /** Contract of the router's input. */
  readonly accepts: Accepts;
  /** Routes by category, a lower-case word. `unknown` is reserved. */
  readonly routes: Readonly<Record<string, Route<ContractOutput<Accepts>>>>;
  /** Tells the model to sort the input. The categories are added. Holds no data. */
  readonly instructions: string;
  /** Selects what the model sees. Default: the input. */
  readonly shows?: (input: ContractOutput<Accepts>) => unknown;
  /** Default `router`, the cheap tier. */
  readonly tier?: ModelTier;
  /** Time from the handler's start to the decision, in ms; a longer one is logged. Default 200. */
  readonly latencyBudgetMs?: number;
  /** Answers in a rehearsal: `{ decision: { category, parameters } }`. */
  readonly standIn?: StandIn;
  /** One sentence for the registry and the console. */
  readonly description?: string;
}

const UNKNOWN = "unknown";

/** Default latency budget of a routing decision, in ms. */
const ROUTING_BUDGET_MS = 200;

interface Routed {
  readonly decision: {
    readonly category: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly because?: string;
  };
}

/**
 * Declares an agent that routes: one call of a cheap model picks the category and extracts the solver's parameters,
 * checked against the solver's contract. Input of no category fails as `ROUTE_UNKNOWN` and waits for a person: there
 * is no catch-all. A decision over its latency budget is logged with the model's share.
 *
 * @throws {AgentDefinitionError | ContractDefinitionError} A category or a contract is invalid.
 */
export function router<const Name extends string, Accepts extends Contract>(
  id: `${Name}@${number}`,
  options: RouterOptions<Accepts>,
): Agent<Name, Accepts> {
  const { routes, latencyBudgetMs = ROUTING_BUDGET_MS, shows = (input): unknown => input } = options;
  const Answer = answerContract(id, routes);
  const instructions = instructionsOf(options.instructions, routes);
  return agent<Name, Accepts, Transitions>(id, {
    accepts: options.accepts,
    to: Object.fromEntries(Object.values(routes).map((route) => [route.to, route.contract])),
    tier: options.tier ?? "router",
    answers: [Answer],
    ...(options.standIn === undefined ? {} : { standIns: { route: options.standIn } }),
    ...(options.description === undefined ? {} : { description: options.description }),
    handle: async (input, ctx) => {
      const startedMs = now();
      const answer = await ctx.model("route", {
        instructions,
        input: shows(input),
        answers: Answer,
        temperature: 0,
      });
      const modelMs = now() - startedMs;
      // Checked against the contract that `answerContract` makes of these routes.
      const outcome = handOn(ctx, { id, routes, input, routed: answer as Routed });
      watchRouting(ctx, { modelMs, tookMs: now() - startedMs, budgetMs: latencyBudgetMs });
      return outcome;
    },
  });
}

function handOn<Input>(
  ctx: Context,
  made: {
    readonly id: string;
    readonly routes: Readonly<Record<string, Route<Input>>>;
    readonly input: Input;
    readonly routed: Routed;
  },
): HandlerOutcome {
  const { category, parameters = {} } = made.routed.decision;
  const route = Object.hasOwn(made.routes, category) ? made.routes[category] : undefined;
  if (route === undefined) throw new RouteUnknownError(made.id);
  const payload = route.payload === undefined ? parameters : route.payload(parameters, made.input);
  return ctx.handoff(route.to, payload, { reason: `${made.id} chose ${category}` });
}

/** The answer's contract: one variant a category with its parameters, and one for `unknown`. */
function answerContract(
  id: string,
  routes: Readonly<Record<string, Pick<Route<unknown>, "contract" | "extracts">>>,
): Contract {
  const known = Object.entries(routes).map(([category, route]) =>
    z.object({ category: z.literal(category), parameters: route.extracts ?? route.contract.schema }),
  );
  const unknown = z.object({ category: z.literal(UNKNOWN), because: z.string() });
  const decision = z.discriminatedUnion("category", [unknown, ...known]);
  const name = id.slice(0, id.lastIndexOf("@"));
  return contract(`${name}.route@1`, z.object({ decision }), {
    description: "The category of what came in, with the parameters of whoever handles it.",
  });
}

function instructionsOf(
  words: string,
  routes: Readonly<Record<string, Pick<Route<unknown>, "when">>>,
): string {
  const lines = Object.entries(routes).map(([category, { when }]) => `- ${category}: ${when}`);
  return [
    words,
    "Name the one category that fits, and take its parameters out of the input. Make nothing up.",
    ...lines,
    `- ${UNKNOWN}: none of these; say why in one sentence.`,
  ].join("\n");
}

export interface RoutingTimes {
  /** Time from the handler's start to its decision, in ms. */
  readonly tookMs: number;
  /** The model's share of it, in ms. */
  readonly modelMs: number;
  /** Default 200 ms. */
  readonly budgetMs?: number;
}

/** Logs a routing decision that exceeded its latency budget, with the model's share. */
export function watchRouting(ctx: Pick<Context, "log">, times: RoutingTimes): void {
  const { tookMs, modelMs, budgetMs = ROUTING_BUDGET_MS } = times;
  const measured = { route_ms: tookMs, model_ms: modelMs, budget_ms: budgetMs };
  if (tookMs > budgetMs) ctx.log.warn(measured, "routing took longer than its budget");
  else ctx.log.debug(measured, "routed");
}
