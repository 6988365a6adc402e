import { createServer } from "node:http"
import type { TestProject } from "vitest/node"
import { type PostgresServer, startPostgres } from "./PostgresServer.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** A URL that responds with the URL of the run's Postgres server, which it starts on the first request. */
    readonly postgres: string
  }
}

let server: Promise<PostgresServer> | undefined

/** The URL of the server in DATABASE_URL_TEST, otherwise of one that is started on the first call. */
const url = async () => {
  const given = process.env["DATABASE_URL_TEST"] ?? ""
  if (given !== "") return given
  server ??= startPostgres()
  return (await server).url
}

const broker = createServer((_request, response) => {
  url().then(
    (text) => response.end(text),
    (error: unknown) => response.writeHead(500).end(String(error))
  )
})

/** Provides one Postgres server for a test run, started by the first test that needs it. */
export const setup = async (project: TestProject): Promise<void> => {
  await new Promise<void>((resolve) => broker.listen(0, "127.0.0.1", resolve))
  const address = broker.address()
  if (address === null || typeof address === "string") throw new Error("No port")
  project.provide("postgres", `http://127.0.0.1:${address.port}`)
}

export const teardown = async (): Promise<void> => {
  broker.closeAllConnections()
  broker.close()
  await server?.then(
    ({ stop }) => stop(),
    () => {}
  )
}
