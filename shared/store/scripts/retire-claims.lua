-- Forgets old claims whose runs are over, and puts those whose runs go on back to the end of the index. A claim that was
-- written again meanwhile is newer than the cutoff and stays.
-- KEYS: 1 index of the agent's claims, 2.. claims   ARGV: 1 cutoff in ms, 2.. "1" for each claim whose run goes on
-- Reply: how many were forgotten
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local forgotten = 0
for i = 2, #KEYS do
  local written = redis.call("ZSCORE", KEYS[1], KEYS[i])
  if written and tonumber(written) <= tonumber(ARGV[1]) then
    if ARGV[i] == "1" then
      redis.call("ZADD", KEYS[1], now, KEYS[i])
    else
      redis.call("DEL", KEYS[i])
      redis.call("ZREM", KEYS[1], KEYS[i])
      forgotten = forgotten + 1
    end
  end
end
return forgotten
