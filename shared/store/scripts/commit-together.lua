-- The fenced commit where one Redis holds every slot: the outcome, the messages it hands on and what their runs are told,
-- in one step, or nothing. The outcome comes last, because Redis takes nothing back when a command of a script fails: what
-- stands before it is done again with the next delivery, and every part of it is idempotent.
local refused = refusal()
if refused then return refused end
for i = 1, #jobs do
  local job = jobs[i]
  addPlain(job.base, job.jobId, job.data, jobOptions, nowMs, job.atHead)
end
applyToRuns()
writeOutcome()
return { "committed", finishes and finishAndTake(token, true) or nil }
