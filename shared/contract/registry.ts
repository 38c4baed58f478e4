import { z } from "zod";
import { toIssues } from "./check.ts";
import type { Contract } from "./contract.ts";
import {
  ContractDefinitionError,
  PayloadContentError,
  PayloadInvalidError,
  UnknownContractError,
  UnsupportedContractVersionError,
} from "./errors.ts";

/**
 * The contracts one process knows, by name and version, with the upcaster chain between versions of one name.
 * A payload of an older version is lifted step by step to the version asked for; a newer one is refused.
 */
export class ContractRegistry {
  private readonly byName = new Map<string, Map<number, Contract>>();

  constructor(contracts: Iterable<Contract> = []) {
    for (const contract of contracts) this.add(contract);
  }

  /** Adds a contract with those before it. @throws {ContractDefinitionError} Another contract has the same id. */
  add(contract: Contract): void {
    const versions = this.byName.get(contract.name) ?? new Map<number, Contract>();
    const present = versions.get(contract.version);
    if (present !== undefined && present !== contract) {
      throw new ContractDefinitionError(contract.id, "another contract has the same name and version");
    }
    versions.set(contract.version, contract);
    this.byName.set(contract.name, versions);
    if (contract.options.previous !== undefined) this.add(contract.options.previous);
  }

  all(): Contract[] {
    return [...this.byName.values()].flatMap((versions) => [...versions.values()]);
  }

  find(id: string): Contract | undefined {
    const { name, version } = splitId(id);
    return this.byName.get(name)?.get(version);
  }

  /** The newest version of a name, or undefined. */
  newest(name: string): Contract | undefined {
    const versions = this.byName.get(name);
    return versions?.get(Math.max(...versions.keys()));
  }

  /**
   * Lifts a payload from the contract it claims to the one its reader wants.
   *
   * @returns The payload in the wanted version's form, not yet checked.
   * @throws {UnknownContractError} The names differ, or no chain leads from the claimed version to the wanted one.
   * @throws {UnsupportedContractVersionError} The claimed version is newer than the wanted one.
   * @throws {PayloadInvalidError | PayloadContentError} An upcaster of the chain refuses the payload, at places of the
   * form that it was given.
   */
  upcast(claimedId: string, wanted: Contract, payload: unknown): unknown {
    const claimed = splitId(claimedId);
    const unknown = (): UnknownContractError =>
      new UnknownContractError(
        claimedId,
        this.all().map((contract) => contract.id),
      );
    if (claimed.name !== wanted.name) throw unknown();
    if (claimed.version > wanted.version)
      throw new UnsupportedContractVersionError(claimedId, wanted.version);
    let lifted = payload;
    for (let version = claimed.version + 1; version <= wanted.version; version += 1) {
      const step = version === wanted.version ? wanted : this.byName.get(wanted.name)?.get(version);
      if (step?.options.upcast === undefined) throw unknown();
      lifted = lift(step.id, step.options.upcast, lifted);
    }
    return lifted;
  }
}

/** An upcaster is pure: what it cannot lift is a fault of the payload, not of the code that was handed it. */
function lift(id: string, upcast: (previous: unknown) => unknown, payload: unknown): unknown {
  try {
    return upcast(payload);
  } catch (error) {
    // It checked the payload against the older contract itself, and says where that fails.
    if (error instanceof PayloadInvalidError || error instanceof PayloadContentError) throw error;
    const issues = error instanceof z.ZodError ? toIssues(error) : [];
    const unliftable = { path: "", code: "not_liftable", message: `cannot be lifted to ${id}` };
    throw new PayloadInvalidError(id, issues.length > 0 ? issues : [unliftable]);
  }
}

function splitId(id: string): { name: string; version: number } {
  const at = id.lastIndexOf("@");
  return { name: id.slice(0, at), version: Number(id.slice(at + 1)) };
}
