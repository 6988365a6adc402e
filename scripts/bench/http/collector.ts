import { createServer } from "node:http"

/** A collector for OTLP over HTTP that takes what it is sent and throws it away, while this process lives. */
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
