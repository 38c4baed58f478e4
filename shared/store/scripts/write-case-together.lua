-- Writes one change of a case where one Redis holds every slot: the case, its jobs and the changes of runs, in one
-- step, or nothing. The case comes last, because Redis does not roll back when a command of a script fails: the
-- commands before it are repeated with the next attempt, and each is idempotent.
local refused = caseRefusal()
if refused then return refused end
for _, job in ipairs(jobs) do addPlain(job.base, job.jobId, job.data, jobOptions, nowMs, job.atHead) end
applyToRuns()
local reply = writeCase()
if finishes then reply[3] = finishAndTake(token, true) end
return reply
