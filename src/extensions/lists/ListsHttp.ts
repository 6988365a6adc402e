import { Effect, Layer, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { LargeBodies } from "../../http/LargeBodies.ts"
import { apiOf } from "../../http/problems/ProblemResponses.ts"
import { mediaTypeOf, readBody } from "../../http/RequestBody.ts"
import { contentTypes, formatOf } from "../../http/RequestHeaders.ts"
import { CurrentKey } from "../../keys/AuthenticationApi.ts"
import * as Authenticating from "../../keys/AuthenticationHttp.ts"
import { KeyLimits } from "../../keys/KeyLimits.ts"
import { callerAt, noteCharge } from "../../metering/ForecastsHttp.ts"
import { listOperation } from "./listOperation.ts"
import { Lists } from "./Lists.ts"
import { listEndpoint, ListGroup } from "./ListsApi.ts"

/** The largest list, in KiB, and its media types. */
const acceptedList = { limit: listOperation.limit, types: ["application/json", "text/csv"] }

const api = apiOf(ListGroup)

const handlers = HttpApiBuilder.group(
  api,
  "lists",
  Effect.fnUntraced(function* (handlers) {
    const lists = yield* Lists
    const limits = yield* KeyLimits
    const largeBodies = yield* LargeBodies
    const callerOf = callerAt(listEndpoint)

    return handlers.handleRaw(
      "forecasts",
      Effect.fnUntraced(function* ({ request }) {
        const key = yield* CurrentKey
        const { id } = key
        const caller = callerOf(request.headers, key)
        const answer = formatOf(request.headers)
        const type = mediaTypeOf(request.headers) === "text/csv" ? "csv" : "json"
        const decode = largeBodies.receive(request, id, (count) =>
          Effect.flatMap(readBody(request, acceptedList, count), (text) => lists.decode({ text, type, answer }, id))
        )
        // A body that is too large is refused before an invalid Idempotency-Key.
        if (Result.isFailure(caller)) return yield* Effect.andThen(Effect.scoped(decode), Effect.fail(caller.failure))
        const charged = yield* lists.forecast({
          ...caller.success,
          decode,
          answer,
          onWasted: (forecasts) => limits.countWasted(id, forecasts)
        })
        const headers = yield* noteCharge(charged)
        return HttpServerResponse.text(charged.answer, { contentType: contentTypes[answer], headers })
      }, Effect.uninterruptible)
    )
  })
)

/** The endpoint of lists. */
export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Lists.layer, Authenticating.layer, LargeBodies.layer])
)
