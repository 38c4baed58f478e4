import { z } from "zod";
import { AbsentError } from "#shared/http";
import { operation, READERS } from "../operation.ts";
import { teamsFor } from "../tenancy/may-see.ts";

export const showContract = operation({
  id: "showContract",
  summary: "Show a contract as JSON Schema",
  scopes: READERS,
  params: z.object({ contract: z.string().max(256).meta({ description: "name@version" }) }),
  status: 200,
  async handle({ gateway, params, reply, caller }) {
    for (const team of teamsFor(gateway, caller)) {
      const found = team.contracts.find(params.contract);
      if (found !== undefined)
        return reply.type("application/schema+json; charset=utf-8").send(JSON.stringify(found.jsonSchema));
    }
    throw new AbsentError("contract", "See /v1/teams for the contracts there are.");
  },
});
