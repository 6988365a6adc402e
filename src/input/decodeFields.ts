import { JsonPointer, Option, Predicate, Result, Schema, SchemaAST, type SchemaIssue } from "effect"
import levenshtein from "fastest-levenshtein"
import { type ExactJson, NumberLiteral } from "./ExactJson.ts"
import { CheckReport, type FieldError, InvalidInput } from "./InvalidInput.ts"

/** More errors than this help nobody, take time to word, and an answer must not be many times its request. */
const mostErrors = 50

/** How much of a name that the caller chose is told. */
const mostOfName = 100

const pointerTo = (name: string) => `/${JsonPointer.escapeToken(name.slice(0, mostOfName))}`

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  if (Predicate.isString(value)) return "a string"
  if (Predicate.isBoolean(value)) return "a boolean"
  return value instanceof NumberLiteral ? "a number" : "an object"
}

/** The field that was probably meant: the only one that contains the name, or the one with the fewest letters to change. */
const suggestion = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const [containing, ...others] = known.filter((field) => field.includes(name))
  if (containing !== undefined && others.length === 0) return containing
  const nearest = levenshtein.closest(name, known)
  return levenshtein.distance(name, nearest) * 2 <= Math.max(name.length, nearest.length) ? nearest : undefined
}

const unknownField = (name: string, known: ReadonlyArray<string>): FieldError => {
  const meant = suggestion(name.slice(0, mostOfName).toLowerCase(), known)
  return {
    pointer: pointerTo(name),
    code: "unknown_field",
    message:
      meant === undefined
        ? `is not a known field; the fields are ${known.join(", ")}`
        : `is not a known field; did you mean "${meant}"?`
  }
}

const checkReport = Schema.decodeUnknownOption(CheckReport)

interface Given {
  /** The spelling that the caller used. */
  readonly name: string
  readonly value: unknown
}

/** What a schema says of an object with these fields, in the contract's words. */
const fieldErrors = (
  issue: SchemaIssue.Issue,
  given: ReadonlyMap<string, Given>,
  field: string
): ReadonlyArray<FieldError> => {
  const { name, value } = given.get(field) ?? { name: field, value: undefined }
  const pointer = pointerTo(name)
  switch (issue._tag) {
    case "Composite":
      return issue.issues.flatMap((nested) => fieldErrors(nested, given, field))
    case "Pointer":
      return fieldErrors(issue.issue, given, String(issue.path[0]))
    case "MissingKey":
      return [{ pointer, code: "required", message: "is required" }]
    case "Filter": {
      const { code, message } = Option.getOrElse(checkReport(issue.filter.annotations), () => ({
        code: "wrong_type" as const,
        message: "is not valid"
      }))
      return [{ pointer, code, message }]
    }
    default: {
      const expected = issue._tag === "InvalidType" && SchemaAST.isString(issue.ast) ? "a string" : "a number"
      return [{ pointer, code: "wrong_type", message: `must be ${expected}, not ${kindOf(value)}` }]
    }
  }
}

/**
 * Decodes a JSON object into the type side of `schema`. Numbers reach the schema as exact decimals; `null` counts as
 * left out; `aliases` maps other accepted spellings to a field's name. Fails with InvalidInput, which lists everything
 * that is wrong: fields missing, misspelt, given twice, of a wrong type or out of range; the first 50 of more.
 */
export const decodeFields = <F extends Schema.Struct.Fields>(
  schema: Schema.Struct<F>,
  aliases: ReadonlyMap<string, string>
): ((json: ExactJson) => Result.Result<Schema.Struct.Type<F>, InvalidInput>) => {
  const known = Object.keys(schema.fields)
  const decode = Schema.decodeUnknownResult(Schema.toType(schema), { errors: "all" })
  return ({ duplicates, value: object }) => {
    if (!Predicate.isObject(object) || object instanceof NumberLiteral) {
      const message = `must be a JSON object, not ${kindOf(object)}`
      return Result.fail(new InvalidInput({ errors: [{ pointer: "", code: "wrong_type", message }] }))
    }
    const errors: Array<FieldError> = [...new Set(duplicates)].slice(0, mostErrors).map((name) => ({
      pointer: pointerTo(name),
      code: "duplicate_field",
      message: "is given more than once; keep one"
    }))
    const given = new Map<string, Given>()
    const fields: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(object)) {
      const field = aliases.get(name) ?? name
      const before = given.get(field)
      if (!Object.hasOwn(schema.fields, field)) {
        if (errors.length < mostErrors) errors.push(unknownField(name, known))
      } else if (before !== undefined) {
        errors.push({
          pointer: pointerTo(name),
          code: "duplicate_field",
          message: `is the same field as "${before.name}"; keep one of them`
        })
      } else {
        given.set(field, { name, value })
        if (value !== null) {
          fields[field] = value instanceof NumberLiteral ? value.decimal : value
        }
      }
    }
    const result = decode(fields)
    if (Result.isFailure(result)) errors.unshift(...fieldErrors(result.failure.issue, given, ""))
    if (errors.length > 0 || Result.isFailure(result)) {
      return Result.fail(new InvalidInput({ errors: errors.slice(0, mostErrors) }))
    }
    return Result.succeed(result.success)
  }
}
