import { Predicate, Result } from "effect"
import { InvalidInput } from "../input/InvalidInput.ts"
import { idempotentReplayed } from "../http/ResponseHeaders.ts"

const form = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a request, if it has one. Fails with InvalidInput unless it is 1 to 255 visible ASCII characters. */
export const idempotencyKey = (
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Result.Result<string | undefined, InvalidInput> => {
  const key = headers["idempotency-key"]
  if (key === undefined) return Result.succeed(undefined)
  if (Predicate.isString(key) && form.test(key)) return Result.succeed(key)
  const message = "must be a header of 1 to 255 visible ASCII characters, given once"
  return Result.fail(new InvalidInput({ errors: [{ pointer: "/Idempotency-Key", code: "invalid_format", message }] }))
}

/** The header of an answer that was given before. */
export const replayed = idempotentReplayed.of()
