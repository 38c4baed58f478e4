-- Frees a model slot, and records its result.
local mine = slotField(jobId)
if redis.call("HGET", slots, mine) == token then redis.call("HDEL", slots, mine) end
if outcome == "recipe" then redis.call("HDEL", slots, "no_recipe", "rest_ms", "rest_why") end
if outcome == "no_recipe" then redis.call("HSET", slots, "no_recipe", "1") end
if outcome == "rest" then redis.call("HSET", slots, "rest_ms", restsUntilMs, "rest_why", why) end
redis.call("PEXPIRE", slots, lifeMs)
