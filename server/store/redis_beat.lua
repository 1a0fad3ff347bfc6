-- A sign of life of a connection at a table.
-- KEYS connections, seen
-- ARGV connection, time, player ('' for a spectator), ms that a sign of life counts, ms to remember who was here
local expired = tonumber(ARGV[2]) - tonumber(ARGV[4])
if redis.call('HLEN', KEYS[1]) % 8 == 7 then
  -- Connections that died without a word would pile up at a table that others keep alive.
  local all = redis.call('HGETALL', KEYS[1])
  for i = 1, #all, 2 do
    if tonumber(string.match(all[i + 1], '^%d+')) <= expired then
      redis.call('HDEL', KEYS[1], all[i])
    end
  end
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
-- The player '' stands for anybody.
redis.call('HSET', KEYS[2], '', ARGV[2], ARGV[3], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[5])
