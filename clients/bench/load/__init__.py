"""The load on a server: many tables in one process, without the client library, so that the server is the limit."""
