-- Leases fan-outs that are due for a check, so that no other process checks them at the same time.
local ids = redis.call("ZRANGEBYSCORE", fanOuts, "-inf", nowMs, "LIMIT", 0, limit)
for _, id in ipairs(ids) do redis.call("ZADD", fanOuts, untilMs, id) end
return ids
