"""KServe's own model server with two small models, for tests.

"sum" adds up each instance; "late" would, but is not ready.

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
    def __init__(self, name):
        super().__init__(name)
        self.ready = True

    def predict(self, payload, headers=None):
        return {"predictions": [sum(row) for row in payload["instances"]]}


class OnSocket(model_server.RESTServer):
    """The REST server, which by itself listens at 0.0.0.0."""

    async def start(self):
        self.create_application()
        models[1].ready = False  # only ready ones are taken before
        await self._server.serve(sockets=[listener])


def listen(port):
    # asyncio sets TCP_NODELAY only on sockets that name their protocol. Without
    # it most answers would wait 40 ms for the client's delayed ACK.
    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("127.0.0.1", port))
    s.listen()
    return s


def end_with_stdin():
    sys.stdin.read()
    os._exit(0)


model_server.RESTServer = OnSocket
models = [Sum("sum"), Sum("late")]
server = ModelServer(enable_grpc=False)
listener = listen(int(sys.stdin.readline()))
print(listener.getsockname()[1], flush=True)
os.dup2(2, 1)  # whatever is printed from here on is the log
threading.Thread(target=end_with_stdin, daemon=True).start()
server.start(models)
