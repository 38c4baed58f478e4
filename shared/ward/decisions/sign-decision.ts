import { digestOf, signRecord, verifyRecord } from "#shared/envelope";
import type { Keyring } from "#shared/envelope";
import { SutureError } from "#shared/errors";
import { isObjectWith } from "#shared/store";
import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import { CaseRecord } from "../case-record.ts";
import { DECISION_KINDS } from "./decision.ts";
import type { Decision, Proposal } from "./decision.ts";
import { findStale } from "./once-only.ts";

/** Where decisions are written down, and the keys to sign them with. */
export interface DecisionContext {
  readonly store: Store;
  /** Has to sign on the edge `console>ward`; in a surgeon's hands, on `surgeon>ward`. */
  readonly keyring: Keyring;
}

/**
 * Who may sign a decision: the console, for people; the surgeon, for each case of a batch that people signed, and to
 * carry a decision over a move of its own.
 */
export type DecisionSigner = "console" | "surgeon";

const SIGNERS: readonly DecisionSigner[] = ["console", "surgeon"];
const PURPOSE = "decision";

/** What a decision is bound to. */
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

/** A decision that is to be believed, or why it is not, for people. */
export type VerifiedDecision = { readonly decision: Decision } | { readonly problem: string };

/**
 * Verifies what a case says that was decided about it. To ask for another operation is bound to the message alone, for
 * it outlasts the surgeon's own moves; all else to the very version that was decided on.
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
 * Verifies the change that waits for a second person, for the message that lies in the case now.
 *
 * @param digest - Of the proposal that the second person stands for.
 */
export function verifyProposal(
  stored: StoredCase,
  { keyring, digest }: { readonly keyring: Keyring; readonly digest: string | undefined },
): VerifiedDecision {
  // The form is asked of what was signed.
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

/** SHA-256 of what somebody proposed, as they signed it, hex; null where they signed nothing. */
export function digestOfProposal({ decision }: Proposal): string | null {
  return decision?.seal === undefined ? null : digestOfDecision(decision);
}

function digestOfDecision({ seal: _seal, ...said }: Decision): string {
  return digestOf(JSON.stringify(said));
}

/**
 * The decision that waits in a case, signed anew for the version that the surgeon's own move brings it to; nothing
 * where none waits, it does not verify, or it was carried out before.
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
    // Those who sign write nothing else.
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
