-- Gives a turn back, and says what came of it.
local mine = turnField(jobId)
if redis.call("HGET", turns, mine) == token then redis.call("HDEL", turns, mine) end
if outcome == "recipe" then redis.call("HDEL", turns, "barren", "rest_ms", "rest_why") end
if outcome == "barren" then redis.call("HSET", turns, "barren", "1") end
if outcome == "rest" then redis.call("HSET", turns, "rest_ms", restsUntilMs, "rest_why", why) end
redis.call("PEXPIRE", turns, lifeMs)
