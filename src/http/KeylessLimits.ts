import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { keylessMails as names, Limits, type RateLimited } from "../Limits.ts"
import { keylessMails } from "../observability/Telemetry.ts"
import { Settings } from "../Settings.ts"
import { ClientAddress } from "./ClientAddress.ts"

/** The number of requests per hour that a network may send without a key, if they have an effect. */
const effectsPerHour = 20

/** The most emails per hour that are the first of their network. */
export const firstMailsPerHour = 1000

/**
 * Counts requests without a key that have an effect, such as an email to an address. The first email of a network in an
 * hour draws on a limit of its own: clients that flood the service with requests shut out only those that do too.
 */
export class KeylessLimits extends Context.Service<
  KeylessLimits,
  {
    /** Counts a request. Fails with RateLimited if its network has sent too many this hour. */
    readonly request: Effect.Effect<void, RateLimited, HttpServerRequest.HttpServerRequest>
    /**
     * The same for a request that sends an email, of which an address may get `most` in an hour; also fails with
     * RateLimited if its address or all addresses together would get too many.
     */
    readonly mail: (
      address: string,
      most: number
    ) => Effect.Effect<void, RateLimited, HttpServerRequest.HttpServerRequest>
  }
>()("outreach-forecast/http/KeylessLimits") {
  static readonly layer = Layer.effect(
    KeylessLimits,
    Effect.gen(function* () {
      const clients = yield* ClientAddress
      const { count } = yield* Limits
      const { keylessMailsPerHour } = (yield* Settings).limits

      const network = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
        clients.networkOf(NodeHttpServerRequest.toIncomingMessage(request))
      )

      const countOf = (network: string) => count(`client ${network}`, effectsPerHour)

      const countOfAll = Effect.fnUntraced(function* (network: string) {
        const isFirst = yield* Effect.isSuccess(count(`first email ${network}`, 1))
        yield* isFirst ? count(names.first, firstMailsPerHour) : count(names.further, keylessMailsPerHour)
      })

      return KeylessLimits.of({
        request: Effect.flatMap(network, countOf),
        mail: Effect.fnUntraced(function* (address, most) {
          const from = yield* network
          yield* countOf(from)
          yield* count(address, most)
          yield* Effect.tapError(countOfAll(from), () => Effect.sync(() => keylessMails(1, "refused")))
          keylessMails(1, "sent")
        })
      })
    })
  ).pipe(Layer.provide([ClientAddress.layer, Limits.layer]))
}
