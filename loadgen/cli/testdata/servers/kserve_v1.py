"""KServe's own model server with one small model, for tests.

    kserve_v1.py MODEL

It loads everything, then waits for a line on standard input with the port to
listen at on 127.0.0.1, 0 for a free one, and answers with a line that has the
port. It ends when its standard input ends, and so with whoever started it.
"""

import os
import socket
import sys
import threading

from kserve import Model, ModelServer, model_server


class Sum(Model):
    """Adds up each instance, a list of numbers."""

    def __init__(self, name):
        super().__init__(name)
        self.ready = True

    def predict(self, payload, headers=None):
        return {"predictions": [sum(row) for row in payload["instances"]]}


class OnSocket(model_server.RESTServer):
    """The REST server, which by itself listens at 0.0.0.0."""

    async def start(self):
        self.create_application()
        await self._server.serve(sockets=[listener])


def end_with_stdin():
    sys.stdin.read()
    os._exit(0)


name = sys.argv[1]
model_server.RESTServer = OnSocket
server = ModelServer(enable_grpc=False)
listener = socket.create_server(("127.0.0.1", int(sys.stdin.readline())))
print(listener.getsockname()[1], flush=True)
os.dup2(2, 1)  # whatever is printed from here on is the log
threading.Thread(target=end_with_stdin, daemon=True).start()
server.start([Sum(name)])
