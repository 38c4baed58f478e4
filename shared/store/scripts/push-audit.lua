-- Part of other scripts: adds a line to the ward's audit, numbered, so that a line that is taken out leaves a gap.
-- Returns the line with its number. It goes first into the JSON text, which is not read for that.
local function pushAudit(key, line, most)
  local number = redis.call("INCR", key .. "-seq")
  local numbered = '{"seq":' .. string.format("%d", number) .. "," .. string.sub(line, 2)
  if redis.call("LPUSH", key, numbered) > most then redis.call("LTRIM", key, 0, most - 1) end
  return numbered
end
