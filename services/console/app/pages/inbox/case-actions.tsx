import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ReactNode } from "react";
import { $api, api } from "../../data/api.ts";
import { isAttached } from "../../parts/group-name.tsx";
import parts from "../../parts/parts.module.css";
import type { Action } from "./action-bar.tsx";
import type { CaseView, Verdict } from "./case-data.ts";
import { Accepts } from "./group-actions.tsx";
import { compact } from "./json-lines.ts";

const SURGEON = "the surgeon carries it out.";

interface Edited {
  readonly text: string;
  readonly verdict: Verdict;
}

/** What can be decided about a case now, by who is logged in. */
export function useCaseActions(view: CaseView, edited: Edited): readonly Action[] {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const [accepts, setAccepts] = useState(false);
  const [agent, setAgent] = useState(view.redirects[0] ?? "");
  const navigate = useNavigate();
  if (session === undefined || session.role === "viewer") return [];
  const { case_id: id, fingerprint, decision, status } = view.case;
  const params = { path: { case_id: id } };
  if (view.approval !== null)
    return decision === null && status === "quarantined" ? approvalActions(params) : [];
  // A job that was sent back is a case no more, and no news tells of it.
  const done = (what: string): string => {
    if (!isAttached(id)) return `${what}: ${SURGEON}`;
    void navigate({ to: "/inbox/group/$fingerprint", params: { fingerprint }, search: true });
    return `${what}.`;
  };
  const effects = isAttached(id) ? { accepts_effects: accepts } : {};
  const fields = isAttached(id) && <Accepts isOn={accepts} onChange={setAccepts} />;
  const ofKind = {
    ...sendings({ params, effects, fields, done }),
    ...moves({ params, done }),
    redirect: redirect({ params, done, to: view.redirects, agent, setAgent }),
  };
  const edit: Action = {
    name: "edit",
    title: "Edit and release",
    confirm: "Release this value",
    key: "e",
    tone: "main",
    isElsewhere: true,
    blocked: edited.verdict.blocked,
    fields,
    send: async (why, version) => {
      const body = { payload_text: compact(edited.text), why, version, ...effects };
      await api.POST("/v1/ward/cases/{case_id}/release", { params, body });
      return done("Your value is released");
    },
  };
  const canEdit = view.actions.includes("release") && view.original !== null;
  const others = ORDER.filter((kind) => view.actions.includes(kind)).map((kind) => ofKind[kind]);
  return [...(canEdit ? [edit] : []), ...others];
}

interface Around {
  readonly params: { readonly path: { readonly case_id: string } };
  readonly done: (what: string) => string;
}

interface Sending extends Around {
  readonly effects: { readonly accepts_effects?: boolean };
  readonly fields: ReactNode;
}

/** Decisions after which the message goes on. */
function sendings({ params, done, effects, fields }: Sending): Record<"release" | "operate", Action> {
  return {
    release: {
      name: "release",
      title: "Release as it is",
      key: "r",
      fields,
      send: async (why, version) => {
        await api.POST("/v1/ward/cases/{case_id}/release", { params, body: { why, version, ...effects } });
        return done("Released as it is");
      },
    },
    operate: {
      name: "operate",
      title: "Try again",
      confirm: isAttached(params.path.case_id) ? "Send back with its repair" : "Have the ladder try again",
      key: "o",
      needsWhy: false,
      fields,
      send: async (why, version) => {
        await api.POST("/v1/ward/cases/{case_id}/operate", { params, body: { why, version, ...effects } });
        return done("Tried again");
      },
    },
  };
}

function moves({ params, done }: Around): Record<"approve" | "restore" | "discard", Action> {
  return {
    approve: {
      name: "approve",
      title: "Approve as second person",
      key: "a",
      tone: "main",
      send: async (why, version) => {
        // The version says which proposal was looked at: what is masked on the page has no digest of its own.
        await api.POST("/v1/ward/cases/{case_id}/approve", { params, body: { why, version } });
        return done("Approved");
      },
    },
    restore: {
      name: "restore",
      title: "Restore",
      needsWhy: false,
      send: async (why, version) => {
        await api.POST("/v1/ward/cases/{case_id}/restore", { params, body: { why, version } });
        return done("Restored");
      },
    },
    discard: {
      name: "discard",
      title: "Discard",
      key: "x",
      tone: "bad",
      send: async (why, version) => {
        await api.POST("/v1/ward/cases/{case_id}/discard", { params, body: { why, version } });
        return "Discarded. Restore takes it back while its run goes on.";
      },
    },
  };
}

interface Redirecting extends Around {
  readonly to: readonly string[];
  readonly agent: string;
  readonly setAgent: (agent: string) => void;
}

function redirect({ params, done, to, agent, setAgent }: Redirecting): Action {
  return {
    name: "redirect",
    title: "Redirect…",
    confirm: "Redirect",
    fields: (
      <label>
        <span>To</span>
        <select className={parts.input} value={agent} onChange={({ target }) => setAgent(target.value)}>
          {to.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    ),
    send: async (why, version) => {
      await api.POST("/v1/ward/cases/{case_id}/redirect", { params, body: { why, version, agent } });
      return done(`Redirected to ${agent}`);
    },
  };
}

const ORDER = ["approve", "operate", "release", "redirect", "restore", "discard"] as const;

/** The two things that can be said to a tool call that waits. */
function approvalActions(params: Around["params"]): readonly Action[] {
  const decide = async (approved: boolean, why: string, version: number): Promise<string> => {
    await api.POST("/v1/ward/cases/{case_id}/approval", { params, body: { approved, why, version } });
    return approved ? "Approved: the agent goes on and runs it." : "Refused: the agent goes on without it.";
  };
  return [
    {
      name: "approve",
      title: "Approve this call",
      key: "a",
      tone: "main",
      send: (why, version) => decide(true, why, version),
    },
    {
      name: "refuse",
      title: "Refuse this call",
      key: "x",
      tone: "bad",
      send: (why, version) => decide(false, why, version),
    },
  ];
}
