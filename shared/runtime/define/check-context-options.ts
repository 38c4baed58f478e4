import { ContextDefinitionError, selectFields } from "#shared/context";
import type { ContextNeeds } from "#shared/context";
import { SutureError } from "#shared/errors";
import { checkGuard } from "#shared/guard";
import type { GuardDeclaration } from "#shared/guard";
import { AgentDefinitionError } from "../errors.ts";

/** Options of an agent that are about what it reads, sends and passes on. */
interface ContextOptions {
  readonly needs?: ContextNeeds;
  readonly passes?: Readonly<Partial<Record<string, readonly string[]>>>;
  readonly guard?: GuardDeclaration;
  readonly contextTokensMax?: number;
  readonly to?: object;
}

/** Finds what is wrong with them before a message comes. @throws {AgentDefinitionError} */
export function checkContextOptions(
  id: string,
  { needs, passes, guard, contextTokensMax, to }: ContextOptions,
): void {
  const receivers = Object.keys(to ?? {});
  try {
    selectFields(null, [
      ...Object.values(needs ?? {}).flatMap((need) => [...need.fields, ...(need.optional ?? [])]),
      ...Object.values(passes ?? {}).flatMap((fields) => fields ?? []),
    ]);
    for (const receiver of Object.keys(passes ?? {})) {
      if (!receivers.includes(receiver))
        throw new ContextDefinitionError(`passes names ${receiver}, to which it does not hand`);
    }
    if (contextTokensMax !== undefined && !(contextTokensMax > 0))
      throw new ContextDefinitionError("contextTokensMax is not above 0");
    if (guard !== undefined) checkGuard(guard, receivers);
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    throw new AgentDefinitionError(id, error.message.replace(/\.$/, ""));
  }
}
