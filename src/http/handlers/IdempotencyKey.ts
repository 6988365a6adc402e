import { Predicate, Result } from "effect"
import { InvalidInput } from "../../input/InvalidInput.ts"

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
export const replayed = { "idempotent-replayed": "true" }

/** The document of an operation that takes an Idempotency-Key. */
export const withIdempotencyKey = (operation: Record<string, unknown>) => ({
  ...operation,
  parameters: [
    ...(Predicate.isObject(operation["parameters"]) ? Object.values(operation["parameters"]) : []),
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description:
        "Chosen by you, another for each request that you mean: a request that is sent again with it gets the first " +
        "answer, for 24 hours, and costs nothing.",
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
      example: "5f0c2f5e-campaign-17"
    }
  ]
})
