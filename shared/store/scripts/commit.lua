-- The fenced commit: writes the outcome and its outbox entry in one step, or nothing.
local refused = refusal()
if refused then return refused end
if entryId then redis.call("HSET", outbox, entryId, entry) end
writeOutcome()
return { "committed" }
