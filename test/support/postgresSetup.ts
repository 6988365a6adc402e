import { createServer } from "node:http"
import type { TestProject } from "vitest/node"
import { type PostgresServer, startPostgres } from "./PostgresServer.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the URL of the run's Postgres server, and starts that server when first asked. */
    readonly postgres: string
  }
}

let server: Promise<PostgresServer> | undefined

/** The server of DATABASE_URL_TEST, or else one that is started now. */
const url = async () => {
  const given = process.env["DATABASE_URL_TEST"] ?? ""
  if (given !== "") return given
  server ??= startPostgres()
  return (await server).url
}

const desk = createServer((_request, response) => {
  url().then(
    (text) => response.end(text),
    (error: unknown) => response.writeHead(500).end(String(error))
  )
})

/** One Postgres server for a run of the tests, started by the first test that wants it. */
export const setup = async (project: TestProject): Promise<void> => {
  await new Promise<void>((resolve) => desk.listen(0, "127.0.0.1", resolve))
  const address = desk.address()
  if (address === null || typeof address === "string") throw new Error("No port")
  project.provide("postgres", `http://127.0.0.1:${address.port}`)
}

export const teardown = async (): Promise<void> => {
  desk.closeAllConnections()
  desk.close()
  await server?.then(
    ({ stop }) => stop(),
    () => {}
  )
}
