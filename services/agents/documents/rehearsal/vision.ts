import type { StandIn } from "#shared/runtime";
import { VisionAnswer } from "../vision/answer.ts";
import type { VisionInput } from "../vision/answer.ts";
import { readRecorded } from "./recorded.ts";
import { tagText } from "./tag-text.ts";

const RECORDED = readRecorded("pictures.json", VisionAnswer.schema);

/** Answers as recorded for the sample pictures; states format and size of others, and tags texts by their words. */
export const lookAtFile: StandIn = ({ kind, sha256, text, pages, width, height }: VisionInput) => {
  if (kind === "pages") return tagText(text ?? "", pages ?? 1);
  const format = (width ?? 0) > (height ?? 0) ? "landscape" : "portrait";
  const description = `A picture in ${format} format, ${width ?? 0} by ${height ?? 0} pixels.`;
  return RECORDED.get(sha256) ?? { tags: ["photo", `${format}_format`], description };
};
