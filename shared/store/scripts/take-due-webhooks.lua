-- Leases runs whose webhooks are due, so that one gateway at a time serves them.
local runs = redis.call("ZRANGEBYSCORE", due, "-inf", nowMs, "LIMIT", 0, limit)
for _, id in ipairs(runs) do redis.call("ZADD", due, nowMs + leaseMs, id) end
return runs
