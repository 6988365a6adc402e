import { BigDecimal, Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { decodeFields } from "../input/decodeFields.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeys, type RotatedKey } from "./ApiKeys.ts"
import { DemoKeyProtected } from "./KeyFailures.ts"
import type { KeyId } from "../KeyId.ts"
import { defaultGraceHours, RotationInput } from "./KeysApi.ts"
import { Settings } from "../Settings.ts"
import { isoTime } from "../text/isoTime.ts"
import { readOptionalJson } from "../http/RequestBody.ts"
import { RequestLimits } from "../http/limits/RequestLimits.ts"

const decode = decodeFields(RotationInput, new Map())

/** Replaces a key, as often as its limit allows. `whenRotated` runs in the transaction. */
export const makeRotateLimited = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const limits = yield* RequestLimits
  const { rotationsPerHour } = (yield* Settings).limits

  return (keyId: KeyId, graceHours: number, whenRotated?: (rotated: RotatedKey) => Effect.Effect<void>) =>
    limits
      .count(`rotation ${keyId}`, rotationsPerHour)
      .pipe(Effect.andThen(apiKeys.rotate(keyId, graceHours, whenRotated)), Effect.catchTag("KeyNotFound", Effect.die))
})

/** Answers a request to the API to replace a key. */
export const makeRotate = Effect.map(makeRotateLimited, (rotateLimited) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, { id, isDemo }: ApiKey) {
    // Before it is counted: its next request would else be refused for another reason.
    if (isDemo) return yield* new DemoKeyProtected()
    const { grace_hours } = yield* Effect.fromResult(decode(yield* readOptionalJson(request)))
    const graceHours = grace_hours === undefined ? defaultGraceHours : BigDecimal.toNumberUnsafe(grace_hours)
    const { oldSecretValidUntil, secret } = yield* rotateLimited(id, graceHours)
    return HttpServerResponse.jsonUnsafe({
      api_key: Redacted.value(secret),
      old_key_valid_until: isoTime(oldSecretValidUntil)
    })
  })
)
