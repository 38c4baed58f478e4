import { assertWithin, ceilingOf, selectFields, takeNeeded } from "#shared/context";
import type { ContextNeed } from "#shared/context";
import type { Contract, ContractOutput } from "#shared/contract";
import { TOKENS_PER_IMAGE } from "#shared/model";
import type { Delivery } from "./delivery.ts";
import { modelOf } from "./model-call.ts";
import type { AskRequest } from "./model-call.ts";
import { askModel } from "./model-step.ts";
import { readTerms } from "./read-terms.ts";

/** Calls a model with the declared prompt fields of the agent; without a declaration, with the handler's input. */
export function ask<C extends Contract>(request: AskRequest<C>): Promise<ContractOutput<C>> {
  const { needs, contextTokensMax } = request.delivery.place.agent.options;
  return needs === undefined && contextTokensMax === undefined ? askModel(request) : askDeclared(request);
}

/** Sends declared fields alone. @throws {NeedUndeclaredError | NeedMissingError | ContextTooLargeError} Over 80 %. */
async function askDeclared<C extends Contract>(asking: AskRequest<C>): Promise<ContractOutput<C>> {
  const { delivery, step, request } = asking;
  const { agent, tokenCounters } = delivery.place;
  const { needs, contextTokensMax } = agent.options;
  const taken =
    needs === undefined ? null : takeNeeded(needs, { agent: agent.id, step, input: request.input });
  const asked =
    taken === null
      ? request
      : {
          ...request,
          input: withTerms(delivery, { need: taken.need, input: taken.input }),
          shortens: taken.need.shortens ?? request.shortens ?? [],
        };
  const tokensMax = taken?.need.tokensMax ?? contextTokensMax;
  if (tokensMax !== undefined) {
    const count = await tokenCounters(modelOf(delivery, request.tier));
    const parts = [
      asked.instructions,
      JSON.stringify(asked.input ?? null),
      JSON.stringify(asked.answers.jsonSchema),
    ];
    if (asked.tools !== undefined)
      parts.push(
        ...asked.tools.map(({ description, jsonSchema }) => description + JSON.stringify(jsonSchema)),
      );
    const pictures = (asked.images?.length ?? 0) * TOKENS_PER_IMAGE;
    const tokens = parts.reduce((sum, part) => sum + count(part), pictures);
    assertWithin(tokens, { of: `The prompt of step ${step.slice(0, 64)} of ${agent.id}`, tokensMax });
    const room = { count, tokens: ceilingOf(tokensMax) - tokens };
    return askModel({ ...asking, request: asked, room });
  }
  return askModel({ ...asking, request: asked });
}

/** Adds declared preferences and constraints of the task, last, so that the beginnings of prompts stay the same. */
function withTerms(
  { place, message }: Delivery,
  { need, input }: { readonly need: ContextNeed; readonly input: unknown },
): unknown {
  if (message === null || (need.preferences === undefined && need.constraints === undefined)) return input;
  const terms = readTerms(place.agent, message.envelope);
  const preferences = selectFields(terms.preferences, need.preferences ?? []).value;
  const constraints = selectFields(terms.constraints, need.constraints ?? []).value;
  return {
    ...(typeof input === "object" ? input : { input }),
    ...(isEmpty(preferences) ? {} : { preferences }),
    ...(isEmpty(constraints) ? {} : { constraints }),
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}
