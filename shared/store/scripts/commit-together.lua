-- The fenced commit: the outcome and its effects, in one step, or nothing. The outcome comes last, because Redis does not
-- roll back when a command of a script fails.
local refused = refusal()
if refused then return refused end
applyEffects()
writeOutcome()
return { "committed", finishes and finishAndTake(token, true) or nil }
