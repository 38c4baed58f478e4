-- Puts the true cost in place of what was reserved and keeps the paid answer, for the surgeon that still holds the job.
-- KEYS: 1 case, 2 spent in this hour, 3 group of the case, 4 spent in this hour for the tenant
-- ARGV: 1 true cost minus reserved, in micro-USD (may be negative), 2 field or "", 3 answer,
--       4 the same for the hour
-- Reply: 1
-- A case that was closed and forgotten meanwhile must not come back as a shell.
local known = redis.call("EXISTS", KEYS[1]) == 1
if known then redis.call("HINCRBY", KEYS[1], "cost_micro", ARGV[1]) end
if redis.call("EXISTS", KEYS[3]) == 1 then redis.call("HINCRBY", KEYS[3], "cost_micro", ARGV[1]) end
for _, key in ipairs({ KEYS[2], KEYS[4] }) do
  if redis.call("EXISTS", key) == 1 then redis.call("INCRBY", key, ARGV[4]) end
end
if known and ARGV[2] ~= "" then redis.call("HSETNX", KEYS[1], ARGV[2], ARGV[3]) end
return 1
