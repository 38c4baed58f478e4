import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { agent, team } from "#shared/runtime";

export const PATIENT = "Zephyrine Quillfeather";
export const ACCOUNT = "ZZ77 9917 4482 0153";

/** Any part of a canary, as it is, in other letters, or without its spaces. */
export const CANARY = /zephyrine|quillfeather|9917 ?4482|4482 ?0153/i;

/** What the clinic's own rule says of some visits, until somebody lifts it. */
export const house = { isStrict: true };

const person = {
  patient: sensitive(z.string().min(1)),
  account: sensitive(z.string().min(10).meta({ "x-locked": true })),
};

/** What an agent of the clinic does with a visit: one way for each kind of text that may carry a value out. */
export const WAYS = [
  "completes",
  "is repaired",
  "throws",
  "rejects",
  "asks for a tool",
  "breaks a rule",
] as const;

export type Way = (typeof WAYS)[number];

const Visit = contract("clinic.visit@1", z.strictObject({ ...person, beds: z.int(), way: z.enum(WAYS) }));

const Stay = contract("clinic.stay@1", z.strictObject({ ...person, nights: z.int(), remark: z.string() }), {
  check: ({ patient, remark }) =>
    house.isStrict && remark === "barred"
      ? [{ path: "/remark", code: "barred", message: `${patient} is barred` }]
      : [],
});

const intake = agent("intake@1", {
  accepts: Visit,
  to: { ledger: Stay },
  handle: async ({ patient, account, beds, way }, ctx) => {
    ctx.log.warn({ visitor: patient, about: [`pays from ${account}`] }, `visited by ${patient}`);
    const stay = { patient, account, nights: beds, remark: "quiet" };
    if (way === "throws") throw new Error(`there is no ${patient} with ${account}`);
    if (way === "rejects") return ctx.reject(`${patient} is not known here`);
    if (way === "asks for a tool") {
      const call = { call_id: "wire-1", tool: "wire", arguments: { to: account, holder: patient } };
      const { approved } = await ctx.approve(call);
      return ctx.complete({ approved, to: account });
    }
    // What its author wrote wrongly: no type says so.
    if (way === "is repaired")
      return ctx.handoff("ledger", { ...stay, nights: "2 nights", naechte: 2 } as never);
    return ctx.handoff("ledger", { ...stay, remark: way === "breaks a rule" ? "barred" : "quiet" });
  },
});

const ledger = agent("ledger@1", {
  accepts: Stay,
  handle: ({ patient, account, nights }, ctx) =>
    ctx.complete({
      nights,
      patient,
      // No copy of a value: nothing in the text says where it came from.
      message: `Dear Ms ${patient.split(" ").at(-1) ?? ""}, we took it from ${account.slice(-9)}.`,
      [patient]: "is a name of a member here",
    }),
});

/** Two agents that handle what is personal, and let it out in every way that they have. */
export const clinic = team("clinic", [intake, ledger]);

export function visit(way: Way): Record<string, unknown> {
  return { patient: PATIENT, account: ACCOUNT, beds: 2, way };
}
