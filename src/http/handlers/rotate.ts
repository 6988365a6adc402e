import { BigDecimal, Effect, Option, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { IdempotentRequest } from "../../credits/AnswerStore.ts"
import { Idempotency, type Keep } from "../../credits/Idempotency.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import { InvalidInput } from "../../input/InvalidInput.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import { ApiKeys, type RotatedKey } from "../../keys/ApiKeys.ts"
import { AlreadyRotated, DemoKeyProtected } from "../../keys/KeyFailures.ts"
import type { KeyId } from "../../keys/KeyId.ts"
import { defaultGraceHours, KeyGroup, RotationInput } from "../api/KeyApi.ts"
import { idempotencyKey, replayed } from "./IdempotencyKey.ts"
import { isoTime } from "./isoTime.ts"
import { readOptionalJson } from "./JsonBody.ts"
import { RequestLimits } from "./RequestLimits.ts"
import { RotationAnswers } from "./RotationAnswers.ts"

const { method, path } = KeyGroup.endpoints.rotate

const decode = decodeFields(RotationInput, new Map())

/** What a rotation asks for. With an Idempotency-Key the old key has to stay valid: it sends the request again. */
const decodeRotation = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, keyId: KeyId) {
  const { grace_hours } = yield* Effect.fromResult(decode(yield* readOptionalJson(request)))
  const graceHours = grace_hours === undefined ? defaultGraceHours : BigDecimal.toNumberUnsafe(grace_hours)
  const key = yield* Effect.fromResult(idempotencyKey(request.headers))
  if (key === undefined) return { graceHours, repeatable: undefined }
  if (graceHours === 0) {
    const message = "must be at least 1 with an Idempotency-Key: the old key has to work for the repeated request"
    return yield* new InvalidInput({ errors: [{ pointer: "/grace_hours", code: "out_of_range", message }] })
  }
  const repeatable: IdempotentRequest = {
    scope: keyId,
    operation: `${method} ${path}`,
    key,
    fingerprint: String(graceHours)
  }
  return { graceHours, repeatable }
})

/** A replacement of a key. `whenRotated` runs in its transaction, and not where the request came before. */
interface Rotation {
  readonly keyId: KeyId
  readonly graceHours: number
  readonly repeatable: IdempotentRequest | undefined
  readonly whenRotated?: (rotated: RotatedKey) => Effect.Effect<void>
}

/**
 * Replaces a key and gives the answer of the API to it. A request that is sent again gets the first answer for some
 * minutes; after that it fails with AlreadyRotated, because the database has nothing of the new secret that could be shown.
 */
export const makeRotateOnce = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const idempotency = yield* Idempotency
  const limits = yield* RequestLimits
  const answers = yield* RotationAnswers

  return Effect.fnUntraced(function* ({ graceHours, keyId, repeatable, whenRotated }: Rotation) {
    const rotate = Effect.fnUntraced(function* (keep: Keep) {
      yield* limits.countRotation(keyId)
      const { oldSecretValidUntil, secret } = yield* apiKeys
        .rotate(
          keyId,
          graceHours,
          Effect.fnUntraced(function* (rotated) {
            yield* keep(String(rotated.oldSecretValidUntil))
            if (whenRotated !== undefined) yield* whenRotated(rotated)
          })
        )
        .pipe(Effect.catchTag("KeyNotFound", Effect.die))
      const answer = JSON.stringify({
        api_key: Redacted.value(secret),
        old_key_valid_until: isoTime(oldSecretValidUntil)
      })
      if (repeatable !== undefined) yield* answers.keep(repeatable, answer)
      return answer
    })

    // A caller who goes away in the middle finds the answer on coming back.
    const once = yield* Effect.uninterruptible(idempotency.once(repeatable, rotate))
    const found = once.isReplay && repeatable !== undefined ? yield* answers.find(repeatable) : Option.some(once.answer)
    // What is kept in the database is when the old secrets end.
    if (Option.isNone(found)) return yield* new AlreadyRotated({ oldSecretValidUntil: Number(once.answer) })
    return { answer: found.value, isReplay: once.isReplay }
  })
})

/** Answers a request to the API to replace a key. */
export const makeRotate = Effect.map(makeRotateOnce, (rotateOnce) =>
  Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, { id: keyId, isDemo }: ApiKey) {
    // Before it is counted: its next request would else be refused for another reason.
    if (isDemo) return yield* new DemoKeyProtected()
    const { answer, isReplay } = yield* rotateOnce({ keyId, ...(yield* decodeRotation(request, keyId)) })
    return HttpServerResponse.text(answer, {
      contentType: "application/json",
      headers: isReplay ? replayed : {}
    })
  })
)
