import { uuidv7 } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import { admission } from "#shared/runtime/settle";
import { rankOf } from "#shared/store/runs";
import type { OutboxEntry } from "#shared/store/settlement";
import { entryOf, forger, opens } from "../isolated/forge-entry.ts";
import type { HeldMessage } from "../isolated/forge-entry.ts";
import { OWN } from "./act.ts";
import type { Act, Aim } from "./act.ts";
import type { Victims } from "./victims.ts";

export const { eventOf, childOf } = forger({ agent: OWN, to: "reply", contract: "reply.request@1" });

interface Given {
  /** The message that the attacker has. */
  readonly held: HeldMessage;
  /** Another that it has, of another run. */
  readonly other: HeldMessage;
  readonly ring: Keyring;
  readonly victims: Victims;
}

const handedOff = (held: HeldMessage, send: ReturnType<typeof childOf>): OutboxEntry =>
  entryOf([eventOf(held, "handed_off", opens(send))], { sends: [send] });

/** Each an entry that the agent writes into its own outbox, and why the relay refuses it. */
const ENTRIES: readonly [Aim, string, string, (given: Given) => OutboxEntry | string][] = [
  [
    "forge",
    "hands its payload to who pays, an agent that it has no edge to",
    "send",
    ({ held, ring }) => handedOff(held, { ...childOf(held, ring), agent: "refunds" }),
  ],
  [
    "forge",
    "changes what it has sealed",
    "send",
    ({ held, ring }) => {
      const child = childOf(held, ring);
      const sealed = String(child.data["sealed"]).replace('"language":"en"', '"language":"de"');
      return handedOff(held, { ...child, data: { ...child.data, sealed } });
    },
  ],
  [
    "replay",
    "retries another's message",
    "send",
    ({ held, other, ring }) =>
      entryOf([eventOf(held, "retry", { moves: { state: "open", rank: 2 } })], {
        sends: [{ ...childOf(held, ring), lane: "retry", jobId: `${other.messageId}.1`, agent: OWN }],
      }),
  ],
  [
    "delete",
    "ends the run of another",
    "not_held",
    ({ held, victims }) =>
      entryOf([
        eventOf({ ...held, runId: victims.waiting, messageId: victims.waitingMessage }, "ended", {
          end: "failed",
        }),
      ]),
  ],
  [
    "admit",
    "a message to the case of another",
    "admission",
    ({ held, ring, victims }) => {
      const admitter = { keyring: ring, id: `${OWN}@1`, team: "support", runId: held.runId };
      const record = admission(admitter, deadMessage(held.messageId, OWN));
      const change = eventOf(held, "quarantined", { moves: { state: "quarantined", rank: rankOf.ward(0) } });
      return entryOf([change], { admissions: [{ ...record, case_id: victims.waitingCase }] });
    },
  ],
  [
    "decide",
    "that a person released its message",
    "malformed",
    ({ held }) => entryOf([eventOf(held, "released", { moves: { state: "open", rank: 2 } })]),
  ],
  [
    "teach",
    "that the surgeon healed its message",
    "malformed",
    ({ held }) => entryOf([eventOf(held, "discharged")]),
  ],
  ["spend", "an absurd sum", "cost", ({ held }) => entryOf([eventOf(held, "completed", { cost: 100_000 })])],
  [
    "flood",
    "its receiver with 10,000 messages",
    "handoffs",
    ({ held }) => {
      const many = Array.from({ length: 10_000 }, () => ({ message_id: uuidv7(), agent: "reply" }));
      return entryOf([eventOf(held, "handed_off", { opens: many })]);
    },
  ],
  [
    "flood",
    "a case with a result that nobody can hold",
    "event",
    ({ held }) => entryOf([eventOf(held, "completed", { result: "x".repeat(8 * 1024 * 1024) })]),
  ],
  [
    "impersonate",
    "another agent that tells of its work",
    "event",
    ({ held }) => {
      const change = eventOf(held, "completed");
      return entryOf([{ ...change, event: { ...change.event, agent: "refunds" } }]);
    },
  ],
];

function deadMessage(messageId: string, agent: string) {
  return {
    messageId,
    message: null,
    stored: "x",
    agent,
    contract: null,
    subject: { kind: "payload" },
    disposition: "quarantine",
    failures: [],
    producer: "unknown",
  } as const;
}

export const ACTS_AT_THE_RELAY: readonly Act[] = [
  ...ENTRIES.map(([aim, name, reason, forge]): Act => ({
    aim,
    name,
    refused: { by: "relay", reason },
    attempt: async ({ hold, tellRelay, ring, victims }) =>
      tellRelay(forge({ held: await hold(), other: await hold(), ring, victims })),
  })),
  {
    aim: "replay",
    name: "settles one message twice",
    refused: { by: "relay", reason: "settled" },
    attempt: async ({ hold, tellRelay, ring }) => {
      const held = await hold();
      await tellRelay(entryOf([eventOf(held, "completed", { result: {} })]));
      await tellRelay(handedOff(held, childOf(held, ring)));
    },
  },
  {
    aim: "impersonate",
    name: "a process of who pays, in what it announces",
    refused: { by: "relay", reason: "presence" },
    attempt: async ({ raw, cluster: { keys } }) => {
      const said = {
        agent: "refunds",
        version: 2,
        team: "support",
        accepts: "refunds.request@2",
        capabilities: [],
      };
      const more = {
        description: "",
        concurrency: 1,
        instance: "forged",
        pid: 1,
        started_ms: Date.now(),
        seen_ms: Date.now(),
      };
      await raw.hset(keys.presence(OWN), "refunds|forged", JSON.stringify({ ...said, ...more }));
    },
  },
];
