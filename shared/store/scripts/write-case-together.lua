-- Moves one case of the ward where one Redis holds every slot: the case, the jobs it sets in motion and what runs are told,
-- in one step, or nothing. The case comes last, because Redis takes nothing back when a command of a script fails: what
-- stands before it is done again with the next try, and every part of it is idempotent.
local refused = caseRefusal()
if refused then return refused end
for _, job in ipairs(jobs) do addPlain(job.base, job.jobId, job.data, jobOptions, nowMs, job.atHead) end
applyToRuns()
local reply = writeCase()
if finishes then reply[3] = finishAndTake(token, true) end
return reply
