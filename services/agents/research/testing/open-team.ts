import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { openRehearsal } from "../../../../tests/support/rehearsal-model.ts";
import { createResearchTeam } from "../team.ts";
import type { ResearchSetup } from "../outside/library.ts";
import { createFolderLibrary } from "../outside/folder-library.ts";
import type { Answer } from "../result.ts";

export const SOURCES_DIR = fileURLToPath(new URL("../samples/sources", import.meta.url));

const SAMPLES = readFileSync(new URL("../samples/tasks.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): { readonly id: string; readonly input: { readonly ask: Sample } } => JSON.parse(line));

type Sample = { readonly text: string } & NonNullable<Ask["document"]>;

/** Returns a sample by its id. A rehearsal has recorded answers to the texts of samples alone. */
export function sampleOf(id: string): Sample {
  const found = SAMPLES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no sample ${id}.`);
  return found.input.ask;
}

/** Result of a run of the team. */
export type Result = Answer & {
  readonly conversation_id: string;
  readonly turn: number;
  readonly labels: readonly string[];
};

export interface OpenTeam {
  readonly system: TestSystem;
  readonly submit: (ask: Ask) => Promise<string>;
  readonly ask: (ask: Ask) => Promise<Result>;
  readonly resultOf: (runId: string) => Promise<Result>;
}

export interface Ask {
  readonly conversation?: string;
  readonly text?: string;
  readonly document?: { readonly title: string; readonly text: string; readonly wish?: string };
  readonly user?: string;
  readonly after?: string;
}

export const sampleLibrary = () => createFolderLibrary(() => SOURCES_DIR);

/** The team over the sample sources, on a real Redis, with its stand-ins behind the real rehearsal server. */
export async function openTeam(setup: Partial<ResearchSetup> = {}): Promise<OpenTeam> {
  const team = createResearchTeam({ library: sampleLibrary(), ...setup });
  const system = await startTestSystem(team, { model: (await openRehearsal(team)).model, lockMs: 5000 });
  return openAsks(system);
}

/** Asks of a team that is at work already. */
export function openAsks(system: TestSystem): OpenTeam {
  const submit = async ({ conversation = "one", user = "ada", ...rest }: Ask): Promise<string> => {
    const { text = "", document, after = null } = rest;
    const ask = document === undefined ? { kind: "message", text } : { kind: "document", ...document };
    const payload = { conversation_id: conversation, after, ask };
    const draft = { user: { user_id: user }, hopsMax: system.team.options.hopsMax ?? 10, ttlMs: 600_000 };
    return (await system.submit(payload, draft)).runId;
  };
  const resultOf = async (runId: string): Promise<Result> => {
    // The result of `settleAnswer`.
    return (await system.until(runId, ["completed"])).result as Result;
  };
  return { system, submit, resultOf, ask: async (one) => resultOf(await submit(one)) };
}
