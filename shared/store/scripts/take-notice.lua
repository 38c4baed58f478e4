-- Leases a notice that is due for one receiver.
for _, id in ipairs(redis.call("ZRANGEBYSCORE", due, "-inf", nowMs, "LIMIT", 0, 10)) do
  local notice = redis.call("HGET", held, id)
  if notice then
    redis.call("ZADD", due, nowMs + leaseMs, id)
    return { id, notice }
  end
  redis.call("ZREM", due, id)
end
return nil
