import { proveRepair } from "#shared/proof";
import type { Objection, Proof } from "#shared/proof";
import { leavesOf, Places } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { cheapestReading } from "../admission/subject.ts";
import type { Subject } from "../admission/subject.ts";

/** Objections to a machine's repair that a person may overrule. */
const MAY_BE_LOST: readonly Objection["code"][] = ["dropped", "shrunk"];

interface ProvenByHand {
  readonly proof: Proof;
  /** Objections to the value, whoever signs it. */
  readonly objections: readonly Objection[];
  /** JSON pointers of changes that a second person has to sign. */
  readonly secondPerson: string[];
}

/** Proves a person's value like any repair. They may leave a value out; one that takes two people, two may. */
export function proveByHand(subject: Subject, value: JsonValue): ProvenByHand {
  const proof = proveRepair(subject, { value, provenAs: "person" });
  const before = cheapestReading(subject) ?? null;
  const schemas = new Places(before, subject.schema);
  const marked = leavesOf(before).filter((leaf) => schemas.schemaAt(leaf)?.needsTwo === true);
  const needsTwo = (path: string): boolean => marked.some((leaf) => `${leaf.path}/`.startsWith(`${path}/`));
  const mayBeLost = ({ code }: Objection): boolean => MAY_BE_LOST.includes(code);
  const isForTwo = (one: Objection): boolean =>
    one.code === "second_person" || (mayBeLost(one) && needsTwo(one.path));
  const paths = proof.objections.filter(isForTwo).map(({ path }) => path);
  return {
    proof,
    objections: proof.objections.filter((one) => !isForTwo(one) && !mayBeLost(one)),
    secondPerson: [...new Set(paths)],
  };
}
