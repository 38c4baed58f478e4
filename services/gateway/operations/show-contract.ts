import { AbsentError } from "#shared/http";
import type { Handler } from "../operation.ts";
import { teamsFor } from "../tenancy/may-see.ts";

export const showContract: Handler<"showContract"> = async ({ gateway, params, reply, caller }) => {
  for (const team of teamsFor(gateway, caller)) {
    const found = team.contracts.find(params.contract);
    if (found !== undefined)
      return reply.type("application/schema+json; charset=utf-8").send(JSON.stringify(found.jsonSchema));
  }
  throw new AbsentError("contract", "See /v1/teams for the contracts there are.");
};
