import { z } from "zod";
import { AbsentError } from "../../errors.ts";
import { auditAction } from "../guards/audit-action.ts";
import { operation } from "../operation.ts";
import { groupParams, optionalWhyBody, whyField } from "./request-fields.ts";

/** Somebody looks after it. */
export const acknowledgeGroup = mark("acknowledge", "acknowledged");

/** It is as if nobody had looked at it. */
export const reopenGroup = mark("reopen", "open");

/** `name@version` of an agent, a contract or an outside producer. */
const sinceField = z
  .string()
  .max(200)
  .regex(/^[^@]{1,180}@\d{1,9}$/, "must be a name, @ and a whole number")
  .exactOptional();

/**
 * The cause is gone, says somebody. With `since`, from that version on: letters of older versions may still come,
 * one of that version or a later one makes it regressed. Without it, any letter does.
 */
export const resolveGroup = operation({
  id: "resolveGroup",
  role: "operator",
  params: groupParams,
  body: z.strictObject({ why: whyField, since: sinceField }),
  async handle({ console: { store }, params: { fingerprint }, body: { why, since }, caller }) {
    const at = since?.lastIndexOf("@") ?? -1;
    const version =
      since === undefined
        ? {}
        : { since: { name: since.slice(0, at), version: Number(since.slice(at + 1)) } };
    const by = caller.name;
    if (!(await store.cases.groups.mark(fingerprint, { lifecycle: "resolved", by, ...version })))
      throw new AbsentError("group");
    const detail = { fingerprint, since: since ?? null };
    await auditAction(store, { by, action: "group.resolve", why, detail });
    return store.cases.groups.find(fingerprint);
  },
});

function mark(action: "acknowledge" | "reopen", lifecycle: "acknowledged" | "open") {
  return operation({
    id: `${action}Group`,
    role: "operator",
    params: groupParams,
    body: optionalWhyBody,
    async handle({ console: { store }, params: { fingerprint }, body: { why }, caller }) {
      const by = caller.name;
      if (!(await store.cases.groups.mark(fingerprint, { lifecycle, by }))) throw new AbsentError("group");
      await auditAction(store, { by, action: `group.${action}`, why, detail: { fingerprint } });
      return store.cases.groups.find(fingerprint);
    },
  });
}
