-- Part of other scripts: adds a numbered line to the ward's audit, so that a deleted line leaves a gap.
-- Returns the line with its number, which is put first into the JSON text without parsing it.
local function pushAudit(key, line, most)
  local number = redis.call("INCR", key .. "-seq")
  local numbered = '{"seq":' .. string.format("%d", number) .. "," .. string.sub(line, 2)
  if redis.call("LPUSH", key, numbered) > most then redis.call("LTRIM", key, 0, most - 1) end
  return numbered
end
