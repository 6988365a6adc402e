import { Result } from "effect"
import { type FieldError, type InvalidInput, invalidInput, pointerTo } from "./InvalidInput.ts"

/** The most fields of a form: ours have less than half as many. */
const maxFields = 200

/** The first 200 fields of a form or an address, which are counted before they are read. */
export const firstFields = (text: string): string => {
  let at = -1
  for (let count = 0; count < maxFields; count++) {
    at = text.indexOf("&", at + 1)
    if (at < 0) return text
  }
  return text.slice(0, at)
}

/** The most bytes of a field. */
const maxBytes = 1024

const isTooLarge = (text: string) => Buffer.byteLength(text) > maxBytes

/**
 * Reads the fields of a form as a browser sends it. Fails with InvalidInput if there are more than 200, of which none
 * is read, or if one is larger than 1 KiB, unless its name is among `large`.
 */
export const readFields = (
  text: string,
  large: ReadonlyArray<string> = []
): Result.Result<URLSearchParams, InvalidInput> => {
  if (firstFields(text).length < text.length) {
    const message = `must have at most ${maxFields} fields`
    return Result.fail(invalidInput([{ pointer: "", code: "out_of_range", message }]))
  }
  const fields = new URLSearchParams(text)
  const errors = Array.from(fields).flatMap(([name, value]): ReadonlyArray<FieldError> => {
    if (!isTooLarge(name) && (large.includes(name) || !isTooLarge(value))) return []
    return [{ pointer: pointerTo(name), code: "out_of_range", message: "must have at most 1 KiB" }]
  })
  return errors.length === 0 ? Result.succeed(fields) : Result.fail(invalidInput(errors))
}
