-- The fenced commit where one Redis holds every slot: the outcome, the jobs it sends and the changes of runs, in one
-- step, or nothing. The outcome comes last, because Redis does not roll back when a command of a script fails: the
-- commands before it are repeated with the next delivery, and each is idempotent.
local refused = refusal()
if refused then return refused end
for i = 1, #jobs do
  local job = jobs[i]
  addPlain(job.base, job.jobId, job.data, jobOptions, nowMs, job.atHead)
end
applyToRuns()
writeOutcome()
return { "committed", finishes and finishAndTake(token, true) or nil }
