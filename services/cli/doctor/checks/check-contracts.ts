import { toStrictSchema } from "#shared/model";
import { ok, open } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { Subject } from "../subject.ts";

/** Looks at the contracts of model answers: endpoints enforce only those that strict mode can express. */
export function checkContracts({ teams }: Subject): readonly Finding[] {
  const answers = teams.flatMap((team) =>
    [...team.agents.values()].flatMap(({ options }) => options.answers ?? []),
  );
  const loose = new Set(
    answers.filter(({ jsonSchema }) => !toStrictSchema(jsonSchema).strict).map(({ id }) => id),
  );
  const check = "strict contracts";
  if (loose.size === 0) return [ok(check, "endpoints can enforce all contracts of model answers")];
  return [
    open(
      check,
      `not enforced by endpoints: ${[...loose].join(", ")}`,
      "Close open objects and records; answers are checked here all the same",
    ),
  ];
}
