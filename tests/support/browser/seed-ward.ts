import { uuidv7 } from "#shared/clock";
import type { Store } from "#shared/store";
import type { CaseStatus } from "#shared/store/cases";

/** A case as a story needs it: written as the ward writes it, without a message that anybody could open. */
export interface SeededCase {
  readonly fingerprint: string;
  readonly status?: CaseStatus;
  readonly agent?: string;
  readonly contract?: string;
  readonly producer?: string;
  readonly diagnosis?: string;
  readonly costMicro?: number;
}

const CHUNK = 250;

/** Writes many cases of one kind, oldest first. @returns their ids. */
export async function seedCases(store: Store, count: number, one: SeededCase): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += CHUNK) {
    const some = Array.from({ length: Math.min(CHUNK, count - from) }, () => uuidv7());
    await Promise.all(some.map((id) => write(store, id, one)));
    ids.push(...some);
  }
  return ids;
}

async function write(store: Store, caseId: string, one: SeededCase): Promise<void> {
  const { fingerprint, status = "quarantined", agent = "con-book", contract = "con.order@1" } = one;
  await store.cases.write({
    caseId,
    expectedVersion: 0,
    status,
    fingerprint,
    sets: {
      message_id: uuidv7(),
      run_id: uuidv7(),
      team: "con-orders",
      agent,
      addressed_to: agent,
      contract,
      disposition: "operate",
      failure_class: "validation_error",
      subject: "payload",
      producer: "export@3",
      messages: "1",
      diagnosis: one.diagnosis ?? "Nobody could repair it.",
      cost_micro: String(one.costMicro ?? 0),
    },
    arrival: {
      producer: one.producer ?? "export@3|con.order@1|gpt-5-mini|7",
      isReplay: false,
      parties: [{ name: "export", version: 3 }],
    },
    effects: null,
    audit: {
      case_id: caseId,
      at: new Date().toISOString(),
      by: "con-book@1",
      action: "admit",
      why: "",
      detail: {},
    },
  });
}
