import { connect } from "node:net"
import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Predicate, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { AdminServer } from "../../src/health/AdminHttp.ts"
import { Draining } from "../../src/http/server/Draining.ts"
import * as Servers from "../../src/Servers.ts"
import * as MailLinks from "../../src/MailLinks.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { makeNewSecret } from "../../src/keys/KeySecret.ts"
import { Credits } from "../../src/credits/Credits.ts"
import type { KeyId } from "../../src/KeyId.ts"
import { application, type ApplicationOptions } from "./Application.ts"
import { checkResponse } from "./Contract.ts"
import { sample } from "./Samples.ts"

/** The real server, which does not wait for requests on their way when it stops: a test has none. */
export const server = Servers.layerNoDeps.pipe(
  Layer.provideMerge(Draining.layerWith(0)),
  Layer.provideMerge(Servers.listening)
)

/** The real server on a free port over a database in memory, with the services for tests to inspect. */
export const httpApplication = (options: ApplicationOptions = {}) =>
  server.pipe(Layer.provideMerge(application(options)))

/** Like `httpApplication`, with the links from emails; requests come through a trusted proxy. */
export const accessApplication = ({ env, ...options }: ApplicationOptions = {}) =>
  MailLinks.layer("https://forecast.example").pipe(
    Layer.provideMerge(httpApplication({ ...options, env: { TRUSTED_PROXIES: "127.0.0.1", ...env } }))
  )

/** The problem document of a response that is not 2xx. */
export const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.String,
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
  request_id: Schema.String,
  errors: Schema.optionalKey(
    Schema.Array(Schema.Struct({ pointer: Schema.String, message: Schema.String, code: Schema.String }))
  )
})

const decodeProblem = Schema.decodeUnknownSync(Problem, { onExcessProperty: "error" })

export class ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(status: number, headers: Headers, text: string) {
    this.status = status
    this.headers = headers
    this.text = text
  }

  get json(): Readonly<Record<string, unknown>> {
    const value: unknown = JSON.parse(this.text)
    if (!Predicate.isObject(value)) throw new Error(`The response is not a JSON object: ${this.text}`)
    return { ...value }
  }

  get problem() {
    return decodeProblem(this.json)
  }
}

export const baseUrl = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))

/** Sends a request to the server of the test. Dies if the response does not conform to the OpenAPI document. */
export const send = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const base = yield* baseUrl
  return yield* Effect.promise(async () => {
    const response = await fetch(`${base}${path}`, { redirect: "manual", ...init })
    const answer = new ServiceResponse(response.status, response.headers, await response.text())
    checkResponse(init.method ?? "GET", path, answer)
    return answer
  })
})

/** Sends a request to the operator's listener; the test must set ADMIN_PORT. */
export const sendAdmin = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const { url } = yield* AdminServer
  return yield* Effect.promise(async () => {
    const response = await fetch(`${Option.getOrThrow(url)}${path}`, init)
    return new ServiceResponse(response.status, response.headers, await response.text())
  })
})

/** Posts a JSON text with a key. */
export const post = (
  path: string,
  options: {
    readonly key?: string | undefined
    readonly body?: string | undefined
    readonly headers?: Record<string, string>
  }
) =>
  send(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(options.key === undefined ? {} : { "x-api-key": options.key }),
      ...options.headers
    },
    body: options.body ?? JSON.stringify(sample)
  })

/** Writes raw bytes to the server, and returns everything that it sent until it closed the connection. */
export const sendRaw = Effect.fnUntraced(function* (text: string) {
  const { address } = yield* HttpServer.HttpServer
  if (NetAddress.isUnixPathAddress(address)) return yield* Effect.die("The server has no port")
  return yield* Effect.callback<string>((resume) => {
    const socket = connect(address.port, "127.0.0.1", () => socket.write(text))
    let response = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk: string) => {
      response += chunk
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(response)))
    return Effect.sync(() => socket.destroy())
  })
})

/** A key in the right format that does not exist. */
export const unknownKey = makeNewSecret("test").pipe(
  Effect.flatten,
  Effect.map(Redacted.value),
  Effect.provide(SecureRandom.layerWebCrypto)
)

let owners = 0

/** Issues a key with credits, each to a different owner. */
export const issueKey = Effect.fnUntraced(function* (credits: number = 100) {
  const apiKeys = yield* ApiKeys
  const name = `owner${++owners}`
  const { key, secret } = yield* apiKeys.issue({ name, email: `${name}@example.com`, company: "Example" }, credits)
  return { id: key.id, key, secret: Redacted.value(secret) }
})

/** Runs an effect that must not charge the key. */
export const free = <A, E, R>(keyId: KeyId, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const credits = yield* Credits
    const before = yield* credits.history(keyId, 100)
    const result = yield* effect
    assert.deepStrictEqual(yield* credits.history(keyId, 100), before)
    return result
  })

let clients = 0

/** The address of a different client each time, for a trusted proxy. */
export const newClient = () => {
  clients++
  return `198.18.${clients >> 8}.${clients & 255}`
}

/** Submits a form, each time as a different client behind a trusted proxy. */
export const submitForm = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(path, {
    method: "POST",
    headers: { "x-forwarded-for": newClient(), ...headers },
    body: new URLSearchParams(fields)
  })
