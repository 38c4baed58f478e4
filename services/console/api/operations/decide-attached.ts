import { acceptedData, outcomeOf, readCase, refusalOf } from "../../attached/decide-job.ts";
import { judgeData } from "../../attached/job-data.ts";
import type { Handler } from "../operation.ts";

export const checkAttachedData: Handler<"checkAttachedData"> = async ({ console, params, body }) => {
  const { attached } = console;
  return attached.of(params.queue).link.use(async (ward) => {
    const jobCase = await readCase(attached, ward, { job: body.job, version: null });
    const { issues } = judgeData(ward, jobCase, body.payload_text);
    return {
      acceptable: issues.length === 0,
      issues: issues.map(({ path, code, message }) => ({ path, code, message })),
    };
  });
};

export const editAttachedJob: Handler<"editAttachedJob"> = async ({ console, params, body, caller }) => {
  const { attached } = console;
  const { link, survey } = attached.of(params.queue);
  survey.expire();
  return link.use(async (ward) => {
    const jobCase = await readCase(attached, ward, body);
    const data = acceptedData(ward, jobCase, body.payload_text);
    return outcomeOf(jobCase.id, await ward.edit(jobCase, data, caller.name));
  });
};

export const redriveAttachedJob: Handler<"redriveAttachedJob"> = async ({
  console,
  params,
  body,
  caller,
}) => {
  const { attached } = console;
  const { link, survey } = attached.of(params.queue);
  survey.expire();
  return link.use(async (ward) => {
    const jobCase = await readCase(attached, ward, body);
    const { payload_text: typed, accepts_effects: acceptsEffects } = body;
    const data = typed === undefined ? {} : { data: acceptedData(ward, jobCase, typed) };
    const decision = { ...data, by: caller.name, acceptsEffects };
    return outcomeOf(jobCase.id, await ward.redrive(jobCase, decision));
  });
};

export const undoAttachedEdit: Handler<"undoAttachedEdit"> = async ({ console, params, body, caller }) => {
  const { link, survey } = console.attached.of(params.queue);
  survey.expire();
  const undone = await link.use((ward) => ward.undo(body.job, caller.name));
  if (undone !== "undone") throw refusalOf(undone);
  return { job: body.job };
};
