-- Reads a page of the failed set, with the fields of each job. Stops early where the page becomes large.
local start = 0
if fromScore then
  -- After the last job that was read; where jobs have left the set meanwhile, after the last one that is still there.
  start = redis.call("ZCOUNT", failed, "-inf", "(" .. fromScore)
  for i = #after, 1, -1 do
    if redis.call("ZSCORE", failed, after[i]) == fromScore then
      start = redis.call("ZRANK", failed, after[i]) + 1
      break
    end
  end
end
local members = redis.call("ZRANGE", failed, start, start + count - 1, "WITHSCORES")
local page, bytes = {}, 0
for i = 1, #members, 2 do
  if tonumber(members[i + 1]) > tonumber(toScore) then break end
  local key = prefix .. members[i]
  local size = redis.call("HSTRLEN", key, "data")
  local fields = redis.call(
    "HMGET", key, "name", "opts", "failedReason", "stacktrace", "parent", "deid", "atm", "ats", "timestamp"
  )
  local data, version = false, ""
  if size > 0 and size <= dataBytesMax then
    data = redis.call("HGET", key, "data")
    version = redis.sha1hex(data)
  end
  local row = { members[i], members[i + 1], size, data, version }
  for n = 1, 9 do
    local field = fields[n]
    row[#row + 1] = field and string.sub(field, 1, fieldBytesMax) or false
    bytes = bytes + (field and #field or 0)
  end
  page[#page + 1] = row
  bytes = bytes + #(data or "")
  if bytes >= pageBytesMax then break end
end
return page
