-- Deletes old claims whose runs have ended, and moves those of open runs to the end of the index. A claim that was
-- written again meanwhile is newer than the cutoff and stays.
local now = redisNowMs()
local forgotten = 0
for _, claim in ipairs(claims) do
  local written = redis.call("ZSCORE", index, claim.key)
  if written and tonumber(written) <= cutoffMs then
    if claim.goesOn then
      redis.call("ZADD", index, now, claim.key)
    else
      redis.call("DEL", claim.key)
      redis.call("ZREM", index, claim.key)
      forgotten = forgotten + 1
    end
  end
end
return forgotten
