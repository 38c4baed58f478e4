import { useState } from "react";
import { $api, api } from "../../data/api.ts";
import { isAttached } from "../../parts/group-name.tsx";
import type { Action } from "./action-bar.tsx";
import type { Group } from "./rows.ts";
import parts from "../../parts/parts.module.css";

const DECISIONS = {
  operate: "Try the ladder again",
  release: "Release as they are",
  discard: "Discard",
} as const;
const SENDINGS = {
  operate: "Send back with a proved repair; others stay",
  release: "Send back as they are, after the code was fixed",
} as const;

interface Planned {
  readonly decision: keyof typeof DECISIONS;
  readonly canary: number;
  readonly rate: number;
  readonly accepts: boolean;
  /** Also what the dry run found to fail. */
  readonly others: boolean;
}

/** What can be done with a group by who is logged in. */
export function useGroupActions(group: Group): readonly Action[] {
  const { data: session } = $api.useQuery("get", "/v1/session");
  const apply = useApply(group.fingerprint);
  const lifecycle = useLifecycle(group);
  if (session === undefined || session.role === "viewer") return [];
  return [...(group.quarantined > 0 ? [apply] : []), ...(isAttached(group.fingerprint) ? [] : lifecycle)];
}

function useLifecycle({ fingerprint, lifecycle }: Group): readonly Action[] {
  const [since, setSince] = useState("");
  const params = { path: { fingerprint } };
  const all: readonly Action[] = [
    {
      name: "acknowledge",
      title: "Acknowledge",
      key: "a",
      needsWhy: false,
      send: async (why, version) => {
        await api.POST("/v1/ward/groups/{fingerprint}/acknowledge", { params, body: { why, version } });
        return "Acknowledged: you look after it.";
      },
    },
    {
      name: "resolve",
      title: "Resolve…",
      confirm: "Resolve",
      key: "r",
      fields: (
        <label title="An agent, contract or producer with its version: messages of older versions may still come. Empty: any message brings the group back.">
          <span>From this version on (may be empty)</span>
          <input
            className={parts.input}
            maxLength={200}
            autoComplete="off"
            placeholder="export@4"
            value={since}
            onChange={({ target }) => setSince(target.value)}
          />
        </label>
      ),
      send: async (why, version) => {
        const from = since.trim() === "" ? {} : { since: since.trim() };
        await api.POST("/v1/ward/groups/{fingerprint}/resolve", { params, body: { why, version, ...from } });
        setSince("");
        return "Resolved: a message that should not come any more brings the group back.";
      },
    },
    {
      name: "reopen",
      title: "Reopen",
      needsWhy: false,
      send: async (why, version) => {
        await api.POST("/v1/ward/groups/{fingerprint}/reopen", { params, body: { why, version } });
        return "Reopened.";
      },
    },
  ];
  return all.filter(
    ({ name }) =>
      !(name === "acknowledge" && lifecycle === "acknowledged") &&
      !(name === "reopen" && lifecycle === "open"),
  );
}

/** One decision for every case of a group that waits now. It begins with a dry run, which touches nothing. */
function useApply(fingerprint: string): Action {
  const [{ decision, canary, rate, accepts, others }, set] = useState<Planned>({
    decision: "operate",
    canary: 5,
    rate: 10,
    accepts: false,
    others: false,
  });
  const options = isAttached(fingerprint) ? SENDINGS : DECISIONS;
  const change = (next: object): void => set((before) => ({ ...before, ...next }));
  const fields = (
    <>
      <label>
        <span>Decision</span>
        <select
          className={parts.input}
          value={decision}
          onChange={({ target }) => change({ decision: target.value })}
        >
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <Count
        label="First few, then a look"
        value={canary}
        min={0}
        max={10_000}
        onChange={(to) => change({ canary: to })}
      />
      <Count
        label="Cases a second"
        value={rate}
        min={0.1}
        max={1000}
        onChange={(to) => change({ rate: to })}
      />
      {decision !== "discard" && (
        <Check
          label="Also those that fail the dry run"
          isOn={others}
          onChange={(to) => change({ others: to })}
        />
      )}
      {isAttached(fingerprint) && <Accepts isOn={accepts} onChange={(to) => change({ accepts: to })} />}
    </>
  );
  return {
    name: "apply",
    title: "Apply to all…",
    confirm: "Plan (dry run)",
    key: "o",
    tone: "main",
    fields,
    send: async (why) => {
      const more = isAttached(fingerprint) ? { accepts_effects: accepts } : {};
      await api.POST("/v1/ward/groups/{fingerprint}/apply", {
        params: { path: { fingerprint } },
        body: { decision, why, canary, rate_per_second: rate, only_passing: !others, ...more },
      });
      return "Planned: the dry run counts how many would pass. Nothing is touched before you start it.";
    },
  };
}

interface CheckProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** For jobs of an attached queue, which may have had effects before they failed: somebody has looked. */
export function Accepts(props: CheckProps) {
  return <Check label="I have looked: effects may be repeated" {...props} />;
}

function Check({ label, isOn, onChange }: CheckProps & { readonly label: string }) {
  return (
    <label>
      <span>{label}</span>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
    </label>
  );
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

function Count({ label, value, min, max, onChange }: CountProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        className={parts.input}
        type="number"
        required
        step={min < 1 ? "any" : 1}
        min={min}
        max={max}
        value={Number.isNaN(value) ? "" : value}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    </label>
  );
}
