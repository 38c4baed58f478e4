// Run as a process of its own by tests that attack it: tries a checkout as it is, and prints what the trial says.
import { TRIAL_LIMITS_DEFAULT } from "../trial/run-tests.ts";
import { tryDiff } from "../trial/try-diff.ts";

const [, , root = "", scratchDir = ""] = process.argv;
const result = await tryDiff({
  root,
  scratchDir,
  diff: null,
  allowed: { editable: [], tests: [] },
  before: null,
  limits: { ...TRIAL_LIMITS_DEFAULT, start: { ...TRIAL_LIMITS_DEFAULT.start, timeMs: 8000 } },
  signal: new AbortController().signal,
});
process.stdout.write(JSON.stringify(result));
