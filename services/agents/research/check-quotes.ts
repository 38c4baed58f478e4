import type { Contract } from "#shared/contract";
import type { SemanticCheck } from "#shared/contract";
import type { Issue } from "#shared/errors";
import type { z } from "zod";
import type { Passage } from "./outside/library.ts";
import { holdsQuote } from "./reading/quote.ts";

/** An issue for each quotation that does not stand in its text, word for word; undefined: there is no such text. */
export function checkQuotes<Quoting extends { readonly quote: string }>(
  quoting: readonly Quoting[],
  textOf: (one: Quoting) => string | undefined,
  at: string,
): Issue[] {
  return quoting.flatMap((one, index) => {
    const text = textOf(one);
    if (text !== undefined && holdsQuote(text, one.quote)) return [];
    const [code, message] =
      text === undefined
        ? ["unknown_source", "names a passage that was not read"]
        : ["invented_quotation", "these words do not stand in the source, word for word"];
    return [{ path: `${at}/${index}/quote`, code, message }];
  });
}

/** The same for words that cite a passage by its id. */
export function checkCited(
  citing: readonly { readonly quote: string; readonly passage_id: string }[],
  passages: readonly Passage[],
  at: string,
): Issue[] {
  return checkQuotes(citing, (one) => passages.find(({ passage_id: id }) => id === one.passage_id)?.text, at);
}

/**
 * The same contract with a check that knows what this one answer is about, the passages it was shown say: the answer is
 * asked for again, and goes to the ward, like any other that its contract refuses.
 */
export function withCheck<Schema extends z.ZodType>(
  contract: Contract<Schema>,
  check: SemanticCheck<z.output<Schema>>,
): Contract<Schema> {
  return { ...contract, options: { ...contract.options, check } };
}
