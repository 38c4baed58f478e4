import { describe, expect, it } from "vitest";
import { derivedId, timestamp } from "#shared/clock";
import { createDischarge, createFirst } from "#shared/envelope";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope/keys";
import { originalSealOf, seal } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Sealed } from "#shared/envelope/seals";
import type { CaseAdmission } from "../case.ts";
import { proveMessage } from "./provenance.ts";

const MASTER = createMaster();
const EDGES = [
  { from: "gateway", to: "desk" },
  { from: "teller", to: "desk" },
  { from: "surgeon", to: "desk" },
  { from: "surgeon", to: "ward" },
];
const keyring = Keyring.merge(
  ["gateway", "teller", "surgeon", "desk"].map((agent) =>
    issueKeyring({ master: MASTER, agent, edges: EDGES }),
  ),
);

const MESSAGE = createFirst({
  to: "desk@1",
  contract: "order@1",
  payload: { words: "a b c ".repeat(10) },
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
});
const LARGE = {
  ...MESSAGE,
  data_payload: Array.from({ length: 4000 }, (_, n) => `line ${n} of a long text`),
};

function sealAs(from: string, envelope: Envelope): Sealed {
  return seal({ envelope, queue: "desk", key: keyring.signing(from, "desk") });
}

function recordOf(envelope: Envelope, bytes: string, stored: unknown): CaseAdmission & { bytes: string } {
  const { message_id, run_id } = envelope.meta;
  return {
    case_id: derivedId("case", message_id),
    message_id,
    run_id,
    team: "help",
    agent: "desk",
    contract: "order@1",
    schema: {},
    disposition: "operate",
    subject: { kind: "payload" },
    bytes,
    stored: JSON.stringify(stored),
    failures: [],
    producer: { agent: "gateway@1", contract: "order@1", model: null, prompt_version: null },
    time_left_ms: 1,
    admitted_by: "desk@1",
    at: timestamp(),
  };
}

describe("a message's own seal", () => {
  it.each([
    ["with its text in one place", MESSAGE, (message: object) => ({ ...message, sealed: null })],
    ["as it was stored", MESSAGE, (message: object) => message],
    ["packed, as it was stored", LARGE, (message: object) => message],
  ])("is verified where it was kept %s", (_how, envelope, keep) => {
    const { message, bytes } = sealAs("gateway", envelope);
    expect(message.encoding).toBe(envelope === LARGE ? "gzip" : undefined);
    const proven = proveMessage(recordOf(envelope, bytes, keep(message)), "desk", { keyring });
    expect(proven).toMatchObject({
      envelope,
      doubt: null,
      origin: { edge: { from: "gateway", to: "desk" } },
    });
  });

  it("is admitted by nobody who neither sent nor received it", () => {
    const { message, bytes } = sealAs("gateway", MESSAGE);
    expect(() => proveMessage(recordOf(MESSAGE, bytes, message), "teller", { keyring })).toThrow(
      "its signer neither sent nor received the message",
    );
  });

  it("is not taken for that of other bytes", () => {
    const { message, bytes } = sealAs("gateway", MESSAGE);
    const other = recordOf(MESSAGE, bytes.replace("a b c", "x y z"), message);
    expect(() => proveMessage(other, "desk", { keyring })).toThrow(
      expect.objectContaining({ code: "WARD_ADMISSION_FOREIGN" }),
    );
  });

  it("of a gateway or agent brings neither answers nor a case", () => {
    const claims = {
      ...MESSAGE,
      meta: { ...MESSAGE.meta, case_id: MESSAGE.meta.run_id },
      conversation: { ...MESSAGE.conversation, tool_state: { answers: { "approval/c-1": {} }, kept: 1 } },
    };
    const { message, bytes } = sealAs("gateway", claims);
    const { envelope } = proveMessage(recordOf(claims, bytes, message), "desk", { keyring });
    expect(envelope.meta.case_id).toBeUndefined();
    expect(envelope.conversation.tool_state).toEqual({ kept: 1 });
  });
});

describe("a discharge that died", () => {
  const first = sealAs("gateway", MESSAGE);
  const discharge = (more: object = {}): Envelope =>
    createDischarge({
      dead: MESSAGE,
      deadDigest: first.digest,
      operation: "o",
      caseId: derivedId("case", MESSAGE.meta.message_id),
      diedAtMs: Date.parse(MESSAGE.meta.timestamp),
      ...more,
    });
  const prove = (envelope: Envelope) => {
    const { message, bytes } = sealAs("surgeon", envelope);
    return proveMessage(recordOf(envelope, bytes, message), "desk", { keyring });
  };

  it("keeps its answers, and leads back to the first message", () => {
    const originalSeal = originalSealOf(first.message, MESSAGE.meta.message_id);
    const conversation = { history: [], tool_state: { answers: { s: 1 } }, metadata: {} };
    expect(prove(discharge({ originalSeal, conversation }))).toMatchObject({
      origin: { edge: { from: "gateway", to: "desk" }, seal: originalSeal },
      envelope: { conversation },
    });
  });

  it("leads nowhere where it names no first message", () => {
    expect(prove(discharge()).origin).toBeNull();
  });

  it("is not believed with a first message of somebody else", () => {
    const other = sealAs("teller", {
      ...MESSAGE,
      meta: { ...MESSAGE.meta, source_agent: "teller@1", path: ["teller@1"] },
    });
    const originalSeal = originalSealOf(other.message, MESSAGE.meta.message_id);
    expect(() => prove(discharge({ originalSeal }))).toThrow(/another edge/);
    expect(() => prove(discharge({ originalSeal: { ...originalSeal, value: "A".repeat(43) } }))).toThrow(
      /seal does not hold/,
    );
  });
});
