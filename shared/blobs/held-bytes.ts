import { BlobsFullError } from "./errors.ts";

/** Counts bytes by tenant against a maximum. */
export class HeldBytes {
  private readonly max: number;
  private readonly tenantShare: () => number;
  private byTenant = new Map<string, number>();

  /** @param tenantShare - Share of one tenant of what the other tenants leave. Above 0, at most 1. */
  constructor(max: number, tenantShare: () => number) {
    this.max = max;
    this.tenantShare = tenantShare;
  }

  /** Starts over with what is known of every tenant. */
  reset(byTenant: ReadonlyMap<string, number>): void {
    this.byTenant = new Map(byTenant);
  }

  /** Counts further bytes of a tenant. @throws {BlobsFullError} There is no room; nothing is counted. */
  add(tenant: string, bytes: number): void {
    const own = this.byTenant.get(tenant) ?? 0;
    const others = this.byTenant.values().reduce((sum, held) => sum + held, 0) - own;
    if (own + bytes > this.tenantShare() * (this.max - others)) throw new BlobsFullError(this.max);
    this.byTenant.set(tenant, own + bytes);
  }

  /** Stops counting bytes of a tenant. */
  remove(tenant: string, bytes: number): void {
    const left = (this.byTenant.get(tenant) ?? 0) - bytes;
    if (left > 0) this.byTenant.set(tenant, left);
    else this.byTenant.delete(tenant);
  }
}
