/** Who takes a place: an API key and its tenant. */
export interface PlaceHolder {
  /** Name of the key. */
  readonly name: string;
  readonly tenant: string;
}

const NO_KEY: PlaceHolder = { name: "", tenant: "" };

/** The part that one key may take of what the other keys of its tenant leave. */
const KEY_SHARE = 0.5;

/**
 * Limits how many places are taken at once: connections, waiting requests, uploads. Each tenant gets a share of what
 * the other tenants leave, and each key half of what the other keys of its tenant leave. A tenant that has
 * none gets a place while any is free.
 */
export class FairLimit {
  private readonly max: number;
  private readonly tenantShare: () => number;
  private readonly byTenant = new Map<string, number>();
  private readonly byKey = new Map<string, number>();
  private total = 0;

  /** @param tenantShare - Above 0, at most 1. Default: 1, for a service that has only one tenant. */
  constructor(max: number, tenantShare = (): number => 1) {
    this.max = max;
    this.tenantShare = tenantShare;
  }

  /** Places that are taken. */
  get count(): number {
    return this.total;
  }

  /**
   * Takes a place.
   *
   * @param holder - Null for a request without a key; all of those count as one key.
   * @returns A function that gives the place back; calling it again has no effect. Null: there is no place for it.
   */
  enter(holder: PlaceHolder | null): (() => void) | null {
    const { name, tenant } = holder ?? NO_KEY;
    const ofTenant = this.byTenant.get(tenant) ?? 0;
    const ofKey = this.byKey.get(name) ?? 0;
    const tenantMax = shareOf(this.tenantShare(), this.max - (this.total - ofTenant));
    const keyMax = shareOf(KEY_SHARE, tenantMax - (ofTenant - ofKey));
    if (this.total >= this.max || ofTenant >= tenantMax || ofKey >= keyMax) return null;
    this.add({ name, tenant }, 1);
    let isInside = true;
    return () => {
      if (isInside) this.add({ name, tenant }, -1);
      isInside = false;
    };
  }

  private add({ name, tenant }: PlaceHolder, places: 1 | -1): void {
    this.total += places;
    addTo(this.byTenant, tenant, places);
    addTo(this.byKey, name, places);
  }
}

/** Returns a share of some places, at least one. */
function shareOf(share: number, places: number): number {
  return Math.max(1, Math.floor(share * places));
}

function addTo(counts: Map<string, number>, name: string, places: number): void {
  const left = (counts.get(name) ?? 0) + places;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}
