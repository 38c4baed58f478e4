-- Takes runs whose records have reached their age out of the lists, oldest first. The counts stay: they are of all time.
-- KEYS: 1 index of all runs, 2 index of one ended status, or of one tenant
-- ARGV: 1 prefix of a run's key, 2 created before, in ms, 3 how many of the oldest to pass over, 4 how many to look at
-- Reply: {looked at, forgotten}
local ids = redis.call("ZRANGEBYSCORE", KEYS[2], "-inf", ARGV[2], "LIMIT", ARGV[3], ARGV[4])
local forgotten = 0
for _, id in ipairs(ids) do
  if redis.call("EXISTS", ARGV[1] .. id) == 0 then
    redis.call("ZREM", KEYS[1], id)
    redis.call("ZREM", KEYS[2], id)
    forgotten = forgotten + 1
  end
end
return {#ids, forgotten}
