import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract, ContractRegistry, sensitive } from "#shared/contract";
import type { RunEvent } from "#shared/store/runs";
import { maskForTeam } from "./run-mask.ts";

const Visit = contract(
  "mask.visit@1",
  z.strictObject({
    patient: sensitive(z.string()),
    notes: sensitive(z.record(z.string(), z.string())),
    beds: z.int(),
  }),
);
const Plain = contract("mask.plain@1", z.strictObject({ beds: z.int() }));
const mask = maskForTeam({ contracts: new ContractRegistry([Visit, Plain]) });

const RUN = {
  run_id: "r",
  trace_id: "t",
  team: "clinic",
  tenant: "local",
  status: "failed",
  created_ms: 1,
  ended_ms: 2,
  result: { text: "Dear Ada" },
  error: { class: "handler_error", code: "HANDLER_THREW", message: "no Ada here" },
  cost: 0,
  tokens: 0,
  messages: { open: 0, in_ward: 0, quarantined: 0 },
} as const;

function eventWith(detail: RunEvent["detail"]): RunEvent {
  return { id: "e", run_id: "r", type: "retry", at: "now", message_id: "m", agent: "a", detail };
}

describe("a run of a team whose contracts mark something", () => {
  it("has its payloads masked by contract, and as a whole where the contract is not known", () => {
    const payload = { patient: "Ada", notes: { Bob: "her son" }, beds: 2, kin: "Bob" };
    expect(mask.payload(payload, "mask.visit@1")).toEqual({
      patient: "[sensitive]",
      notes: { "[sensitive]": "[sensitive]" },
      beds: 2,
      kin: "[sensitive]",
    });
    expect(mask.payload(payload, "mask.other@1")).toBe("[sensitive]");
    expect(mask.text("I am Ada")).toBe("[sensitive]");
  });

  it("has result and error masked, but for the error's class and code", () => {
    expect(mask.record(RUN)).toEqual({
      ...RUN,
      result: "[sensitive]",
      error: { class: "handler_error", code: "HANDLER_THREW", message: "[sensitive]" },
    });
    expect(mask.record({ ...RUN, error: "no Ada here" }).error).toBe("[sensitive]");
    expect(mask.record({ ...RUN, result: null, error: null })).toMatchObject({ result: null, error: null });
  });

  it("keeps of an event what this system wrote, and no name that the contract does not declare", () => {
    const detail = {
      hop: 2,
      code: "X",
      reason: "no Ada here",
      invented: { by: "a later release" },
      paths: ["/patient", "/notes/Bob", "/beds/0", ""],
    };
    expect(mask.event(eventWith(detail)).detail).toEqual({
      hop: 2,
      code: "X",
      reason: "[sensitive]",
      invented: "[sensitive]",
      paths: ["/patient", "/notes/[sensitive]", "/beds/0", ""],
    });
  });
});
