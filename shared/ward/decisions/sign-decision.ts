import { digestOf, signRecord, verifyRecord } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import { isObjectWith } from "#shared/store";
import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import { CaseRecord } from "../case-record.ts";
import { DECISION_KINDS } from "./decision.ts";
import type { Decision, Proposal } from "./decision.ts";
import { findStale } from "./once-only.ts";

/** Store for decisions, and the keys to sign them with. */
export interface DecisionContext {
  readonly store: Store;
  /** Signs on the edge `console>ward`, or in the surgeon on `surgeon>ward`. */
  readonly keyring: Keyring;
}

/**
 * Allowed signers: the console, for people; the surgeon, for each case of a signed batch, and to renew a decision
 * after a move of its own.
 */
export type DecisionSigner = "console" | "surgeon";

const SIGNERS: readonly DecisionSigner[] = ["console", "surgeon"];
const PURPOSE = "decision";

/** What a signature is bound to. */
type Bound = Pick<StoredCase, "case_id" | "version" | "fields">;

/**
 * Signs a decision for one version of one case.
 *
 * @throws {SigningKeyMissingError} This process has no key to sign decisions with.
 */
export function signDecision(
  decision: Decision,
  about: { readonly from: Bound; readonly keyring: Keyring; readonly signer: DecisionSigner },
): Decision {
  const { from, keyring, signer } = about;
  const { seal: _before, ...said } = decision;
  const { case_id, version } = from;
  const bound = { ...said, case_id, version, message_id: new CaseRecord(from).messageId ?? "" };
  return signRecord(bound, { key: keyring.signing(signer, "ward"), purpose: PURPOSE });
}

/** A validly signed decision, or why it is refused, for display. */
export type VerifiedDecision = { readonly decision: Decision } | { readonly problem: string };

/**
 * Verifies the decision stored in a case. `operate` is bound to the message only, because it outlasts the surgeon's
 * own moves; all others to the exact version that was decided on.
 */
export function verifyDecision(stored: StoredCase, keyring: Keyring): VerifiedDecision {
  const read = openDecision(new CaseRecord(stored).decision, keyring);
  if ("problem" in read) return read;
  const { decision } = read;
  const { kind, case_id, version = 0, message_id } = decision;
  if (case_id !== stored.case_id) return { problem: "it was signed for another case" };
  if (message_id !== (new CaseRecord(stored).messageId ?? ""))
    return { problem: "it was signed for another message of the case" };
  const isTimely = kind === "operate" ? version < stored.version : version === stored.version - 1;
  return isTimely ? read : { problem: "it was signed for another version of the case" };
}

/**
 * Verifies the proposal that waits for a second person, for the case's present message.
 *
 * @param digest - Of the proposal that the second person approved.
 */
export function verifyProposal(
  stored: StoredCase,
  { keyring, digest }: { readonly keyring: Keyring; readonly digest: string | undefined },
): VerifiedDecision {
  // The signed part is checked for its form.
  const proposal = new CaseRecord(stored).proposal as Partial<Proposal> | undefined;
  const read = openDecision(proposal?.decision, keyring);
  if ("problem" in read) return read;
  const { decision } = read;
  const isOfMessage =
    decision.case_id === stored.case_id && decision.message_id === (new CaseRecord(stored).messageId ?? "");
  if (!isOfMessage) return { problem: "it was signed for another message" };
  if (digestOfDecision(decision) !== digest)
    return { problem: "another change was approved than the one that waits" };
  return read;
}

/** Returns the SHA-256 of a signed proposal in hex; null if it is unsigned. */
export function digestOfProposal({ decision }: Proposal): string | null {
  return decision?.seal === undefined ? null : digestOfDecision(decision);
}

function digestOfDecision({ seal: _seal, ...said }: Decision): string {
  return digestOf(JSON.stringify(said));
}

/**
 * Signs a waiting decision again for the version that the surgeon's own move creates; returns nothing if there is
 * none, it does not verify, or it was carried out.
 */
export async function carryDecision(
  { store, keyring }: DecisionContext,
  stored: StoredCase,
): Promise<{ readonly decision?: Decision }> {
  const verified = verifyDecision(stored, keyring);
  if ("problem" in verified || (await findStale(store, verified.decision)) !== null) return {};
  const from = { ...stored, version: stored.version + 1 };
  return { decision: signDecision(verified.decision, { from, keyring, signer: "surgeon" }) };
}

function openDecision(value: unknown, keyring: Keyring): VerifiedDecision {
  try {
    const said = verifyRecord(value, { keyring, purpose: PURPOSE, from: SIGNERS, to: "ward" });
    if (!isDecision(said)) return { problem: "its form is not known here" };
    // Only this form is ever signed.
    return { decision: { ...said, seal: (value as Decision).seal } as Decision };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const isUnsigned = error.code === "ENVELOPE_SEAL_MALFORMED";
    return { problem: isUnsigned ? "nobody has signed it" : `its signature does not hold (${error.code})` };
  }
}

function isDecision(said: Readonly<Record<string, unknown>>): boolean {
  return (
    isObjectWith(said, "kind", "by", "why", "at", "case_id", "message_id") &&
    typeof said["version"] === "number" &&
    DECISION_KINDS.some((kind) => kind === said["kind"])
  );
}
