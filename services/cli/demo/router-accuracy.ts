import { z } from "zod";
import { RequestRefusedError } from "../errors.ts";
import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";
import { persist } from "../http/persist.ts";
import type { Sent } from "./send-traffic.ts";

type Run = Pick<JsonOf<"showRun">, "hops" | "result">;

/** How often a team's entry agent chose the agent that a person would have chosen. */
export interface RouterAccuracy {
  readonly team: string;
  readonly labelled: number;
  /** Runs whose choice was made; the others wait in the ward or ended before it. */
  readonly decided: number;
  readonly right: number;
  /** `right` over `decided`; null where nothing was decided. */
  readonly accuracy: number | null;
}

/** Fields of a result that show the route where the entry agent ended the run itself. */
const resultSchema = z.object({
  status: z.string().default(""),
  cause: z.string().default(""),
  outcome: z.string().default(""),
});

/** A question back for what a handler lacks is that handler's case: the choice was made. */
const ASKED_BACK: Readonly<Record<string, string>> = { order_number_needed: "refunds" };

const AT_ONCE = 8;

export async function measureRouters(
  gateway: Api,
  sent: readonly Sent[],
  signal: AbortSignal,
): Promise<RouterAccuracy[]> {
  const chosen: { team: string; isRight: boolean | null }[] = [];
  const queue = [...sent];
  const work = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { sample, run_id } = one;
      if (sample.kind !== "task" || sample.route === null) continue;
      const request = { params: { path: { run_id } }, signal };
      const run = await persist(
        () => answerOf(openClient(gateway).GET("/v1/runs/{run_id}", request)),
        signal,
      ).catch(nullIfLost);
      const route = run === null ? null : findRoute(run);
      chosen.push({ team: sample.team, isRight: route === null ? null : route === sample.route });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return [...Map.groupBy(chosen, ({ team }) => team)].map(([team, ofTeam]) => {
    const decided = ofTeam.filter(({ isRight }) => isRight !== null).length;
    const right = ofTeam.filter(({ isRight }) => isRight === true).length;
    return {
      team,
      labelled: ofTeam.length,
      decided,
      right,
      accuracy: decided === 0 ? null : right / decided,
    };
  });
}

/** A run without a record decided nothing; the summary counts it as lost. */
function nullIfLost(error: unknown): null {
  if (error instanceof RequestRefusedError && error.status === 404) return null;
  throw error;
}

/** Returns the agent that the entry agent chose, or the cause with which it ended the run. Null: not decided. */
function findRoute({ hops, result }: Run): string | null {
  const entry = hops[0]?.agent;
  // A message that the ward sent on is a further hop of the same agent: the last choice counts.
  const hop = hops.findLast(
    ({ agent, outcome }) => agent === entry && (outcome === "handed_off" || outcome === "completed"),
  );
  if (hop === undefined) return null;
  const told = resultSchema.safeParse(result);
  const { cause, outcome } = told.success ? told.data : { cause: "", outcome: "" };
  const next = hop.next[0]?.agent;
  if (next === undefined) return cause;
  return next === "reply" ? (ASKED_BACK[outcome] ?? next) : next;
}
