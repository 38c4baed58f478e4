import { digestOf, signRecord, verifyRecord } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import type { SignedRecord } from "#shared/envelope/seals";
import { SutureError } from "#shared/errors";
import { readJson } from "#shared/store";
import type { StoredBatch } from "#shared/store/cases";
import type { Batch, BatchDecision, BatchState } from "./batch.ts";
import type { DecisionSigner } from "../decisions/sign-decision.ts";

/** A planned batch, as the console signs it. */
export interface BatchPlan {
  readonly batch_id: string;
  readonly fingerprint: string;
  readonly decision: BatchDecision;
  readonly by: string;
  readonly person: string | null;
  readonly why: string;
  readonly canary: number;
  readonly rate_per_second: number;
  readonly undoes: string | null;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** SHA-256 of its case ids in order, as returned by `digestOfCases`. */
  readonly cases: string;
  /** Its first state; a `restore` runs at once. */
  readonly state: BatchState;
  /** Present if stops are signed. Absent: planned by a release that signed none. */
  readonly stops?: "signed";
}

/** Signed stop of a batch, by a person or the surgeon. */
export interface BatchStop {
  readonly batch_id: string;
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
}

/** Signed continuation of a batch by a person. */
export interface BatchGo {
  readonly batch_id: string;
  readonly to: "canary" | "running";
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
}

const PURPOSE = { plan: "batch-plan", go: "batch-go", stop: "batch-stop" } as const;

/** @throws {SigningKeyMissingError} This process has no key to sign decisions with. */
export function signPlan(plan: BatchPlan, keyring: Keyring): string {
  return sign(plan, PURPOSE.plan, keyring);
}

/** @throws {SigningKeyMissingError} This process has no key to sign decisions with. */
export function signGo(go: BatchGo, keyring: Keyring): string {
  return sign(go, PURPOSE.go, keyring);
}

/** @throws {SigningKeyMissingError} This process has no key to sign decisions with. */
export function signStop(
  stop: BatchStop,
  { keyring, signer }: { readonly keyring: Keyring; readonly signer: DecisionSigner },
): string {
  return sign(stop, PURPOSE.stop, keyring, signer);
}

/** Returns true if this batch has a validly signed stop. */
export function isStopSigned(batchId: string, fields: StoredBatch, keyring: Keyring): boolean {
  // Only this form is ever signed.
  const stop = open(fields["stop"], PURPOSE.stop, keyring, ["console", "surgeon"]) as BatchStop | string;
  return typeof stop !== "string" && stop.batch_id === batchId;
}

/** Returns the state that a batch without a signed stop should have; null if it may be stopped. */
export function stateBeforeStop(batchId: string, fields: StoredBatch, keyring: Keyring): BatchState | null {
  const opened = openPlan(batchId, { fields, keyring });
  if ("problem" in opened || opened.plan.stops !== "signed") return null;
  const { plan } = opened;
  if (isStopSigned(batchId, fields, keyring)) return null;
  const go = open(fields["go"], PURPOSE.go, keyring) as BatchGo | string;
  return typeof go === "string" || go.batch_id !== batchId ? plan.state : go.to;
}

export function digestOfCases(ids: readonly string[]): string {
  return digestOf(JSON.stringify(ids));
}

/**
 * Verifies that a batch was planned, and brought to its present state, by people.
 *
 * @returns The plan, or why it is refused, for display.
 */
export function verifyBatch(
  batch: Batch,
  { fields, keyring }: { readonly fields: StoredBatch; readonly keyring: Keyring },
): { readonly plan: BatchPlan } | { readonly problem: string } {
  const opened = openPlan(batch.batch_id, { fields, keyring });
  if ("problem" in opened) return opened;
  const { plan } = opened;
  if (batch.state !== "canary" && batch.state !== "running") return { plan };
  if (plan.state === batch.state) return { plan };
  // Only this form is ever signed.
  const go = open(fields["go"], PURPOSE.go, keyring) as BatchGo | string;
  if (typeof go === "string") return { problem: `nobody has started it: ${go}` };
  const isSo = go.batch_id === batch.batch_id && go.to === batch.state;
  return isSo ? { plan } : { problem: `nobody has brought it to ${batch.state}` };
}

/** Returns a batch's signed plan, in any state, or why it is refused, for display. */
export function openPlan(
  batchId: string,
  { fields, keyring }: { readonly fields: StoredBatch; readonly keyring: Keyring },
): { readonly plan: BatchPlan } | { readonly problem: string } {
  // Only this form is ever signed.
  const plan = open(fields["plan"], PURPOSE.plan, keyring) as BatchPlan | string;
  if (typeof plan === "string") return { problem: `its plan is not to be believed: ${plan}` };
  return plan.batch_id === batchId ? { plan } : { problem: "its plan was signed for another batch" };
}

function sign(record: object, purpose: string, keyring: Keyring, signer: DecisionSigner = "console"): string {
  const signed: SignedRecord<object> = signRecord(record, { key: keyring.signing(signer, "ward"), purpose });
  return JSON.stringify(signed);
}

/** @returns The signed record, or why it is refused. */
function open(
  text: string | undefined,
  purpose: string,
  keyring: Keyring,
  from: readonly DecisionSigner[] = ["console"],
): unknown {
  if (text === undefined) return "nobody has signed it";
  try {
    return verifyRecord(readJson(text), { keyring, purpose, from, to: "ward" });
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    return `its signature does not hold (${error.code})`;
  }
}
