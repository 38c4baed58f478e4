import { describeApi } from "#shared/api";
import type { Handler } from "../operation.ts";
import { teamsFor } from "../tenancy/may-see.ts";

/** `/openapi.json` asks for no key, so that it names no team; this one has those of the key. */
export const showApi: Handler<"showApi"> = async ({ gateway, caller, reply }) =>
  reply
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(describeApi(teamsFor(gateway, caller), gateway.publicUrl ?? undefined)));
