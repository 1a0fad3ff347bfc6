-- Forgets a table, but for the players' notes of it.
-- KEYS deadlines, listings, wants, unfinished, finished, then all keys of the table alone
-- ARGV table
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('SREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[5], ARGV[1])
for i = 6, #KEYS do
  redis.call('DEL', KEYS[i])
end
