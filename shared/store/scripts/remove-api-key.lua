-- Removes an API key by its name.   KEYS: as `add-api-key.lua`   ARGV: 1 name   Reply: 1 when there was one
local digest = redis.call("HGET", KEYS[2], ARGV[1])
if not digest then return 0 end
redis.call("HDEL", KEYS[1], digest)
redis.call("HDEL", KEYS[2], ARGV[1])
redis.call("INCR", KEYS[3])
return 1
