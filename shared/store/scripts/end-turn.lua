-- Gives a turn back, and says what came of it.
-- KEYS: 1 turns of the group   ARGV: 1 job id, 2 lock token, 3 "recipe" | "barren" | "rest", 4 until when it rests, in ms,
--       5 life of the group's turns in ms, 6 why it rests
-- Reply: 1
if redis.call("HGET", KEYS[1], "h:" .. ARGV[1]) == ARGV[2] then redis.call("HDEL", KEYS[1], "h:" .. ARGV[1]) end
if ARGV[3] == "recipe" then redis.call("HDEL", KEYS[1], "barren", "rest_ms", "rest_why") end
if ARGV[3] == "barren" then redis.call("HSET", KEYS[1], "barren", "1") end
if ARGV[3] == "rest" then redis.call("HSET", KEYS[1], "rest_ms", ARGV[4], "rest_why", ARGV[6]) end
redis.call("PEXPIRE", KEYS[1], ARGV[5])
return 1
