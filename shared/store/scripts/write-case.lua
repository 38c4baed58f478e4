-- Writes one change of a case with its effects, in one step, or nothing. The case comes last, because Redis does not roll
-- back when a command of a script fails.
local refused = caseRefusal()
if refused then return refused end
if entry and not redis.call("LPOS", inbox, entry) then return { "gone" } end
applyEffects()
local reply = writeCase()
if entry then redis.call("LREM", inbox, 1, entry) end
if finishes then reply[3] = finishAndTake(token, true) end
return reply
