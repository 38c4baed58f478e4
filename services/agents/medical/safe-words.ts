import type { Issue } from "#shared/errors";

/** Pattern of a dose. */
const DOSE =
  /\b\d+(?:[.,]\d+)?\s*(?:mg|mcg|µg|g|ml|i\.?u\.?|units|tablets?|pills?|capsules?|drops|puffs|tabletten?|tropfen|hub)\b/i;

/** Patterns of diagnoses and treatments. */
const JUDGEMENTS: readonly RegExp[] = [
  /\byou (?:(?:probably|likely|clearly|definitely|may|might|must|could) )?(?:have|are having|had|suffer from) (?:an? |the )?(?:heart attack|stroke|angina|migraine|epilepsy|arrhythmia|tumou?r|infarct\w*|infection|disease|syndrome|condition|concussion|fibrillation|\w+(?:itis|osis|emia|pathy|algia))\b/i,
  /\b(?:this|it|that) (?:is|sounds like|looks like|must be|is probably|is likely) (?:an? )?(?:heart attack|stroke|angina|migraine|epilepsy|arrhythmia|tumou?r|infarct\w*|concussion|\w+(?:itis|osis|emia|pathy|algia))\b/i,
  /\b(?:my|the) diagnosis (?:is|would be)\b|\bI diagnose\b|\bdiagnosed with .{1,40} by me\b/i,
  /\b(?:you should|please|I (?:recommend|suggest|advise)(?: you)?(?: to)?|just|try) (?:take|taking|stop taking|double|increase|reduce|use)\b/i,
  /\b(?:Sie haben|das ist|es handelt sich um) (?:ein(?:e|en)? )?(?:herzinfarkt|schlaganfall|migräne|angina|epilepsie)\b|\b(?:nehmen|setzen) Sie\b.{0,40}\b(?:ein|ab)\b/i,
];

/** Returns an issue for each dose, diagnosis or treatment in a text. Pure. */
export function findUnsafeWords(text: string, path: string): Issue[] {
  const issues: Issue[] = [];
  if (DOSE.test(text)) issues.push({ path, code: "dose", message: "a dose is never named" });
  if (JUDGEMENTS.some((judgement) => judgement.test(text)))
    issues.push({ path, code: "diagnosis", message: "no diagnosis is given and no treatment" });
  return issues;
}

/** Returns an issue where a text is not exactly one question. */
export function findNoQuestion(text: string, path: string): Issue[] {
  const marks = text.match(/[?？]/g)?.length ?? 0;
  const isOne = marks === 1 && /[?？]\s*$/.test(text);
  return isOne ? [] : [{ path, code: "no_question", message: "it is one question, and ends with its mark" }];
}
