import { h } from "./dom.js";

/** A fingerprint begins with the agent and the failure class; its digest only tells apart. */
export function groupName({ fingerprint, producer }, about = {}) {
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
