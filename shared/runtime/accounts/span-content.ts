import { redactText, redactValue } from "#shared/guard";
import { readJson } from "#shared/json";
import { maskForTeam } from "#shared/masking";
import type { RunMask } from "#shared/masking";
import type { SpanContent } from "#shared/model";
import type { Delivery } from "../deliver/delivery.ts";
import { recordInput, showInput } from "./recorded-input.ts";

const masks = new WeakMap<Delivery["place"]["team"], RunMask>();

/**
 * Returns what a call's span may hold of its content: masks what contracts mark, and in a team that marks anything all
 * without a contract; redacts the rest. Nothing unless `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is set.
 */
export function spanContentOf(
  { place, message }: Delivery,
  answers: string,
): { readonly content?: SpanContent } {
  if (!place.capturesContent || message === null) return {};
  const { data_payload: payload, meta } = message.envelope;
  const mask = masks.get(place.team) ?? maskForTeam(place.team);
  masks.set(place.team, mask);
  const about = (text: string): string => redactText(mask.about(text, payload, meta.contract)).text;
  const content: SpanContent = {
    instructions: about,
    input: (text) =>
      toText(showInput(recordInput(text, payload), { payload, contract: meta.contract }, mask)),
    other: (text) => redactText(mask.text(text)).text,
    answer: (text) => {
      const value = readJson(text);
      if (value === undefined) return redactText(mask.text(text)).text;
      return toText(mask.payload(value, answers));
    },
  };
  return { content };
}

function toText(value: unknown): string {
  return JSON.stringify(redactValue(value ?? null).value);
}
