import { z } from "zod";
import type { Secret } from "#shared/config";
import { askOutside } from "#shared/http/outside";
import type { OutsideLimits } from "#shared/http/outside";
import { LibraryUnavailableError } from "./library.ts";
import { chooseOfRanked } from "./rank-passages.ts";
import { toSource } from "./library.ts";
import type { Library } from "./library.ts";

/** Answer of a search service, best result first, as in `docs/teams/research.md`; further fields are ignored. */
const answerSchema = z.object({
  results: z
    .array(
      z.object({
        id: z.string().min(1).max(500),
        title: z.string().max(1000).optional(),
        publisher: z.string().max(1000).optional(),
        published: z.string().max(100).optional(),
        text: z.string(),
      }),
    )
    .max(200),
});

export interface HttpLibraryOptions extends Pick<OutsideLimits, "timeoutMs"> {
  /** Address below which `search` is. */
  readonly baseUrl: string;
  /** Sent as a bearer token; null: none is. */
  readonly key: Secret | null;
}

const QUERY_CHARACTERS_MAX = 1000;
const ANSWER_BYTES_MAX = 2 * 1024 * 1024;

/** Sources behind a search service. Its texts are a stranger's, as those of a folder are. */
export function createHttpLibrary({ baseUrl, key, ...limits }: HttpLibraryOptions): Library {
  return {
    async search({ text, passagesMax }, signal) {
      const address = { url: baseUrl.replace(/\/+$/, ""), token: key };
      const answer = await askOutside("The search service", address, {
        ...limits,
        path: "search",
        query: { q: text.slice(0, QUERY_CHARACTERS_MAX), limit: String(passagesMax) },
        answer: answerSchema,
        answerBytesMax: ANSWER_BYTES_MAX,
        signal,
      });
      if (answer === null) throw new LibraryUnavailableError("the search service is not at its address");
      const sources = answer.results.map(({ id, text: body, ...known }) =>
        toSource({ sourceId: id, ...known, body }),
      );
      return chooseOfRanked(sources, { text, passagesMax });
    },
  };
}
