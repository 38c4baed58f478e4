import { toStrictSchema } from "#shared/model";
import { unlessFound } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { Subject } from "../subject.ts";

/** Checks which contracts of model answers endpoints can enforce in strict mode. */
export function checkContracts({ teams }: Subject): readonly Finding[] {
  const answers = teams.flatMap((team) =>
    [...team.agents.values()].flatMap(({ options }) => options.answers ?? []),
  );
  const loose = answers.filter(({ jsonSchema }) => !toStrictSchema(jsonSchema).strict).map(({ id }) => id);
  return [
    unlessFound("strict contracts", loose, {
      none: "endpoints can enforce all contracts of model answers",
      some: "not enforced by endpoints: ",
      todo: "Close open objects and records; answers are checked here all the same",
      state: "open",
    }),
  ];
}
