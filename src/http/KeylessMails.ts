import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { keylessMails as names, Limits } from "../Limits.ts"
import { keylessMails } from "../observability/Telemetry.ts"
import { Settings } from "../Settings.ts"
import { ClientAddress } from "./ClientAddress.ts"

/** The number of requests per hour that a network may send without a key, if they have an effect. */
const effectsPerHour = 20

/** The most emails per hour that are the first of their network. */
export const firstMailsPerHour = 1000

/**
 * Creates the limits of emails that are sent to an address for a request without a key. The first email of a network in
 * an hour draws on a limit of its own: clients that flood the service with requests shut out only those that do too.
 */
export const makeKeylessLimits = Effect.gen(function* () {
  const clients = yield* ClientAddress
  const limits = yield* Limits
  const { keylessMailsPerHour } = (yield* Settings).limits

  const network = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    clients.networkOf(NodeHttpServerRequest.toIncomingMessage(request))
  )

  const countOf = (network: string) => limits.count(`client ${network}`, effectsPerHour)

  const countOfAll = Effect.fnUntraced(function* (network: string) {
    const isFirst = yield* Effect.isSuccess(limits.count(`first email ${network}`, 1))
    yield* isFirst ? limits.count(names.first, firstMailsPerHour) : limits.count(names.further, keylessMailsPerHour)
  })

  return {
    /** Counts a request without a key. Fails with RateLimited if its network has sent too many this hour. */
    countRequest: Effect.flatMap(network, countOf),
    /**
     * The same for a request that sends an email, of which an address may get `most` in an hour; also fails with
     * RateLimited if its address or all addresses together would get too many.
     */
    countMail: Effect.fnUntraced(function* (address: string, most: number) {
      const from = yield* network
      yield* countOf(from)
      yield* limits.count(address, most)
      yield* Effect.tapError(countOfAll(from), () => Effect.sync(() => keylessMails(1, "refused")))
      keylessMails(1, "sent")
    })
  }
})
