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
 * Signs a person's mark of a group.
 * @returns undefined when this process has no signing key.
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
 * Returns a group with its verified mark: acknowledged or resolved without a valid signature counts as open. Without
 * a key to verify, the group is trusted as it is.
 */
export function asMarked<Group extends CaseGroup>(keyring: Keyring, group: Group): Group {
  const { lifecycle, signed_mark, resolution, fingerprint } = group;
  const isMarked = lifecycle === "acknowledged" || lifecycle === "resolved";
  if ((!isMarked && resolution === null) || !keyring.canVerify("console", "ward")) return group;
  const opened = openSigned(signed_mark ?? "", { keyring, purpose: PURPOSE, schema: markSchema });
  const mark = "problem" in opened ? null : opened.signed;
  const isOf = mark?.fingerprint === fingerprint;
  if (isOf && mark.lifecycle === lifecycle && isSameResolution(mark, resolution)) return group;
  // A later dead message reopens it; the ward counts that.
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
