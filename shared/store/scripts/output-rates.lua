-- Part of other scripts: counts outputs of producers and results of handoffs by minute and by hour.
local SPANS = { { name = "m:", ms = 60000, lifeMs = 65 * 60000 }, { name = "h:", ms = 3600000, lifeMs = 49 * 3600000 } }

-- Fields beyond the limit are summed in the overflow field of their prefix, so that sums stay exact and no key grows
-- without limit.
local function countBySpan(name, rowsMax, field, count)
  for _, span in ipairs(SPANS) do
    local key, place = feedbackBase .. name .. span.name .. math.floor(nowMs / span.ms), field
    if redis.call("HEXISTS", key, place) == 0 and redis.call("HLEN", key) >= rowsMax then
      place = string.sub(field, 1, 2) .. "others"
    end
    redis.call("HINCRBY", key, place, count)
    redis.call("PEXPIRE", key, span.lifeMs)
  end
end

-- Doubled limit: good and malformed outputs of each producer.
local function countRate(side, producer, count)
  countBySpan("rates:", 2 * producersMax, side .. "|" .. producer, count)
end
