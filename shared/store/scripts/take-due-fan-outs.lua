-- Takes fan-outs that are to be looked at now, so that no other process looks at them at the same time.
-- KEYS: 1 the agent's fan-outs   ARGV: 1 now in ms, 2 when others may take them, in ms, 3 how many at most   Reply: their ids
local ids = redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", ARGV[1], "LIMIT", 0, ARGV[3])
for _, id in ipairs(ids) do redis.call("ZADD", KEYS[1], ARGV[2], id) end
return ids
