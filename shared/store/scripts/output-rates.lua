-- Part of other scripts: counts by minute and by hour what producers make and how handoffs end.
local SPANS = { { name = "m:", ms = 60000, lifeMs = 65 * 60000 }, { name = "h:", ms = 3600000, lifeMs = 49 * 3600000 } }

-- One field too many is counted among the others of its side, which is its first message, so that sums stay true and no
-- key grows without end.
local function countBySpan(name, rowsMax, field, count)
  for _, span in ipairs(SPANS) do
    local key, place = wardBase .. name .. span.name .. math.floor(nowMs / span.ms), field
    if redis.call("HEXISTS", key, place) == 0 and redis.call("HLEN", key) >= rowsMax then
      place = string.sub(field, 1, 2) .. "others"
    end
    redis.call("HINCRBY", key, place, count)
    redis.call("PEXPIRE", key, span.lifeMs)
  end
end

-- Both sides of each producer.
local function countRate(side, producer, count)
  countBySpan("rates:", 2 * producersMax, side .. "|" .. producer, count)
end
