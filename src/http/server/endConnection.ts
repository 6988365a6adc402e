import type { Duplex } from "node:stream"

/** How long a client has to read the last answer and to close its side, in milliseconds. */
const gracePeriod = 1000

/**
 * Ends a connection with `answer` as its last bytes: it is destroyed once both sides are closed, or after a second. What the
 * client still sends is discarded: closing a socket with unread bytes resets it, and the client would lose the answer.
 */
export const endConnection = (socket: Duplex, answer = ""): void => {
  if (socket.destroyed) return
  const timer = setTimeout(() => socket.destroy(), gracePeriod)
  socket.once("close", () => clearTimeout(timer))
  socket.resume()
  socket.end(answer)
}
