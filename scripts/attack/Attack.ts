import { readdirSync, readFileSync } from "node:fs"
import { Effect, Schema, type Scope } from "effect"
import { run, type Serving, serve } from "../../test/support/Process.ts"

/** A server process with a folder of its own, as an attacker meets it. */
export interface Target {
  readonly server: Serving
  /** The URL of the operator's listener. */
  readonly admin: string
  readonly directory: string
}

/** How an attack ended: what was measured, and whether the service withstood it. */
export interface Outcome {
  readonly figure: string
  readonly isDefended: boolean
}

export interface Attack {
  readonly name: string
  readonly run: (target: Target) => Effect.Effect<Outcome, never, Scope.Scope>
}

/** Starts a server with the limits that it has by default. */
export const startTarget = Effect.fnUntraced(function* (directory: string) {
  const server = yield* serve(directory, { ADMIN_PORT: "0", KEY_REQUESTS_PER_SECOND: "1000" })
  const admin = /"admin_url":"([^"]+)"/.exec(server.stderr())?.[1]
  if (admin === undefined) return yield* Effect.die("The server names no admin_url")
  return { server, admin, directory } satisfies Target
})

export const descriptorsOf = ({ server }: Target) => readdirSync(`/proc/${server.process.pid}/fd`).length

/** The memory that the server uses, in MB. */
export const memoryOf = ({ server }: Target) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))?.[1]) / 1024

export const sample =
  '{"emails_sent":5000,"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25}'

/** What was answered. Nothing was, where the status is 0. */
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
}

/** Sends a request on its own or a kept connection. */
export const send = (url: string, { body, key, method, type = "application/json" }: Sent = {}) =>
  Effect.promise(async (): Promise<Reply> => {
    const started = performance.now()
    try {
      const answer = await fetch(url, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: { ...(key && { "x-api-key": key }), ...(body !== undefined && { "content-type": type }) },
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
        signal: AbortSignal.timeout(10_000)
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, millis: performance.now() - started }
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
