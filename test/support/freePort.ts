import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/** A free port below 32768, where the ports of outgoing connections begin. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(10_000, 32_768)
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
