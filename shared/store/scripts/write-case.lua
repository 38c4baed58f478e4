-- Writes one change of a case with its effects, in one step, or nothing. The case comes last, because Redis does not roll
-- back when a command of a script fails.
local refused = caseRefusal()
if refused then return refused end
applyEffects()
local reply = writeCase()
if finishes then reply[3] = finishAndTake(token, true) end
return reply
