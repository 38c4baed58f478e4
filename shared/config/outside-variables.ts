import { z } from "zod";
import type { Secret } from "./secret.ts";
import { optionalHttpUrl, secretOf } from "./variable.ts";
import type { Variable } from "./variable.ts";

export const token: Variable<Secret | null> = secretOf(
  z.string().regex(/^[\x21-\x7e]{1,4000}$/, "must be printable ASCII without spaces"),
  "a-long-random-secret",
);

/** The variables of the systems outside that the support team works with. */
export const OUTSIDE_VARIABLES = {
  SUTURE_SHOP_URL: optionalHttpUrl("https://shop.example.org/api"),
  SUTURE_SHOP_TOKEN: token,
  SUTURE_DESK_URL: optionalHttpUrl("https://desk.example.org/api"),
  SUTURE_DESK_TOKEN: token,
  SUTURE_CRM_URL: optionalHttpUrl("https://crm.example.org/api"),
  SUTURE_CRM_TOKEN: token,
};
