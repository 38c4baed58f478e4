import { z } from "zod";
import type { Conversation, HistoryMessage } from "#shared/envelope";
import { ENTITY_KINDS } from "./entities.ts";
import { ContextDefinitionError, NeedMissingError, NeedUndeclaredError } from "./errors.ts";
import { stepsOf } from "#shared/json";

/** Field of `metadata` with the parts of a packet that are no turns. */
const PACKET_FIELD = "context_packet";

const keptSchema = z.object({
  summary: z.string(),
  /** Entities that the summary does not name. */
  entities: z.array(z.object({ kind: z.enum(ENTITY_KINDS), text: z.string() })).readonly(),
  /** Reference to the whole: `suture:message/<id>` or a file's address, turns, SHA-256 of its bytes in hex. */
  transcript: z.object({ uri: z.string(), turns: z.int(), sha256: z.string() }).nullable(),
});

/** A compressed conversation. */
export interface ContextPacket extends Readonly<z.output<typeof keptSchema>> {
  /** The newest turns, and those of open tool calls, verbatim and in order. */
  readonly turns: readonly HistoryMessage[];
}

/** The text whose tokens are the packet's size. */
export function packetText({ summary, entities, transcript, turns }: ContextPacket): string {
  return JSON.stringify({ summary, entities, transcript, turns });
}

/** The conversation to hand on: the packet's turns, its other parts in `metadata`, the open calls of `tool_state`. */
export function toConversation(
  { summary, entities, transcript, turns }: ContextPacket,
  before: Pick<Conversation, "tool_state" | "metadata">,
): Conversation {
  return {
    history: [...turns],
    tool_state: before.tool_state,
    metadata: { ...before.metadata, [PACKET_FIELD]: { summary, entities, transcript } },
  };
}

/** Reads the packet of an earlier compression; null for none. */
export function readPacket({
  metadata,
  history,
}: Pick<Conversation, "metadata" | "history">): ContextPacket | null {
  const { data } = keptSchema.safeParse(metadata[PACKET_FIELD]);
  return data === undefined ? null : { ...data, turns: history };
}

/** The context that one step's prompt holds. */
export interface ContextNeed {
  /** JSON pointers into the step's input, with `*` for items. Required. */
  readonly fields: readonly string[];
  /** As `fields`, but optional. Default: none. */
  readonly optional?: readonly string[];
  /** JSON pointers into the agent's declared preferences that the prompt holds besides. Default: none. */
  readonly preferences?: readonly string[];
  /** JSON pointers into the agent's declared constraints that the prompt holds besides. Default: none. */
  readonly constraints?: readonly string[];
  /** As `shortens` of `ctx.model`: parts of the input that may be sent shorter after a time-out. Default: its own. */
  readonly shortens?: readonly string[];
  /** Nominal budget of this step's prompt in tokens, of which 80 % are used. Default: the agent's. */
  readonly tokensMax?: number;
}

/** Needs by the step name given to `ctx.model`; `name/*` matches every step that begins with `name/`. */
export type ContextNeeds = Readonly<Record<string, ContextNeed>>;

/** Selects the declared fields of a step's input. @throws {NeedUndeclaredError | NeedMissingError} */
export function takeNeeded(
  needs: ContextNeeds,
  asked: { readonly agent: string; readonly step: string; readonly input: unknown },
): { readonly input: unknown; readonly need: ContextNeed } {
  const { agent, step, input } = asked;
  const need = findNeed(needs, step);
  if (need === undefined) throw new NeedUndeclaredError(agent, step);
  const { missing } = selectFields(input, need.fields);
  if (missing.length > 0) throw new NeedMissingError(agent, { step, paths: missing });
  return { need, input: selectFields(input, [...need.fields, ...(need.optional ?? [])]).value };
}

function findNeed(needs: ContextNeeds, step: string): ContextNeed | undefined {
  if (Object.hasOwn(needs, step)) return needs[step];
  const family = Object.keys(needs)
    .filter((name) => name.endsWith("/*") && step.startsWith(name.slice(0, -1)))
    .toSorted((a, b) => b.length - a.length)[0];
  return family === undefined ? undefined : needs[family];
}

/** Selected fields: a tree of names, `true` for everything below. */
type Wanted = true | Map<string, Wanted>;

interface Selected {
  /** The selected fields, in the value's form. */
  readonly value: unknown;
  /** Pointers without a value; those through `*` never count. */
  readonly missing: readonly string[];
}

/**
 * Selects fields of a JSON value. Lists keep their order. @throws {ContextDefinitionError} A pointer is malformed.
 * @param pointers - JSON pointers; the step `*` stands for every item or member, `""` for the whole value.
 */
export function selectFields(value: unknown, pointers: readonly string[]): Selected {
  const paths = pointers.map(readSteps);
  const wanted = plan(paths);
  return {
    value: wanted === true ? value : pick(value, wanted),
    missing: pointers.filter((_, index) => !leadsSomewhere(value, paths[index] ?? [])),
  };
}

function readSteps(pointer: string): string[] {
  if (pointer !== "" && !pointer.startsWith("/"))
    throw new ContextDefinitionError(`${pointer} is no JSON pointer`);
  return stepsOf(pointer);
}

function plan(paths: readonly (readonly string[])[]): Wanted {
  if (paths.some((path) => path.length === 0)) return true;
  const byStep = Map.groupBy(paths, (path) => path[0] ?? "");
  return new Map([...byStep].map(([step, same]) => [step, plan(same.map((path) => path.slice(1)))]));
}

function pick(value: unknown, wanted: Map<string, Wanted>): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      const inner = wanted.get(String(index)) ?? wanted.get("*");
      return inner === undefined ? [] : [inner === true ? item : pick(item, inner)];
    });
  }
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).flatMap(([key, item]: [string, unknown]): [string, unknown][] => {
    const inner = wanted.get(key) ?? wanted.get("*");
    if (inner === undefined) return [];
    // A pointer below a scalar selects nothing.
    if (inner !== true && (typeof item !== "object" || item === null)) return [];
    return [[key, inner === true ? item : pick(item, inner)]];
  });
  return Object.fromEntries(entries);
}

function leadsSomewhere(value: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return value !== undefined;
  if (step === "*") return true;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return false;
  return leadsSomewhere(Object.entries(value).find(([key]) => key === step)?.[1], rest);
}
