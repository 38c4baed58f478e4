-- Reads a page of the failed set, with the fields of each job. Stops early where the page becomes large. Ids are any
-- bytes, so those to go on behind come and go in hexadecimal.
local function toHex(id)
  return (string.gsub(id, ".", function(char) return string.format("%02x", string.byte(char)) end))
end
local function fromHex(hex)
  return (string.gsub(hex, "..", function(digits) return string.char(tonumber(digits, 16)) end))
end
local start = 0
if fromScore then
  -- After the last job that was read; where jobs have left the set meanwhile, after the last one that is still there.
  start = redis.call("ZCOUNT", failed, "-inf", "(" .. fromScore)
  for i = #after, 1, -1 do
    local id = fromHex(after[i])
    if redis.call("ZSCORE", failed, id) == fromScore then
      start = redis.call("ZRANK", failed, id) + 1
      break
    end
  end
end
local members = redis.call("ZRANGE", failed, start, start + count - 1, "WITHSCORES")
local page, bytes = {}, 0
for i = 1, #members, 2 do
  if tonumber(members[i + 1]) > tonumber(toScore) then break end
  local key = prefix .. members[i]
  local keyType = redis.call("TYPE", key).ok
  local size, fields = 0, {}
  if keyType == "hash" then
    size = redis.call("HSTRLEN", key, "data")
    fields = redis.call(
      "HMGET", key, "opts", "parent", "name", "failedReason", "stacktrace", "deid", "atm", "ats", "timestamp"
    )
  end
  local data, version = false, ""
  if size > 0 and size <= dataBytesMax then
    data = redis.call("HGET", key, "data")
    version = redis.sha1hex(data)
  end
  local row = { members[i], toHex(members[i]), members[i + 1], keyType, size, data, version }
  for n = 1, 9 do
    local field = fields[n]
    -- Options and parent are JSON that is read; the others are shown.
    row[#row + 1] = field and string.sub(field, 1, n <= 2 and dataBytesMax or fieldBytesMax) or false
    bytes = bytes + (field and #field or 0)
  end
  page[#page + 1] = row
  bytes = bytes + #(data or "") + #members[i]
  if bytes >= pageBytesMax then break end
end
return page
