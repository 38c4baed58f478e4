-- Leases what is due.
local ids = redis.call("ZRANGEBYSCORE", due, "-inf", nowMs, "LIMIT", 0, limit)
for _, id in ipairs(ids) do redis.call("ZADD", due, nowMs + leaseMs, id) end
return ids
