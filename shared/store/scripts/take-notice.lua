-- Takes a notice that is due for one receiver. Nobody else takes it before the lease is over.
-- KEYS: 1 when each is due, 2 the notices   ARGV: 1 now in ms, 2 lease in ms
-- Reply: {id, notice} | {}
for _, id in ipairs(redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", ARGV[1], "LIMIT", 0, 10)) do
  local held = redis.call("HGET", KEYS[2], id)
  if held then
    redis.call("ZADD", KEYS[1], tonumber(ARGV[1]) + tonumber(ARGV[2]), id)
    return { id, held }
  end
  redis.call("ZREM", KEYS[1], id)
end
return {}
