export { prove, proveRepair } from "./prove.ts";
export type { ProofSubject } from "./prove.ts";
export type { Objection, Proof, ProofInput, ProvenanceEntry } from "./proof.ts";
export { unwrapText } from "./sources.ts";
export type { ModelReading, Quote } from "./second-reading.ts";
