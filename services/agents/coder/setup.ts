import { lstat, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Task } from "./contracts.ts";
import { CheckoutGoneError } from "./errors.ts";
import { TRIAL_LIMITS_DEFAULT } from "./trial/run-tests.ts";
import type { Trial } from "./trial/try-diff.ts";
import { isProjectPath } from "./checkout/project-path.ts";

/** Finds a checkout below the folder of all. @returns Its real folder; null for none, or for one outside of it. */
export async function openCheckout(checkoutsDir: string, name: string): Promise<string | null> {
  if (!isProjectPath(name)) return null;
  try {
    const base = await realpath(checkoutsDir);
    const root = await realpath(join(base, name));
    if (!root.startsWith(base + sep)) return null;
    return (await lstat(root)).isDirectory() ? root : null;
  } catch {
    return null;
  }
}

/** The folders and limits that the coder team works with. */
export interface CoderSetup {
  /** Returns the folder of all checkouts. Called when needed, so that loading the team needs no configuration. */
  readonly checkoutsDir: () => string;
  /** Returns the folder of scratch copies, which is created when missing. */
  readonly scratchDir: () => string;
}

/** Resolves the folder of a checkout. @throws {CheckoutGoneError} It was deleted since the task was planned. */
export async function findRoot(setup: CoderSetup, checkout: string): Promise<string> {
  const root = await openCheckout(setup.checkoutsDir(), checkout);
  if (root === null) throw new CheckoutGoneError(checkout);
  return root;
}

/** Returns what all trials of a task have in common: a trial of the checkout as it is, but for its signal. */
export function trialOf(setup: CoderSetup, task: Task, root: string): Omit<Trial, "signal"> {
  const { editable, tests } = task;
  return {
    root,
    scratchDir: setup.scratchDir(),
    diff: null,
    allowed: { editable, tests },
    before: null,
    limits: TRIAL_LIMITS_DEFAULT,
  };
}
