-- Moves one case of the ward where one Redis holds every slot: the case, the jobs it sets in motion and what runs are told,
-- in one step, or nothing. The case comes last, because Redis takes nothing back when a command of a script fails: what
-- stands before it is done again with the next try, and every part of it is idempotent.
-- KEYS: 1 to 6 as `apply-case.lua`, 7 counts of runs, 8 index of all runs
-- ARGV: as `apply-case.lua`; then options of jobs, nine that `finishAndTake` reads, or "" to end the job another time,
--       number of jobs, then for each base of its queue's keys, job id, data, "1" for the head of the queue; then what
--       `applyToRuns` reads
-- Reply: as `writeCase`, and third the reply of `finishAndTake` | as `caseRefusal`
local refused = caseRefusal()
if refused then return refused end
local options, ticket = ARGV[afterCase()], afterCase() + 1
local at = ticket + 10
for _ = 1, tonumber(ARGV[ticket + 9]) do
  addPlain(ARGV[at], ARGV[at + 1], ARGV[at + 2], options, ARGV[4], ARGV[at + 3])
  at = at + 4
end
applyToRuns(KEYS[7], KEYS[8], at)
local reply = writeCase()
if ARGV[ticket] ~= "" then reply[3] = finishAndTake(ticket, ARGV[7], true) end
return reply
