import { Predicate, Result } from "effect"
import {
  type FieldError,
  type InvalidInput,
  invalidInput,
  MalformedJson,
  maxErrors,
  pointerTo
} from "./InvalidInput.ts"

/** A JSON value, and the errors of its text that JSON.parse does not report. */
export interface ParsedJson {
  readonly json: unknown
  /** The first 50. */
  readonly errors: ReadonlyArray<FieldError>
  /** The number of further ones. */
  readonly more?: number
}

/** The most characters of the parser's message that are reported. */
const maxReason = 200

/** The most steps in a reported pointer: no request is nested this deeply. */
const maxSteps = 20

const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/** An object or a list that the scanner is in. */
interface Container {
  readonly isObject: boolean
  /** The names so far. */
  names?: Set<string>
  /** The name of the current member, undefined before it, or the index of the current item. */
  step: string | number | undefined
}

const duplicate = {
  code: "duplicate_field",
  message: "occurs more than once in the same object; keep one of them"
} as const

const halfPair = (where: string) =>
  ({
    code: "invalid_format",
    message: `has half a surrogate pair${where}, such as \\ud800 alone, which is not a character; send whole characters`
  }) as const

const endOfString = (text: string, start: number): number => {
  let at = start + 1
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) at += code === backslash ? 2 : 1
  return at
}

/** True for the inside of a string with half a surrogate pair; of the escapes, only `\\u` can be one. */
const hasHalfPair = (written: string): boolean =>
  !(written.includes("\\u") ? String(JSON.parse(`"${written}"`)) : written).isWellFormed()

const colonsIn = (text: string): number => {
  let colons = 0
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) colons++
  return colons
}

const membersIn = (json: unknown): number => {
  let members = 0
  const values = [json]
  for (const value of values) {
    if (Array.isArray(value)) {
      for (const item of value) if (Predicate.isObjectOrArray(item)) values.push(item)
    } else if (Predicate.isObject(value)) {
      for (const name in value) {
        members++
        if (Predicate.isObjectOrArray(value[name])) values.push(value[name])
      }
    }
  }
  return members
}

/**
 * Finds names that an object has twice, on whose value parsers disagree, and half surrogate pairs, in the text of a
 * JSON value.
 */
const errorsIn = (text: string, json: unknown): Omit<ParsedJson, "json"> => {
  const isPlain = !text.includes("\\") && text.isWellFormed()
  const errors: Array<FieldError> = []
  let more = 0
  // Each name has a colon. Counting takes an eighth of the time of reading.
  if (isPlain && colonsIn(text) === membersIn(json)) return { errors, more }
  const containers: Array<Container> = []
  const report = (error: Omit<FieldError, "pointer">) => {
    if (errors.length >= maxErrors) return more++
    const steps = containers.slice(0, maxSteps).map(({ step = "" }) => pointerTo(String(step)))
    return errors.push({ pointer: steps.join(""), ...error })
  }
  let inner: Container | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      const object = inner?.isObject === true && inner.step === undefined ? inner : undefined
      const written = text.slice(at + 1, end)
      if (object !== undefined) {
        const names = (object.names ??= new Set())
        const name = written.includes("\\") ? String(JSON.parse(`"${written}"`)) : written
        object.step = name
        if (names.size === names.add(name).size) report(duplicate)
        if (!name.isWellFormed()) report(halfPair(" in its name"))
      } else if (!isPlain && hasHalfPair(written)) report(halfPair(""))
      at = end
    } else if (code === comma && inner !== undefined) {
      inner.step = typeof inner.step === "number" ? inner.step + 1 : undefined
    } else if (code === openBrace || code === openBracket) {
      inner = code === openBrace ? { isObject: true, step: undefined } : { isObject: false, step: 0 }
      containers.push(inner)
    } else if (code === closeBrace || code === closeBracket) {
      containers.pop()
      inner = containers.at(-1)
    }
  }
  return { errors, more }
}

/** Parses JSON (RFC 8259), after a byte order mark or without one. Fails with MalformedJson. */
export const parseJson = (body: string): Result.Result<ParsedJson, MalformedJson> => {
  const text = body.startsWith("\uFEFF") ? body.slice(1) : body
  if (text.trim() === "") return Result.fail(new MalformedJson({ reason: "The body is empty; send a JSON object" }))
  return Result.try({
    try: () => {
      const json: unknown = JSON.parse(text)
      return { json, ...errorsIn(text, json) }
    },
    catch: (error) =>
      new MalformedJson({
        reason: error instanceof SyntaxError ? error.message.slice(0, maxReason) : "The text is nested too deeply"
      })
  })
}

/** Decodes parsed JSON. Fails with InvalidInput, which lists the errors of the text and those of `decode`. */
export const decodeParsed = <A>(
  { errors, json, more = 0 }: ParsedJson,
  decode: (json: unknown) => Result.Result<A, InvalidInput>
): Result.Result<A, InvalidInput> => {
  const decoded = decode(json)
  if (errors.length === 0) return decoded
  const reported = new Set(errors.map(({ code, pointer }) => `${code} ${pointer}`))
  const { errors: found, more: others = 0 } = Result.isFailure(decoded) ? decoded.failure : { errors: [] }
  const all = [...errors, ...found.filter(({ code, pointer }) => !reported.has(`${code} ${pointer}`))]
  return Result.fail(invalidInput(all, more + others))
}

/** Decodes a JSON text. Fails with MalformedJson, or with InvalidInput, which lists every error. */
export const decodeJson = <A>(
  text: string,
  decode: (json: unknown) => Result.Result<A, InvalidInput>
): Result.Result<A, InvalidInput | MalformedJson> =>
  Result.flatMap(parseJson(text), (parsed) => decodeParsed(parsed, decode))
