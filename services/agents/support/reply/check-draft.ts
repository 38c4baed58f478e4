import type { ContractOutput } from "#shared/contract";
import type { ReplyOutcome, ReplyRequest } from "../contracts.ts";
import { ReplyIncompleteError, ReplyUnfoundedError } from "../errors.ts";
import type { ReplyDraft } from "./answer.ts";
import { listUnfounded } from "./check-claims.ts";

type Request = ContractOutput<typeof ReplyRequest>;

/** What was done for one request. */
export interface Settled extends Partial<Pick<Request, "facts" | "steps">> {
  readonly outcome?: ReplyOutcome | undefined;
}

/**
 * Checks an answer against what was done, before anybody reads it.
 * @throws {ReplyIncompleteError} A fact is left out. @throws {ReplyUnfoundedError} It says what was not done.
 */
export function checkDraft(
  { subject, body }: ContractOutput<typeof ReplyDraft>,
  settled: readonly Settled[],
): void {
  const facts = settled.flatMap((one) => one.facts ?? []);
  const missing = facts.filter((fact) => !body.includes(fact.value));
  if (missing.length > 0) throw new ReplyIncompleteError(missing.map((fact) => fact.label));
  const unfounded = listUnfounded(`${subject}\n${body}`, {
    outcomes: settled.flatMap(({ outcome }) => (outcome === undefined ? [] : [outcome])),
    told: [...facts.map((fact) => fact.value), ...settled.flatMap((one) => one.steps ?? [])],
  });
  if (unfounded.length > 0) throw new ReplyUnfoundedError(unfounded);
}
