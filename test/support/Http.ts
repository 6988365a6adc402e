import { connect } from "node:net"
import { assert } from "@effect/vitest"
import { Cause, Context, Effect, Inspectable, Layer, Logger, Option, Redacted, References } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { AdminServer } from "../../src/health/AdminHttp.ts"
import { Draining } from "../../src/http/server/Draining.ts"
import * as ConfiguredMailer from "../../src/mail/ConfiguredMailer.ts"
import * as MailWorker from "../../src/mail/MailWorker.ts"
import * as Servers from "../../src/Servers.ts"
import * as MailLinks from "../../src/MailLinks.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { newSecret } from "../../src/keys/KeySecrets.ts"
import { Credits } from "../../src/credits/Credits.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { RequestLog } from "../../src/observability/Logging.ts"
import { application, type ApplicationOptions, configuredStores, memoryStores } from "./Application.ts"
import { checkResponse } from "./Contract.ts"
import { type Init, sendTo } from "./Requests.ts"
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

export const baseUrl = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))

/** Adds everything that is logged to `lines`. */
const loggingTo = (lines: Array<string>) =>
  Layer.merge(
    Logger.layer([
      Logger.make<unknown, void>(({ cause, fiber, message }) => {
        const annotations = fiber.getRef(References.CurrentLogAnnotations)
        lines.push(Inspectable.toStringUnknown([message, annotations, Cause.pretty(cause)]))
      })
    ]),
    Layer.succeed(RequestLog, (request) => void lines.push(JSON.stringify(request)))
  )

/**
 * The service in the test's own process, over a database in memory or other stores, with a demo key, until the scope
 * closes; `log` is what it has logged.
 */
export const serveHere = Effect.fnUntraced(function* (
  env: ApplicationOptions["env"] = {},
  stores: ApplicationOptions["stores"] = memoryStores
) {
  // A test has few keys for all its load.
  const lines: Array<string> = []
  const ownEnv = { KEY_REQUESTS_PER_SECOND: "1000000", ...env }
  const application = Layer.provide(httpApplication({ env: ownEnv, stores }), loggingTo(lines))
  const services = yield* Layer.build(Layer.fresh(application))
  yield* Context.get(services, ApiKeys).prepareDemoKey
  const url = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
  return { services, url, port: Number(new URL(url).port), log: () => lines.join("\n") }
})

/** As `serveHere` on the database of a URL, and sends the emails that are queued there to an SMTP server. */
export const serveWithMails = Effect.fnUntraced(function* (database: string, smtp: string) {
  const server = yield* serveHere({ DATABASE_URL: database, MAIL_URL: smtp }, Layer.orDie(configuredStores))
  const sending = MailWorker.layer.pipe(
    Layer.provide([ConfiguredMailer.layer, MailLinks.layer(server.url)]),
    Layer.provide(Layer.succeedContext(server.services)),
    Layer.provide(Logger.layer([]))
  )
  yield* Layer.build(Layer.fresh(sending))
  return server
})

/** Sends a request to the server of the test. Dies if the response does not conform to the OpenAPI document. */
export const send = Effect.fnUntraced(function* (path: string, init: Init = {}) {
  const base = yield* baseUrl
  const answer = yield* sendTo(base, path, init)
  checkResponse(init.method ?? "GET", path, answer)
  return answer
})

/** Sends a request to the operator's listener; the test must set ADMIN_PORT. */
export const sendAdmin = Effect.fnUntraced(function* (path: string, init: Init = {}) {
  return yield* sendTo(Option.getOrThrow((yield* AdminServer).url), path, init)
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
export const unknownKey = SecureRandom.SecureRandom.pipe(
  Effect.flatMap((random) => newSecret(random, "test")),
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
