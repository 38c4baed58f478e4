import { z } from "zod";
import { now } from "#shared/clock";
import { signRecord } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import type { CaseGroup, GroupMark } from "#shared/store/cases";
import { openSigned } from "./record.ts";

const PURPOSE = "people-group";

const markSchema = z.object({
  fingerprint: z.string(),
  lifecycle: z.enum(["open", "acknowledged", "resolved"]),
  by: z.string(),
  since: z.object({ name: z.string(), version: z.number() }).nullable(),
  at_ms: z.number(),
});

/**
 * Signs what a person thinks of a group.
 *
 * @returns undefined where this process has no key to sign with.
 */
export function signGroupMark(
  keyring: Keyring,
  fingerprint: string,
  {
    lifecycle,
    by,
    since = null,
  }: Pick<GroupMark, "lifecycle" | "by"> & { readonly since?: GroupMark["since"] | null },
): string | undefined {
  if (!keyring.canSign("console", "ward")) return undefined;
  const mark = { fingerprint, lifecycle, by, since, at_ms: now() };
  return JSON.stringify(signRecord(mark, { key: keyring.signing("console", "ward"), purpose: PURPOSE }));
}

/**
 * A group as people marked it: one that is called acknowledged or resolved without their signature is open. A process
 * that can verify nobody's word takes it as it is written.
 */
export function asMarked<Group extends CaseGroup>(keyring: Keyring, group: Group): Group {
  const { lifecycle, signed_mark, resolution, fingerprint } = group;
  const isMarked = lifecycle === "acknowledged" || lifecycle === "resolved";
  if ((!isMarked && resolution === null) || !keyring.canVerify("console", "ward")) return group;
  const opened = openSigned(signed_mark ?? "", { keyring, purpose: PURPOSE, schema: markSchema });
  const mark = "problem" in opened ? null : opened.signed;
  const isOf = mark?.fingerprint === fingerprint;
  if (isOf && mark.lifecycle === lifecycle && isSameResolution(mark, resolution)) return group;
  // A dead message came after it was resolved: that is counted by the ward.
  if (
    isOf &&
    lifecycle === "regressed" &&
    mark.lifecycle === "resolved" &&
    isSameResolution(mark, resolution)
  )
    return group;
  return { ...group, lifecycle: isMarked ? "open" : lifecycle, resolution: null };
}

function isSameResolution(
  { lifecycle, by, since }: z.output<typeof markSchema>,
  resolution: CaseGroup["resolution"],
): boolean {
  if (lifecycle !== "resolved") return resolution === null;
  return (
    resolution?.by === by &&
    resolution.since?.name === since?.name &&
    resolution.since?.version === since?.version
  );
}
