-- Reads a page of the failed set by score, with the fields of each job. Stops early where the page becomes large.
local members = redis.call("ZRANGEBYSCORE", failed, fromScore, toScore, "WITHSCORES", "LIMIT", skip, count)
local page, bytes = {}, 0
for i = 1, #members, 2 do
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
