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

interface Edited {
  readonly text: string;
  readonly verdict: Verdict;
}

interface Params {
  readonly path: { readonly case_id: string };
}

interface Body {
  readonly why: string;
  readonly version: number;
}

type Kind = CaseView["actions"][number];
type Decision = Omit<Action, "name" | "send"> & {
  /** What has happened then. */
  readonly said: string;
  readonly post: (body: Body) => Promise<unknown>;
};

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
  const effects = isAttached(id) ? { accepts_effects: accepts } : {};
  const fields = isAttached(id) && <Accepts isOn={accepts} onChange={setAccepts} />;
  const target = <Target to={view.redirects} agent={agent} onChange={setAgent} />;
  const known = decisionsOf(params, { effects, fields, target, agent });
  const edit: Decision = {
    title: "Edit and release",
    confirm: "Release this value",
    key: "e",
    tone: "main",
    isElsewhere: true,
    blocked: edited.verdict.blocked,
    fields,
    said: "Your value is released",
    post: (body) =>
      api.POST("/v1/ward/cases/{case_id}/release", {
        params,
        body: { ...body, ...effects, payload_text: compact(edited.text) },
      }),
  };
  const actionOf = (name: string, { said, post, ...shown }: Decision): Action => ({
    ...shown,
    name,
    send: async (why, version) => {
      await post({ why, version });
      if (!isAttached(id)) return `${said}: the surgeon carries it out.`;
      // A job that was sent back is a case no more, and no news tells of it.
      void navigate({ to: "/inbox/group/$fingerprint", params: { fingerprint }, search: true });
      return `${said}.`;
    },
  });
  const canEdit = view.actions.includes("release") && view.original !== null;
  const others = ORDER.filter((kind) => view.actions.includes(kind));
  return [...(canEdit ? [actionOf("edit", edit)] : []), ...others.map((kind) => actionOf(kind, known[kind]))];
}

interface Asked {
  readonly effects: { readonly accepts_effects?: boolean };
  readonly fields: ReactNode;
  readonly target: ReactNode;
  readonly agent: string;
}

function decisionsOf(params: Params, { effects, fields, target, agent }: Asked): Record<Kind, Decision> {
  const isJob = isAttached(params.path.case_id);
  return {
    approve: {
      title: "Approve as second person",
      key: "a",
      tone: "main",
      said: "Approved",
      post: (body) =>
        // The version says which proposal was looked at: what is masked on the page has no digest of its own.
        api.POST("/v1/ward/cases/{case_id}/approve", { params, body }),
    },
    operate: {
      title: "Try again",
      confirm: isJob ? "Send back with its repair" : "Have the ladder try again",
      key: "o",
      needsWhy: false,
      fields,
      said: "Tried again",
      post: (body) => api.POST("/v1/ward/cases/{case_id}/operate", { params, body: { ...body, ...effects } }),
    },
    release: {
      title: "Release as it is",
      key: "r",
      fields,
      said: "Released as it is",
      post: (body) => api.POST("/v1/ward/cases/{case_id}/release", { params, body: { ...body, ...effects } }),
    },
    redirect: {
      title: "Redirect…",
      confirm: "Redirect",
      fields: target,
      said: `Redirected to ${agent}`,
      post: (body) => api.POST("/v1/ward/cases/{case_id}/redirect", { params, body: { ...body, agent } }),
    },
    restore: {
      title: "Restore",
      needsWhy: false,
      said: "Restored",
      post: (body) => api.POST("/v1/ward/cases/{case_id}/restore", { params, body }),
    },
    discard: {
      title: "Discard",
      key: "x",
      tone: "bad",
      said: "Discarded",
      post: (body) => api.POST("/v1/ward/cases/{case_id}/discard", { params, body }),
    },
  };
}

const ORDER = ["approve", "operate", "release", "redirect", "restore", "discard"] as const;

interface TargetProps {
  readonly to: readonly string[];
  readonly agent: string;
  readonly onChange: (agent: string) => void;
}

function Target({ to, agent, onChange }: TargetProps) {
  return (
    <label>
      <span>To</span>
      <select className={parts.input} value={agent} onChange={({ target }) => onChange(target.value)}>
        {to.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** The two things that can be said to a tool call that waits. */
function approvalActions(params: Params): readonly Action[] {
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
