"""The server: tables, connections, stores, HTTP and WebSocket.

`server.table` decides what happens at a table and who sees what of it, without any I/O. `server.store` keeps the logs.
`server.hub` joins tables, players and connections. `server.web` speaks HTTP and WebSocket. Only `server.store`,
`server.hub`, `server.web`, `server.house` and `server.commands` touch asyncio.
"""
