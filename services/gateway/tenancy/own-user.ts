import { ownedUser, TENANT_DEFAULT } from "#shared/config";
import { RequestInvalidError } from "#shared/http";
import type { RunDraft } from "../runs/start-run.ts";
import type { Caller } from "./may-see.ts";

/** As long as an envelope carries an id. */
const USER_ID_CHARS_MAX = 256;

type User = NonNullable<RunDraft["first"]["user"]>;

/** The user of a request as the caller's tenant's own. @throws {RequestInvalidError} Its id is too long for that. */
export function ownUser(caller: Caller, user: User = {}): User {
  const user_id = ownedUser(caller?.tenant ?? TENANT_DEFAULT, user.user_id ?? null);
  if (user_id !== null && user_id.length > USER_ID_CHARS_MAX) {
    const message = `with the tenant's name before it, at most ${USER_ID_CHARS_MAX} characters`;
    throw new RequestInvalidError([{ path: "/user/user_id", code: "too_long", message }]);
  }
  const { subscription_tier = null, ...rest } = user;
  // What a tier buys is not for a client to say: only keys that operate the system vouch for it.
  const isVouched = caller?.scope === "operator" || caller?.scope === "admin";
  return { ...rest, user_id, subscription_tier: isVouched ? subscription_tier : null };
}
