-- Puts the job of a message that nobody holds back into its queue. Where its hash was deleted too, an empty one takes its
-- place: the agent that takes it finds the bytes elsewhere or makes a case. What is held by anything is left alone.
if redis.call("EXISTS", lock) == 1 or redis.call("HEXISTS", job, "finishedOn") == 1 then return 0 end
for _, list in ipairs({ wait, active, paused }) do
  if redis.call("LPOS", list, jobId) then return 0 end
end
for _, set in ipairs({ delayed, prioritized, failed }) do
  if redis.call("ZSCORE", set, jobId) then return 0 end
end
redis.call("LPUSH", wait, jobId)
if redis.call("EXISTS", job) == 0 then
  redis.call("HSET", job, "name", "handoff", "data", "{}", "opts", "{}", "timestamp", nowMs, "delay", 0, "priority", 0)
end
redis.call("ZADD", marker, 0, "0")
return 1
