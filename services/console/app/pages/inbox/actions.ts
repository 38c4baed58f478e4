import { api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { isAttached } from "../../parts/links.tsx";
import type { Field, Given } from "../../parts/reason-form.tsx";
import { compact } from "../../parts/json.ts";

/** A case with its message, its repair and all that was done. */
export type CaseView = Answer<"/v1/ward/cases/{case_id}">;
/** A group with its recipes and its audit. */
export type FullGroup = Answer<"/v1/ward/groups/{fingerprint}">;

/** Something that can be decided now about a case or a group. */
export interface Action {
  readonly name: string;
  readonly title: string;
  /** Title of the button that does it. Default: `title`. */
  readonly confirm?: string;
  readonly key?: string;
  readonly tone?: "main" | "bad";
  /** Default: a reason is needed. */
  readonly needsWhy?: boolean;
  readonly isForAdmins?: boolean;
  readonly fields?: readonly Field[];
  /** The reason that it cannot be sent yet. */
  readonly blocked?: string | undefined;
  /** Told once it was carried out. */
  readonly said: string;
  readonly send: (body: Body) => Promise<unknown>;
}

/** The fields of an action are named as the API names them, and the API refuses any other. */
type Body = Given & { readonly why: string; readonly version: number };
type Shown = Omit<Action, "name" | "send">;

const CASE: Readonly<Record<CaseView["actions"][number] | "edit" | "decline", Shown>> = {
  edit: {
    title: "Edit and release",
    confirm: "Release this value",
    key: "e",
    tone: "main",
    said: "Your value is released: the surgeon sends it on.",
  },
  approve: { title: "Approve as second person", key: "a", tone: "main", said: "Approved." },
  operate: { title: "Try again", key: "o", needsWhy: false, said: "The surgeon tries again." },
  release: { title: "Release as it is", key: "r", said: "Released: the surgeon sends it on." },
  redirect: { title: "Redirect…", said: "Redirected: the surgeon sends it on." },
  restore: { title: "Restore", needsWhy: false, said: "Restored." },
  discard: { title: "Discard", key: "x", tone: "bad", said: "Discarded." },
  decline: { title: "Turn down", said: "Turned down: the case waits as it did." },
};

const CALL: Readonly<Record<"approve" | "refuse", Shown>> = {
  approve: { title: "Approve this call", key: "a", tone: "main", said: "Approved: the agent runs it." },
  refuse: { title: "Refuse this call", key: "x", tone: "bad", said: "Refused: the agent goes on without." },
};

/** For jobs of an attached queue, which may have had effects before they failed. */
const ACCEPTS: Field = {
  name: "accepts_effects",
  label: "I have looked: effects may be repeated",
  type: "checkbox",
};

/** Returns the actions that a case takes now. @param edited - The value that a person would release. */
export function caseActions(
  view: CaseView,
  edited: { readonly text: string; readonly blocked: string | undefined },
  onRevealed: (view: CaseView) => void,
): readonly Action[] {
  const { case_id: id, decision, proposal, status } = view.case;
  const params = { path: { case_id: id } };
  const fields = isAttached(id) ? [ACCEPTS] : [];
  const to = Object.fromEntries(view.redirects.map((name) => [name, name]));
  /** Titles and fields of this case alone. */
  const own: Readonly<Record<string, Partial<Shown>>> = {
    edit: { fields, blocked: edited.blocked },
    approve: proposal?.decision ? { title: `Sign the ${proposal.decision}` } : {},
    operate: isAttached(id) ? { title: "Send back with its repair", fields } : {},
    release: { fields },
    redirect: { fields: [{ name: "agent", label: "To", options: to }] },
  };
  const edits = view.actions.includes("release") && view.original !== null ? (["edit"] as const) : [];
  const declines = view.actions.includes("approve") ? (["decline"] as const) : [];
  const ordinary = [...edits, ...view.actions, ...declines].map((name): Action => {
    const path = `/v1/ward/cases/{case_id}/${name === "edit" ? "release" : name}` as const;
    const more = () => (name === "edit" ? { payload_text: compact(edited.text) } : {});
    const send: Action["send"] = (body) => api.POST(path, { params, body: { ...body, ...more() } });
    return { ...CASE[name], ...own[name], name, send };
  });
  const calls = (["approve", "refuse"] as const).map((name): Action => {
    const approved = name === "approve";
    const path = "/v1/ward/cases/{case_id}/approval";
    return { ...CALL[name], name, send: (body) => api.POST(path, { params, body: { ...body, approved } }) };
  });
  const reveal: Action = {
    title: "Reveal what is masked…",
    isForAdmins: true,
    fields: [{ name: "path", label: "Place (empty: all)", maxLength: 300, placeholder: "/patient" }],
    said: "Shown as it is: the audit says that you looked.",
    name: "reveal",
    send: async ({ version, ...body }) => {
      const { data } = await api.POST("/v1/ward/cases/{case_id}/reveal", { params, body });
      if (data?.case.version === version) onRevealed(data);
    },
  };
  const isAsked = decision === null && status === "quarantined";
  const isMasked = !isAttached(id) && JSON.stringify(view).includes("[sensitive]");
  const known = view.approval === null ? ordinary : isAsked ? calls : [];
  return isMasked ? [...known, reveal] : known;
}

/**
 * The times for which somebody looks after a group. Chosen by name: a time would be another one each time the page is
 * drawn, and the choice would be lost.
 */
const ENDS: Field = {
  name: "until",
  label: "For",
  options: { "": "for good", hour: "an hour", morning: "until tomorrow, 9:00", week: "a week" },
};

/** Returns the body with the time that the chosen end stands for, from now on and by this browser's clock. */
function withEnd({ until: end, ...body }: Body): Body & { readonly until?: string } {
  const at = new Date();
  if (end === "hour") at.setTime(at.getTime() + 3_600_000);
  else if (end === "morning") at.setHours(24 + 9, 0, 0, 0);
  else if (end === "week") at.setDate(at.getDate() + 7);
  else return body;
  return { ...body, until: at.toISOString() };
}

const GROUP: Readonly<Record<"acknowledge" | "resolve" | "reopen", Shown>> = {
  acknowledge: {
    title: "Acknowledge",
    key: "a",
    needsWhy: false,
    fields: [ENDS],
    said: "You look after it now.",
  },
  resolve: {
    title: "Resolve…",
    key: "r",
    fields: [{ name: "since", label: "From this version on (may be empty)", placeholder: "export@4" }],
    said: "Resolved: a message that should not come any more brings the group back.",
  },
  reopen: { title: "Reopen", needsWhy: false, said: "Reopened." },
};

const DECISIONS = { operate: "Try the ladder again", release: "Release as they are", discard: "Discard" };
const SENDINGS = {
  operate: "Send back with a proved repair; others stay",
  release: "Send back as they are, after the code was fixed",
};
const NUMBER = { type: "number", required: true, step: "any" } as const;
const PACE: readonly Field[] = [
  { name: "canary", label: "First few, then a look", ...NUMBER, min: 0, max: 10_000, defaultValue: 5 },
  { name: "rate_per_second", label: "Cases a second", ...NUMBER, min: 0.1, max: 1000, defaultValue: 10 },
  { name: "only_passing", label: "Only those that pass the dry run", type: "checkbox", defaultChecked: true },
];

/** Returns the actions that a group takes now. */
export function groupActions({ fingerprint, lifecycle, quarantined }: FullGroup): readonly Action[] {
  const params = { path: { fingerprint } };
  const isJob = isAttached(fingerprint);
  const decision: Field = { name: "decision", label: "Decision", options: isJob ? SENDINGS : DECISIONS };
  const apply: Action = {
    title: "Apply to all…",
    confirm: "Plan (dry run)",
    key: "o",
    tone: "main",
    said: "Planned: the dry run counts how many would pass. Nothing is touched before you start it.",
    name: "apply",
    fields: [decision, ...PACE, ...(isJob ? [ACCEPTS] : [])],
    send: ({ version: _version, ...given }) => {
      // One of the options.
      const body = { ...given, decision: given["decision"] as keyof typeof DECISIONS };
      return api.POST("/v1/ward/groups/{fingerprint}/apply", { params, body });
    },
  };
  const isSo = { acknowledge: lifecycle === "acknowledged", resolve: false, reopen: lifecycle === "open" };
  const marks = (["acknowledge", "resolve", "reopen"] as const).filter((name) => !isJob && !isSo[name]);
  const lives = marks.map((name): Action => {
    const path = `/v1/ward/groups/{fingerprint}/${name}` as const;
    return { ...GROUP[name], name, send: (body) => api.POST(path, { params, body: withEnd(body) }) };
  });
  return quarantined > 0 ? [apply, ...lives] : lives;
}
