import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidInput } from "../../input/InvalidInput.ts"
import { idempotentReplayed } from "../ResponseHeaders.ts"

const form = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a request, if it has one. Fails with InvalidInput unless it is 1 to 255 visible ASCII characters. */
export const idempotencyKey = ({
  headers
}: HttpServerRequest.HttpServerRequest): Effect.Effect<string | undefined, InvalidInput> => {
  const key = headers["idempotency-key"]
  if (key === undefined || form.test(key)) return Effect.succeed(key)
  return new InvalidInput({
    errors: [
      {
        pointer: "/Idempotency-Key",
        code: "invalid_format",
        message: "must be a header of 1 to 255 visible ASCII characters, given once"
      }
    ]
  })
}

/** The header of an answer that was given before. */
export const replayed = idempotentReplayed.of()
