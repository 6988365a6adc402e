import { BigDecimal, Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { decodeFields } from "../input/decodeFields.ts"
import type { ApiKey } from "./ApiKey.ts"
import { ApiKeys, type RotatedKey } from "./ApiKeys.ts"
import { DemoKeyProtected } from "./KeyFailures.ts"
import type { KeyId } from "../KeyId.ts"
import { defaultGraceHours, Rotation } from "./KeysApi.ts"
import { Settings } from "../Settings.ts"
import { readOptionalJson } from "../http/RequestBody.ts"
import { Limits } from "../Limits.ts"
import { isoTime } from "../text/Times.ts"

const decode = decodeFields(Rotation)

/** Counts a replacement of a key. Fails with RateLimited after ROTATIONS_PER_HOUR. */
export const makeCountRotation = Effect.gen(function* () {
  const limits = yield* Limits
  const { rotationsPerHour } = (yield* Settings).limits
  return (keyId: KeyId) => limits.count(`rotation ${keyId}`, rotationsPerHour)
})

/** Reads the number of hours that the old secret stays valid, or the default. */
export const readGraceHours = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { grace_hours } = yield* readOptionalJson(request, decode)
  return grace_hours === undefined ? defaultGraceHours : BigDecimal.toNumberUnsafe(grace_hours)
})

/** The response with a new secret, and the time until which the old one is valid. */
export const rotatedAnswer = ({ oldSecretValidUntil, secret }: Pick<RotatedKey, "oldSecretValidUntil" | "secret">) =>
  HttpServerResponse.jsonUnsafe({
    api_key: Redacted.value(secret),
    old_key_valid_until: isoTime(oldSecretValidUntil)
  })

/** Answers an API request to replace a key. */
export const makeRotate = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const countRotation = yield* makeCountRotation
  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, { id, isDemo }: ApiKey) {
    // Before counting: otherwise its next request would be refused for another reason.
    if (isDemo) return yield* new DemoKeyProtected()
    const graceHours = yield* readGraceHours(request)
    yield* countRotation(id)
    return rotatedAnswer(yield* apiKeys.rotate(id, graceHours))
  })
})
