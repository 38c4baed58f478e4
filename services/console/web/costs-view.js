import { counted, usd } from "./amounts.js";
import { hideBanner, showBanner } from "./banners.js";
import { at, fill, h } from "./dom.js";
import { facts } from "./states.js";
import { trendLine } from "./trend.js";
import { clockAt } from "./when.js";

/** What one case, and one group, may cost; told with every look at the ward. */
const known = { limits: null };

/** What a case or a group has cost, and what follows once it has cost what it may. */
export function costOf(cost, kind) {
  const limit = known.limits?.[kind === "group" ? "cost_per_group" : "cost_per_case"];
  if (limit === undefined || limit === null) return usd(cost);
  const isSpent = cost > 0 && cost >= limit * SPENT_SHARE;
  return h(
    "span",
    { class: isSpent ? "bad" : "" },
    `${usd(cost)} of ${usd(limit)}`,
    isSpent &&
      `: ${kind === "group" ? "its cases wait" : "it waits"} for a person, no model is asked any more`,
  );
}

/** What the next call is set aside for would pass the limit, as a rule, from here on. */
const SPENT_SHARE = 0.95;

/** What surgery cost in this hour, of how much, at the ward's head; and a banner while the limit holds cases back. */
export function showCost({
  surgery_cost_this_hour: spent,
  surgery_limits: limits,
  surgery_held: held,
  ward,
}) {
  known.limits = limits;
  fill(
    at("cost"),
    h(
      "p",
      { class: "cost" },
      h("a", { href: "#groups", text: "Surgery", data: { key: "cost" } }),
      ` ${usd(spent)} of ${usd(limits.cost_per_hour)} this hour, ${usd(Math.max(0, limits.cost_per_hour - spent))} left `,
    ),
    meter(spent, limits.cost_per_hour),
  );
  if (held === null) return hideBanner("cost");
  showBanner(
    "cost",
    h("strong", { text: `The limit of ${usd(limits.cost_per_hour)} an hour holds cases back.` }),
    ` Those that need a model wait until `,
    clockAt(held.until_ms),
    `, when the next hour's money is there; then they go on by themselves. ${counted(ward.admitted, "case")} in the ward wait for the surgeon. Recipes and first aid cost nothing and go on; to let models go on now, raise SUTURE_SURGEON_COST_PER_HOUR and restart the surgeon.`,
  );
}

function meter(spent, limit) {
  return h("meter", {
    min: "0",
    max: String(Math.max(limit, 0.000001)),
    high: String(limit * 0.8),
    value: String(Math.min(spent, limit)),
    "aria-label": "Spent of this hour's money",
  });
}

/** The same with its history and the other limits. */
export function costPanel({ hours, this_hour, left_this_hour, limits, held }) {
  return h(
    "section",
    { class: "panel", "aria-label": "Cost of surgery" },
    h("h3", { text: "Cost of surgery" }),
    facts([
      ["This hour", `${usd(this_hour)} of ${usd(limits.cost_per_hour)}`],
      ["Left this hour", usd(left_this_hour)],
      ["Last 24 hours", usd(hours.reduce((sum, one) => sum + one, 0))],
      ["By hour", trendLine(hours, { label: `Cost of the last 24 hours, ${usd(this_hour)} in this one` })],
      ["A case may cost", usd(limits.cost_per_case)],
      ["A group may cost", usd(limits.cost_per_group)],
    ]),
    held !== null &&
      h("p", { class: "bad" }, "The hour's limit holds cases back until ", clockAt(held.until_ms), "."),
    h("p", {
      class: "quiet",
      text: "A case or a group that has cost what it may waits for a person; what the hour may cost only makes cases wait.",
    }),
  );
}
