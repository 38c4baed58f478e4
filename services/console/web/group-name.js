import { h } from "./dom.js";

/** Whether a group, case or work is of an attached queue: a plain BullMQ job, which nobody has signed. */
export const isAttached = (id) => id.startsWith("bullmq:");

/** Marks what is of an attached queue. */
export const unsealedBadge = (id) =>
  isAttached(id) &&
  h("span", {
    class: "badge warn",
    text: "unsealed",
    title: "A plain BullMQ job: nothing vouches for its sender.",
  });

/** A fingerprint begins with the agent and the failure class; its digest only tells apart. */
export function groupName({ fingerprint, producer, cause }, about = {}) {
  if (isAttached(fingerprint)) {
    const words = fingerprint.endsWith(":rest") ? "all further groups" : (cause ?? []).join("; ");
    return h("span", about, words || "an error without a message");
  }
  const [agent = "", failure = "", digest = ""] = fingerprint.split("/");
  return h(
    "span",
    { ...about, title: `${fingerprint}, begun by ${producerName(producer)}` },
    h("b", { text: agent }),
    ` ${failure.replaceAll("_", " ")} `,
    h("span", { class: "mono quiet", text: digest.slice(0, 6) }),
  );
}

/** Who made a message: agent, contract, model and prompt version, as far as they are known. */
export function producerName(producer) {
  const [agent = "", contract = "", model = "-", prompt = "-"] = producer.split("|");
  return [
    agent,
    contract === "" || contract === "-" ? "" : `for ${contract}`,
    model === "-" ? "" : `with ${model}`,
    prompt === "-" ? "" : `prompt ${prompt}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
