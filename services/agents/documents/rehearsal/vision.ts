import type { StandIn } from "#shared/runtime";
import { VisionAnswer } from "../vision/answer.ts";
import type { VisionInput } from "../vision/answer.ts";
import { readRecorded } from "./recorded.ts";
import { tagText } from "./tag-text.ts";

const RECORDED = readRecorded("pictures.json", VisionAnswer.schema);

/** Tags texts by what they contain. Of a picture without text it knows what was recorded, and of others nothing. */
export const lookAtFile: StandIn = ({ kind, sha256, text, pages, width, height }: VisionInput) => {
  const recorded = RECORDED.get(sha256);
  if (recorded !== undefined) return recorded;
  if (text !== null) return tagText(text, pages ?? 1, kind === "picture");
  const format = (width ?? 0) > (height ?? 0) ? "landscape" : "portrait";
  const size = `${width ?? 0} by ${height ?? 0} pixels`;
  return {
    tags: ["unclear", `${format}_format`],
    description: `A picture in ${format} format, ${size}. What it shows is not known here.`,
  };
};
