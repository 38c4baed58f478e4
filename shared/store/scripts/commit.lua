-- The fenced commit: the outcome and its effects, in one step, or nothing. The outcome comes last, because Redis does not
-- roll back when a command of a script fails.
local refused = refusal()
if refused then return refused end
-- Held branches are written before, in pages, and expire; without all of them the fan-out would never end.
if opening and opening.held > 0 and redis.call("EXISTS", opening.key) == 0
  and redis.call("HLEN", opening.staged) ~= opening.held then return { "lost" } end
if opening then openFanOut() end
applyEffects()
writeOutcome()
return { "committed", finishes and finishAndTake(token, true) or nil }
