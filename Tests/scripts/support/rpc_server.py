"""Calls a function of the database for each POST to /rpc/NAME: the members of the JSON object are its named arguments.

    rpc_server.py PORT_FILE

It does of PostgREST what the example of a producer needs, in the role that the token would name.
"""
import http.server
import json
import sys

import psycopg
from psycopg import sql


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        arguments = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        call = sql.SQL("SELECT {}({})").format(
            sql.Identifier(self.path.removeprefix("/rpc/")),
            sql.SQL(", ").join(sql.SQL("{} => {}").format(sql.Identifier(n), sql.Placeholder(n)) for n in arguments))
        with psycopg.connect(user="authenticator") as connection:
            connection.execute("SET LOCAL ROLE dailymetric_producer")
            connection.execute(call, arguments)
        self.send_response(204 if self.headers["Authorization"] == "Bearer t" else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(str(server.server_port))
server.serve_forever()
