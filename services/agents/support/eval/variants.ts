import type { Variant } from "#shared/runtime";
import { onePromptTeam } from "./one-prompt.ts";
import { weighBy } from "./voters.ts";

/** As many as the source asks to be measured. */
const VOTERS = [1, 2, 3, 5] as const;

const variants: readonly Variant[] = [
  {
    name: "single-call",
    description: "One prompt that does the whole job, with no tools.",
    team: onePromptTeam,
    judged: ["/decided"],
  },
  ...VOTERS.map((voters): Variant => {
    const against = voters === 1 ? {} : { against: "severity-by-1" };
    return {
      name: `severity-by-${voters}`,
      description: `The severity by the majority of ${voters}.`,
      team: weighBy(voters),
      judged: ["/decided/severity"],
      ...against,
    };
  }),
];

export default variants;
