import { draw, drawInteger } from "./draw.ts";
import type { TaskMix } from "./plan/chapters.ts";

/** Effect of an order on the agent's code: none, an error each time, or the end of its process each time. */
export const MOODS = ["calm", "throws", "kills"] as const;

/**
 * Trouble that a task is made to meet.
 * - `plain`: nothing of its own; it must complete, whatever strikes the machine.
 * - `survey`: like `plain`, for the team that fans out, joins and writes on a board.
 * - `healable`: its payload came in broken in a way that first aid mends; it must complete.
 * - `unhealable`: a value is missing that nobody can know; it must wait for a person.
 * - `throws`: the agent's code fails on it every time; it must wait for a person.
 * - `kills`: the agent's process dies on it every time; it must wait for a person.
 * - `babble`: the model's answer to it is never usable; it must wait for a person.
 */
export type TaskKind = "plain" | "survey" | "healable" | "unhealable" | "throws" | "kills" | "babble";

export interface Task {
  readonly task: string;
  readonly kind: TaskKind;
  readonly amount: number;
  /** Travels with the payload and must appear in no log. */
  readonly canary: string;
  /** Its submitter never asks again after an unknown outcome, so that the checker has to find out. */
  readonly isAbandoned: boolean;
  readonly path: "/v1/tasks" | "/v1/handoffs";
  readonly body: object;
}

/** Shares of the kinds, in per cent of all tasks; the rest is plain. */
const SHARES: Readonly<Record<TaskMix, Readonly<Partial<Record<TaskKind, number>>>>> = {
  usual: { survey: 15, healable: 8, unhealable: 5, throws: 5, babble: 5 },
  // As the storm of the acceptance test: 30 % malformed, 5 % that bring their process down.
  poison: { survey: 10, healable: 15, unhealable: 15, kills: 5 },
};
const ABANDONED_SHARE = 0.1;
/** Longer than any run of the suite, and than any clock that it moves. */
const TTL_MS = 24 * 3_600_000;
const AMOUNT_MAX = 100_000;
const BRANCHES_MIN = 2;
const BRANCHES_SPAN = 4;

/** Decides every task of a run. */
export interface TaskSource {
  readonly seed: number;
  readonly mix: TaskMix;
}

/** The task with this number. The source and the number decide all of it. */
export function createTask({ seed, mix }: TaskSource, index: number): Task {
  const task = `t-${index}`;
  const amount = drawInteger({ min: 1, max: AMOUNT_MAX }, seed, "amount", index);
  const kind = chooseKind(SHARES[mix], draw(seed, "kind", index) * 100);
  const canary = `canary-${drawInteger({ min: 1, max: 1e9 }, seed, "canary", index).toString(36)}-${index}`;
  const isAbandoned = draw(seed, "abandoned", index) < ABANDONED_SHARE;
  return { task, kind, amount, canary, isAbandoned, ...requestOf({ task, kind, amount, canary }) };
}

/** Returns the number of a task or of one of its branches, from its name: `t-7`, or `t-7/2`. */
export function indexOf(name: string): number {
  return Number.parseInt(name.slice("t-".length), 10);
}

/** Returns the names and amounts of a survey's branches: what each of them asks the model and does outside. */
export function branchesOf({ task, amount }: Pick<Task, "task" | "amount">): Pick<Task, "task" | "amount">[] {
  const count = BRANCHES_MIN + (amount % BRANCHES_SPAN);
  return Array.from({ length: count }, (_, n) => ({ task: `${task}/${n}`, amount: amount + n }));
}

/** Returns the right answer of the model for an amount. */
export function gradeOf(amount: number): "a" | "b" | "c" {
  return (["a", "b", "c"] as const)[amount % 3] ?? "a";
}

/** Returns true for kinds of tasks whose runs must wait for a person. */
export function mustWait(kind: TaskKind): boolean {
  return kind !== "plain" && kind !== "survey" && kind !== "healable";
}

function chooseKind(shares: Readonly<Partial<Record<TaskKind, number>>>, percent: number): TaskKind {
  let below = 0;
  for (const [kind, share] of Object.entries(shares)) {
    below += share;
    // The keys of the table are kinds.
    if (percent < below) return kind as TaskKind;
  }
  return "plain";
}

function requestOf(own: Pick<Task, "task" | "kind" | "amount" | "canary">): Pick<Task, "path" | "body"> {
  const { task, kind, amount, canary } = own;
  if (kind === "survey") {
    const input = { task, amount, note: canary };
    return { path: "/v1/tasks", body: { team: "chaos-survey", input, ttl_ms: TTL_MS } };
  }
  const order = { task, amount, note: canary, mood: kind === "throws" || kind === "kills" ? kind : "calm" };
  if (kind !== "healable" && kind !== "unhealable") {
    return { path: "/v1/tasks", body: { team: "chaos", input: order, ttl_ms: TTL_MS } };
  }
  const { amount: _known, ...incomplete } = order;
  return {
    path: "/v1/handoffs",
    body: {
      target_agent: "chaos-intake",
      contract: "chaos.order@1",
      data_payload: kind === "healable" ? { ...order, amount: String(amount) } : incomplete,
      on_invalid: "ward",
      ttl_ms: TTL_MS,
    },
  };
}
