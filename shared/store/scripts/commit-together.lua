-- The fenced commit where one Redis holds every slot: the outcome, the messages it hands on and what their runs are told,
-- in one step, or nothing. The outcome comes last, because Redis takes nothing back when a command of a script fails: what
-- stands before it is done again with the next delivery, and every part of it is idempotent.
-- KEYS: 1 ledger, 2 job lock, 3 cancelled mark of the run, 4 counts, 5 index of all runs
-- ARGV: 1 to 7 as `refusal` and `writeOutcome` have them, 8 now in ms, 9 options of jobs, 10 to 18 what `finishAndTake` reads,
--       or "" to end the job another time, 19 number of messages, then for each base of its queue's keys, job id, data, "1"
--       for the head of the queue; then what `applyToRuns` reads
-- Reply: {1} committed | {1, reply of `finishAndTake`} | as `refusal`
local refused = refusal()
if refused then return refused end
local at = 20
for _ = 1, tonumber(ARGV[19]) do
  addPlain(ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[9], ARGV[8], ARGV[at + 3])
  at = at + 4
end
applyToRuns(KEYS[4], KEYS[5], at)
writeOutcome()
if ARGV[10] == "" then return {1} end
return {1, finishAndTake(10, ARGV[1], true)}
