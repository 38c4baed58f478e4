-- Runs several calls of the script that stands before, each as if it were alone: an error of one is its reply. Redis is
-- sent, of each call, how many keys and arguments it has, and its arguments.
local replies, from, at, keyOf, argOf, calls = {}, 0, 1, KEYS, ARGV, 0
local count = #argOf
while at <= count do
  local keys, args = { unpack(keyOf, from + 1, from + KEYS_NAMED) }, {}
  local keyCount, argCount = tonumber(argOf[at]), tonumber(argOf[at + 1])
  for i = 1, argCount do args[i] = argOf[at + 1 + i] end
  from, at, calls = from + keyCount, at + 2 + argCount, calls + 1
  local isDone, reply = pcall(call, keys, args)
  if not isDone and type(reply) ~= "table" then reply = redis.error_reply(reply) end
  replies[calls] = reply or false
end
return replies
