import type { operations } from "#shared/api/client";

/** Types of the tasks of one team. */
export interface TeamTypes {
  readonly input: unknown;
  readonly result: unknown;
}

/** A team as `team` of the package declares it. */
interface DeclaredTeam {
  readonly name: string;
  readonly types?: TeamTypes;
}

/** Returns what `createClient` takes of teams as they are declared: one, or an array of them. */
export type TeamsOf<Declared extends DeclaredTeam | readonly DeclaredTeam[]> = {
  readonly [One in MemberOf<Declared> as One["name"]]: NonNullable<One["types"]>;
};

type MemberOf<Declared> = Declared extends readonly (infer One extends DeclaredTeam)[]
  ? One
  : Extract<Declared, DeclaredTeam>;

/** Any team, with any input. */
export type AnyTeams = Record<string, TeamTypes>;

type JsonOf<Answer> = Answer extends { content: { "application/json": infer Json } } ? Json : never;

export type Problem = operations["submitTask"]["responses"]["default"]["content"]["application/problem+json"];
export type Task = operations["submitTask"]["requestBody"]["content"]["application/json"];
export type Started = JsonOf<operations["submitTask"]["responses"][202]>;
/** A run in full, with its hops. */
export type RunView = JsonOf<operations["showRun"]["responses"][200]>;
/** A run as lists show it. */
export type RunSummary = JsonOf<operations["cancelRun"]["responses"][200]>;
export type StoredBlob = JsonOf<operations["storeBlob"]["responses"][201]>;
/** Reference to a stored file in a task's input. */
export type FileReference = Omit<StoredBlob, "id">;

export type StreamedEvent = operations["streamRunEvents"]["responses"][200]["content"]["text/event-stream"];
/** An event of a run; `type` tells which. */
export type RunEvent = Exclude<StreamedEvent, { type: "end" }>;
