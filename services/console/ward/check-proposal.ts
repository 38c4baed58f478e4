import { proveRepair } from "#shared/proof";
import { isDeepStrictEqual } from "node:util";
import type { AnswerOf, ConsoleApi } from "#shared/api";
import type { Issue } from "#shared/errors";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import { cheapestReading, getCase } from "#shared/ward";
import { MessageUnreadableError } from "../errors.ts";
import { maskSecrets, parseTyped, restoreSecrets } from "../masking/mask-secrets.ts";
import { readLatest, subjectOf } from "./read-message.ts";
import { rebuildRepair } from "./rebuild-repair.ts";
import { messageMaskOf } from "./view-case.ts";

/** A person's new value, with what would become of it. */
interface JudgedProposal {
  readonly check: AnswerOf<ConsoleApi["checkPayload"]>;
  /** JSON text to release: as it was typed, with secrets put back where they were masked for the person. */
  readonly payloadText: string;
}

/**
 * Holds a person's new value against everything that the surgeon will hold it against.
 *
 * @param proposal.payloadText - JSON text, so that digits stay as typed.
 * @throws {NotFoundError | MessageUnreadableError}
 */
export async function checkProposal(
  console: { readonly store: Store; readonly teams: readonly Team[] },
  proposal: { readonly caseId: string; readonly payloadText: string },
): Promise<JudgedProposal> {
  const detail = await getCase(console.store, proposal.caseId);
  const { history, message_id } = detail;
  const record = readLatest(detail);
  const subject = record === null ? null : subjectOf(record, console.teams);
  if (subject === null || record === null) throw new MessageUnreadableError(proposal.caseId);
  const { payloadText } = proposal;
  const refuse = (issues: readonly Issue[]): JudgedProposal => ({
    check: { acceptable: false, issues, second_person: [], diff: [] },
    payloadText,
  });
  const parsed = parseTyped(payloadText);
  if ("issues" in parsed) return refuse(parsed.issues);
  const repair = rebuildRepair(subject, { message_id, history });
  const shown = [cheapestReading(subject) ?? null, ...(repair === null ? [] : [repair.value])];
  const mask = messageMaskOf({ subject, record, teams: console.teams, detail, repair });
  const known = shown.map((one) => ({ value: one, masked: maskSecrets(mask.payload(one)) }));
  const { value, issues: masks } = restoreSecrets(parsed.value, known);
  if (masks.length > 0) return refuse(masks);
  const proof = proveRepair(subject, { value, provenAs: "person" });
  const issues = proof.objections.filter(({ code }) => code !== "second_person");
  return {
    check: {
      acceptable: issues.length === 0,
      issues: mask.elsewhere(issues.map(({ path, code, message }) => ({ path, code, message }))),
      second_person: proof.objections.filter(({ code }) => code === "second_person").map(({ path }) => path),
      diff: mask.elsewhere(proof.diff),
    },
    payloadText: isDeepStrictEqual(value, parsed.value) ? payloadText : JSON.stringify(value),
  };
}
