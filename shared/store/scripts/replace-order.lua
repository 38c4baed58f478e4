-- Writes an order in the place of the one that was read, unless another one was written meanwhile.
-- KEYS: 1 orders   ARGV: 1 what it is about, 2 the order that was read or "", 3 the next one
if (redis.call("HGET", KEYS[1], ARGV[1]) or "") == ARGV[2] then redis.call("HSET", KEYS[1], ARGV[1], ARGV[3]) end
return false
