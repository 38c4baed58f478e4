import { z } from "zod";
import { describeAgents, describeApi, viewHandoffs } from "#shared/api";
import { AbsentError } from "#shared/http";
import { drawTeam } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { METRICS_CONTENT_TYPE } from "#shared/telemetry";
import type { Handler } from "../gateway.ts";
import { judgeReadiness } from "../runs/judge-readiness.ts";
import { measure } from "../runs/measure.ts";
import { requireTotals, seesTotals, teamsFor } from "../tenancy/may-see.ts";

export const listTeams: Handler<"listTeams"> = async ({ gateway, caller }) => {
  return { teams: teamsFor(gateway, caller).map(describe) };
};

function describe(team: Team) {
  return {
    team: team.name,
    description: team.options.description ?? "",
    entry: team.entry.name,
    entry_contract: team.entry.accepts.id,
    agents: [...team.agents.values()].map((agent) => agent.id),
    edges: team.edges.map(({ fallbacks, types, ...edge }) => ({
      ...edge,
      handoff_types: [...types],
      fallbacks: [...fallbacks],
    })),
    contracts: team.contracts.all().map((contract) => contract.id),
    preferences: z.toJSONSchema(team.terms.preferences),
    constraints: z.toJSONSchema(team.terms.constraints),
    mermaid: drawTeam(team),
  };
}

/** `/openapi.json` asks for no key, so that it names no team; this one has those of the key. */
export const showApi: Handler<"showApi"> = async ({ gateway, caller, reply }) =>
  reply
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(describeApi(teamsFor(gateway, caller), gateway.gatewayPublicUrl ?? undefined)));

/** Lists the transitions between agents, with the outcomes of their handoffs. */
export const listHandoffs: Handler<"listHandoffs"> = ({ gateway, query, caller }) => {
  requireTotals(caller);
  const isOfAll = caller?.teams === null;
  return viewHandoffs(gateway.store, { teams: teamsFor(gateway, caller), isOfAll, span: query.span });
};

/** Agents as this gateway's teams declare them, joined with the processes that say they work for them. */
export const listAgents: Handler<"listAgents"> = async ({ gateway, caller }) => {
  const agents = describeAgents(teamsFor(gateway, caller), await gateway.store.registry.live());
  const isOfAll = seesTotals(caller) && caller?.teams === null;
  return { agents: isOfAll ? agents : agents.filter(({ declared }) => declared) };
};

export const showStats: Handler<"showStats"> = async ({ gateway, caller }) => {
  requireTotals(caller);
  return measure(gateway);
};

export const showMetrics: Handler<"showMetrics"> = async ({ gateway, reply, caller }) => {
  requireTotals(caller);
  return reply.type(METRICS_CONTENT_TYPE).send(await gateway.metrics.render());
};

/** Says if tasks can be sent here: 200 for `ready` and `degraded`, 503 with the reason otherwise. */
export const showReadiness: Handler<"showReadiness"> = async ({ gateway, reply }) => {
  const readiness = gateway.stopping.aborted
    ? { status: "stopping" as const, parts: [] }
    : await judgeReadiness(gateway);
  const takesTasks = readiness.status === "ready" || readiness.status === "degraded";
  if (!takesTasks) void reply.code(503).header("retry-after", "2");
  return readiness;
};

export const showContract: Handler<"showContract"> = async ({ gateway, params, reply, caller }) => {
  for (const team of teamsFor(gateway, caller)) {
    const found = team.contracts.find(params.contract);
    if (found !== undefined)
      return reply.type("application/schema+json; charset=utf-8").send(JSON.stringify(found.jsonSchema));
  }
  throw new AbsentError("contract", "See /v1/teams for the contracts there are.");
};
