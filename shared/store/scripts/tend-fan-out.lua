-- Notes what was seen of branches that have not come back, and lets the fan-out go on.
-- KEYS: 1 fan-out, 2 branches that wait, 3 the agent's fan-outs, 4 the agent's outbox
-- ARGV: 1 fan-out id, 2 id of the outbox entry, 3 now in ms, 4 why it has to fire now, or "", 5 when to look again, in ms,
--       then for each branch: its number, "s" under way, "p" in the ward, "f" failed for good, failure or ""
-- Reply: as `advance`
if redis.call("EXISTS", KEYS[1]) == 0 then return "" end
redis.call("ZADD", KEYS[3], ARGV[5], ARGV[1])
for at = 6, #ARGV, 3 do
  local field, seen = "b:" .. ARGV[at], ARGV[at + 1]
  local before = redis.call("HGET", KEYS[1], field)
  -- What has come back meanwhile stands, and so does what was given up.
  if before ~= seen and (before == "s" or before == "p") then
    redis.call("HSET", KEYS[1], field, seen)
    if before == "s" then redis.call("HINCRBY", KEYS[1], "under_way", -1) end
    if seen == "s" then redis.call("HINCRBY", KEYS[1], "under_way", 1) end
    if seen == "f" then
      redis.call("HINCRBY", KEYS[1], "failed", 1)
      redis.call("HSET", KEYS[1], "x:" .. ARGV[at], ARGV[at + 2])
    end
  end
end
return advance(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
