-- Writes an order in the place of the one that was read, unless another one was written meanwhile.
if (redis.call("HGET", orders, about) or nil) == seen then redis.call("HSET", orders, about, order) end
