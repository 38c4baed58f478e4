-- The fenced commit: outcome and outbox in one step, or nothing.
-- KEYS: 1 ledger, 2 job lock, 3 cancelled mark of the run, 4 outbox
-- ARGV: 1 to 7 as `refusal` and `writeOutcome` have them, 8 outbox entry id or "", 9 outbox entry
-- Reply: {1} committed | as `refusal`
local refused = refusal()
if refused then return refused end
if ARGV[8] ~= "" then redis.call("HSET", KEYS[4], ARGV[8], ARGV[9]) end
writeOutcome()
return {1}
