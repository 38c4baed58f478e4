-- Puts the job of a message that nobody holds back into its queue. Where its hash was deleted too, an empty one takes its
-- place: the agent that takes it finds the bytes elsewhere or makes a case. What is held by anything is left alone.
-- KEYS: 1 job, 2 lock, 3 wait, 4 active, 5 paused, 6 delayed, 7 prioritized, 8 failed, 9 marker   ARGV: 1 job id, 2 now in ms
-- Reply: 1 put back | 0 something holds it, or it has ended
if redis.call("EXISTS", KEYS[2]) == 1 or redis.call("HEXISTS", KEYS[1], "finishedOn") == 1 then return 0 end
for place = 3, 5 do
  if redis.call("LPOS", KEYS[place], ARGV[1]) then return 0 end
end
for place = 6, 8 do
  if redis.call("ZSCORE", KEYS[place], ARGV[1]) then return 0 end
end
redis.call("LPUSH", KEYS[3], ARGV[1])
if redis.call("EXISTS", KEYS[1]) == 0 then
  redis.call("HSET", KEYS[1], "name", "handoff", "data", "{}", "opts", "{}", "timestamp", ARGV[2], "delay", 0, "priority", 0)
end
redis.call("ZADD", KEYS[9], 0, "0")
return 1
