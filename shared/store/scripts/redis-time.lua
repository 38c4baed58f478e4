-- Part of other scripts: Redis time in ms. A sender's clock may be wrong by hours.
local function redisNowMs()
  local time = redis.call("TIME")
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
