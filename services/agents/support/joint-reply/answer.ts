import type { ReplyInput } from "../reply/answer.ts";
import type { ContractOutput } from "#shared/contract";
import type { ReplyPart, ReplyPlan } from "./contracts.ts";

type Part = ContractOutput<typeof ReplyPart>;
type Plan = ContractOutput<typeof ReplyPlan>;

/** What the model that writes the answer is shown of each request. */
export interface JointReplyInput {
  readonly language: Plan["language"];
  readonly requests: readonly (Pick<Part, "status" | "outcome" | "facts" | "steps"> & {
    readonly summary: string;
  })[];
  /** Absent where the customer has not said. */
  readonly preferences?: ReplyInput["preferences"];
}
