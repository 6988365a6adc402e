import { createServer } from "node:http"

/**
 * Starts an OTLP collector over HTTP that accepts everything and discards it, for as long as this process runs. Returns
 * its URL.
 */
export const startCollector = () =>
  new Promise<string>((resolve) => {
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.end("{}"))
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.unref()
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`)
    })
  })
