import type { AnswerOf, ConsoleApi } from "#shared/api";
import type { CauseNote } from "#shared/store/cases";
import { askForCauseNote, findCases, NOTE_EXAMPLES_MAX, toCaseDetail } from "#shared/ward";
import type { Handler } from "../../console.ts";
import { CauseUnavailableError } from "../../errors.ts";
import { viewCase } from "../../ward/view-case.ts";
import { findGroup } from "./groups.ts";

/** Characters of an example's message that are shown. */
const MESSAGE_CHARS_MAX = 20_000;

/** A group's cause note with the cases that it was written from, or the newest ones, as a viewer sees them. */
export const showCause: Handler<"showCause"> = async ({ console, params, caller: { teams } }) => {
  const { store } = console;
  const { fingerprint, producer, cause, first_seen_ms } = await findGroup(console.store, params.fingerprint);
  const note = await store.cases.causeNotes.find(fingerprint);
  const newest = await findCases(store, { filter: { fingerprint }, limit: NOTE_EXAMPLES_MAX });
  const ids =
    note === null || note.examples.length === 0 ? newest.cases.map((one) => one.case_id) : note.examples;
  const stored = await Promise.all(ids.map((id) => store.cases.find(id)));
  const seen = stored
    .flatMap((one) => (one === null ? [] : [toCaseDetail(one)]))
    .filter(({ team }) => teams === null || teams.includes(team));
  const views = await Promise.all(seen.map((one) => viewCase(console, one, null)));
  const since = new Date(first_seen_ms).toISOString();
  return {
    fingerprint,
    producer,
    cause,
    note,
    issue: note === null ? null : issueOf(note, { fingerprint, producer, since }),
    examples: views.map(({ case: { case_id }, original, contract, marks, repair }) => ({
      case_id,
      original: original && { ...original, text: original.text.slice(0, MESSAGE_CHARS_MAX) },
      contract,
      marks,
      repair,
    })),
  };
};

/** Asks the surgeon for the note. In a rehearsal there is no model. */
export const writeCause: Handler<"writeCause"> = async ({ console, params: { fingerprint }, caller }) => {
  await findGroup(console.store, fingerprint);
  if (console.config.isRehearsal) throw new CauseUnavailableError("rehearsal");
  const note = await askForCauseNote(console.store, { fingerprint, by: caller.name });
  if (note === null) throw new CauseUnavailableError("no_case");
  return note;
};

/** Writes a note as the Markdown of an issue; null before there is one. What a model wrote stays text. */
function issueOf(
  { text, examples }: CauseNote,
  of: { readonly fingerprint: string; readonly producer: string; readonly since: string },
): AnswerOf<ConsoleApi["showCause"]>["issue"] {
  if (text === null) return null;
  const plain = (words: string): string => words.replaceAll(/[\\`*_[\]<>#!|~]/g, "\\$&");
  return [
    `## ${plain(of.fingerprint)}`,
    `**What goes wrong.** ${plain(text.what_goes_wrong)}`,
    `**Since when.** ${plain(text.since_when)}`,
    `**What to change, in the ${text.change_in}.** ${plain(text.change)}`,
    `Producer: ${plain(of.producer)}. First seen: ${of.since}. Cases: ${examples.join(", ")}.`,
  ].join("\n\n");
}
