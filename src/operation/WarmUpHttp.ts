import { createServer, type Server } from "node:http"
import { duplexPair } from "node:stream"
import { Array as Arr, Effect, Layer, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { direct } from "../Api.ts"
import { exampleRequest } from "../campaign/Fields.ts"
import { Credits } from "../credits/Credits.ts"
import { makeDirectRequests } from "../http/server/RequestPipeline.ts"
import { newRequest } from "../http/RequestState.ts"
import { KeyId } from "../KeyStatus.ts"
import { type AuthenticatedKey, Authenticator } from "../keys/Authenticator.ts"
import { noStanding } from "../Limits.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { newSecret } from "../keys/KeySecrets.ts"
import { RequestKeys } from "../keys/RequestKeys.ts"
import { Forecasts } from "../metering/Forecasts.ts"
import { SampledShare } from "../observability/Telemetry.ts"
import { Settings } from "../Settings.ts"
import { errorPage } from "../site/ErrorPages.ts"

/** The requests of a round, all at once, and the most rounds. */
const each = 64
const maxRounds = 8

/** The time after which no round is begun or awaited: a caller of a starting service waits for a second. */
const longest = "500 millis"

const key: AuthenticatedKey = {
  id: KeyId.make("key_warm_up"),
  owner: { name: "", email: "", company: "" },
  plan: "active",
  state: "usable",
  isDemo: false,
  secretPrefix: "",
  createdAt: 0,
  subKey: undefined
}

/** Keys, credits and limits in memory: nothing is looked up, charged or counted. */
const standIns = (secret: string) =>
  Layer.merge(Forecasts.layer, RequestKeys.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Authenticator.layerMemory({ [secret]: Result.succeed(key) }),
        Credits.layerMemory(1_000_000),
        Layer.mock(KeyLimits, {
          admit: (_, { lookUp }) => lookUp,
          knownBucket: () => key.id,
          countAgain: () => true,
          note: () => {},
          countWasted: () => {}
        })
      )
    ),
    Layer.fresh
  )

const body = JSON.stringify(exampleRequest)

const textWith = (secret: string) =>
  `POST /api/v1/forecast HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`

/** Sends a request through a connection in memory, and waits for the end of its response. */
const ask = (server: Server, text: string) =>
  Effect.callback<void>((resume) => {
    const [client, connection] = duplexPair()
    server.emit("connection", connection)
    client.resume().once("end", () => resume(Effect.void))
    client.write(text)
  })

/** Answers forecasts with a secret. */
const rounds = Effect.fnUntraced(function* (secret: string) {
  const ignored = () => undefined
  const answer = yield* makeDirectRequests(direct, { add: ignored }, ignored)
  const server = createServer((request, response) =>
    answer({
      request,
      response,
      state: newRequest("", ""),
      standing: noStanding,
      isLast: () => true,
      errorPage,
      hold: ignored,
      release: ignored
    })
  )
  const round = Effect.all(
    Arr.makeBy(each, () => ask(server, textWith(secret))),
    { concurrency: "unbounded", discard: true }
  )
  yield* Effect.timeoutOption(Effect.repeat(round, { times: maxRounds - 1 }), longest)
}, Effect.scoped)

/**
 * Answers forecasts until the code that does so has been compiled, for at most half a second: the first callers would
 * wait for that. They pass the endpoint, the codec and JSON, but no pipeline: they leave no row, no metric and no log
 * line.
 */
export const warmUp = Effect.gen(function* () {
  const { environment } = yield* Settings
  const secret = Redacted.value(yield* newSecret(yield* SecureRandom.SecureRandom, environment))
  yield* Effect.provide(rounds(secret), standIns(secret))
}).pipe(Effect.provideService(SampledShare, 0))
