import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schema, type Scope } from "effect"
import { run, type Serving, serve } from "../../test/support/Process.ts"
import { pause } from "../../test/support/Sockets.ts"
import { openSqlite } from "../../test/support/SqliteFile.ts"

/** A server process under attack, with a folder of its own. */
export interface Target {
  readonly server: Serving
  /** The URL of the operator's listener. */
  readonly admin: string
  readonly directory: string
}

/** The result of an attack: the figures measured, and whether the service withstood it. */
export interface Outcome {
  readonly figure: string
  readonly isDefended: boolean
  /** Set if the attack cannot be run on this machine. */
  readonly isSkipped?: boolean
}

export interface Attack {
  readonly name: string
  /** The environment of its server, if it has one of its own. */
  readonly env?: Readonly<Record<string, string>>
  readonly run: (target: Target) => Effect.Effect<Outcome, never, Scope.Scope>
}

/** Starts a server with its default limits or with other variables; `under` is a command that runs it. */
export const startTarget = Effect.fnUntraced(function* (
  directory: string,
  env: Readonly<Record<string, string>> = {},
  under: ReadonlyArray<string> = []
) {
  const server = yield* serve(directory, { ADMIN_PORT: "0", KEY_REQUESTS_PER_SECOND: "1000", ...env }, under)
  const admin = /"admin_url":"([^"]+)"/.exec(server.stderr())?.[1]
  if (admin === undefined) return yield* Effect.die("The server logged no admin_url")
  return { server, admin, directory } satisfies Target
})

export const dataOf = ({ directory }: Pick<Target, "directory">) => join(directory, "data")

export const databaseOf = (target: Pick<Target, "directory">) => join(dataOf(target), "outreach-forecast.db")

/** All files in a folder and its subfolders. */
export const filesBelow = (directory: string): ReadonlyArray<string> =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []

/** The result of a query on the database, while the service runs. */
export const query = (target: Pick<Target, "directory">, sql: string) => {
  const database = openSqlite(databaseOf(target), { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

/** The first value in the result of a query. */
export const valueOf = (target: Pick<Target, "directory">, sql: string) => Object.values(query(target, sql)[0] ?? {})[0]

/** Changes the database while the service runs. */
export const change = (target: Pick<Target, "directory">, sql: string) => {
  const database = openSqlite(databaseOf(target))
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}

/**
 * The number of transactions in the write-ahead log of the database, read by its file format
 * (sqlite.org/walformat.html).
 */
export const commitsOf = (target: Target): number => {
  const log = readFileSync(`${databaseOf(target)}-wal`)
  if (log.length < 32) return 0
  const salts = log.subarray(16, 24)
  const frame = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frame <= log.length && log.subarray(at + 8, at + 16).equals(salts); at += frame)
    if (log.readUInt32BE(at + 4) !== 0) commits++
  return commits
}

export const descriptorsOf = ({ server }: Target) => readdirSync(`/proc/${server.process.pid}/fd`).length

/** The memory that the server uses, in MB. */
export const memoryOf = ({ server }: Target) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))?.[1]) / 1024

/** The processor time of the server's main thread so far, in milliseconds. */
export const processorMillisOf = ({ server }: Target) =>
  Number(readFileSync(`/proc/${server.process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6

export const sample =
  '{"emails_sent":5000,"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25}'

/** A response; status 0 means that there was none. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly millis: number
}

export interface Sent {
  readonly method?: string
  readonly key?: string
  readonly body?: string
  readonly type?: string
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The timeout, in milliseconds. */
  readonly timeout?: number
}

/** Sends a request over a new or a kept connection. */
export const send = (
  url: string,
  { body, headers, idempotencyKey, key, method, timeout = 10_000, type = "application/json" }: Sent = {}
) =>
  Effect.promise(async (): Promise<Reply> => {
    const started = performance.now()
    try {
      const response = await fetch(url, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...(key && { "x-api-key": key }),
          ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
          ...(body !== undefined && { "content-type": type }),
          ...headers
        },
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
        signal: AbortSignal.timeout(timeout)
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, millis: performance.now() - started }
    } catch {
      return { status: 0, headers: new Headers(), text: "", millis: performance.now() - started }
    }
  })

export const forecast = ({ server }: Target, key = "demo", body = sample) =>
  send(`${server.url}/api/v1/forecast`, { key, body })

export const countOf = (replies: ReadonlyArray<Reply>, status: number) =>
  replies.filter((reply) => reply.status === status).length

const Issued = Schema.fromJsonString(Schema.Struct({ api_key: Schema.String }))

/** Issues a key as the operator does. */
export const issueKey = Effect.fnUntraced(function* (
  { directory }: Pick<Target, "directory">,
  name: string,
  credits = 5000
) {
  const args = ["--name", name, "--email", `${name}@honest.example`, "--company", "Honest", "--credits", `${credits}`]
  const { code, stderr, stdout } = yield* run(directory, ["keys", "issue", "--json", ...args])
  if (code !== 0) return yield* Effect.die(`keys issue ended with ${code}: ${stderr}`)
  return Schema.decodeUnknownSync(Issued)(stdout).api_key
})

/** Waits until a condition holds, for at most this many milliseconds. Returns whether it does. */
export const within = Effect.fnUntraced(function* (millis: number, holds: () => boolean) {
  const started = performance.now()
  while (!holds() && performance.now() - started < millis) yield* pause(50)
  return holds()
})
