import { Effect, Predicate, Result } from "effect"
import { InvalidInput } from "../input/InvalidInput.ts"
import { idempotentReplayed } from "../http/ResponseHeaders.ts"
import { SecureRandom } from "effect/crypto"

const keyForm = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a request, if it has one. Fails with InvalidInput unless it is 1 to 255 visible ASCII characters. */
export const idempotencyKey = (
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Result.Result<string | undefined, InvalidInput> => {
  const key = headers["idempotency-key"]
  if (key === undefined) return Result.succeed(undefined)
  if (Predicate.isString(key) && keyForm.test(key)) return Result.succeed(key)
  const message = "must be a header of 1 to 255 visible ASCII characters, given once"
  return Result.fail(new InvalidInput({ errors: [{ pointer: "/Idempotency-Key", code: "invalid_format", message }] }))
}

/** The header of a replay. */
export const replayed = idempotentReplayed.of()

/** Creates the key that a form sends with its fields, so that submitting it twice has one effect. */
export const newFormKey = Effect.map(SecureRandom.SecureRandom, (random) =>
  Effect.map(random.randomBytes(16), (bytes) => Buffer.from(bytes).toString("base64url"))
)

/** True if a text looks like such a key. */
export const isFormKey = (text: string): boolean => /^[\w-]{22}$/.test(text)
