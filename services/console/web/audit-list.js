import { h } from "./dom.js";
import { empty } from "./states.js";
import { when } from "./when.js";

/** Who did what, when and why; newest first. */
export function auditList(entries, none) {
  if (entries.length === 0) return empty(none);
  const items = entries.map(({ at, by, action, why, detail }) =>
    h(
      "li",
      {},
      when(Date.parse(at)),
      " ",
      h("b", { text: by }),
      ` ${action} `,
      detail?.from !== undefined && h("span", { text: `${detail.from} → ${detail.to} ` }),
      detail?.since && h("span", { text: `from ${detail.since} on ` }),
      h("span", { class: "quiet", text: why === "" ? "(no reason given)" : why }),
    ),
  );
  return h("ol", { class: "lines tall" }, ...items);
}
