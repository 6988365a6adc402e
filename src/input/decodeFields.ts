import { Predicate, Result, Schema, SchemaAST, type SchemaIssue } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import levenshtein from "fastest-levenshtein"
import { type FieldError, InvalidInput, maxErrors, maxName, pointerTo, reportOf } from "./InvalidInput.ts"
import { decimalOf } from "./numberSchemas.ts"

/** The field that was probably meant: the only one that contains the name, or the closest one. */
const suggestion = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const [containing, ...others] = known.filter((field) => field.includes(name))
  if (containing !== undefined && others.length === 0) return containing
  const nearest = levenshtein.closest(name, known)
  return levenshtein.distance(name, nearest) * 2 <= Math.max(name.length, nearest.length) ? nearest : undefined
}

/** Advice for a client that sends an unknown field. */
const unknownAdvice = (name: string, known: ReadonlyArray<string>): string => {
  const meant = suggestion(name.toLowerCase(), known)
  return meant === undefined ? `the fields are ${known.join(", ")}` : `did you mean "${meant}"?`
}

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  if (Predicate.isString(value)) return "a string"
  if (Predicate.isBoolean(value)) return "a boolean"
  return Predicate.isNumber(value) ? "a number" : "an object"
}

/** The knowledge of a decoder about its fields beyond their schema. */
interface More<A> {
  /** Other accepted spellings, each with the name of its field. */
  readonly aliases?: ReadonlyMap<string, string>
  /**
   * Advice on an unknown field with this value in the object at the pointer `within`; undefined if the
   * names of the known fields say enough.
   */
  readonly unknown?: (name: string, within: string, value: unknown) => string | undefined
  /** Checks the fields that are present, by name; each may be invalid by itself too. */
  readonly check?: (fields: Readonly<Record<string, unknown>>) => ReadonlyArray<FieldError>
  /** Checks fields against each other; each is valid by itself. */
  readonly checkTogether?: (decoded: A) => ReadonlyArray<FieldError>
}

/** The most items of a list that are read. The limit for a list is 100 items, so the rest make no difference. */
const maxItems = 200

/**
 * Prepares the JSON value at a name within the object at a pointer for a schema: exact decimals, or doubles if it asks
 * for numbers, and objects without members that are `null` or, as an error, unknown.
 */
const read = (
  value: unknown,
  ast: SchemaAST.AST | undefined,
  within: string,
  name: string,
  unknown: (pointer: string, name: string, value: unknown, known: ReadonlyArray<string>) => void
): unknown => {
  const isObject = ast !== undefined && SchemaAST.isObjects(ast)
  if (Predicate.isNumber(value)) {
    if (ast !== undefined && SchemaAST.isNumber(ast)) return value
    // A schema of an object would take a decimal for an object without fields.
    return isObject ? "" : decimalOf(value)
  }
  if (ast !== undefined && SchemaAST.isArrays(ast) && Array.isArray(value)) {
    const [item] = ast.rest
    return value
      .slice(0, maxItems)
      .map((each: unknown, index) => read(each, item, within + pointerTo(name), String(index), unknown))
  }
  if (!isObject || !Predicate.isObject(value)) return value
  const pointer = within + pointerTo(name)
  const types = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
  const fields: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    const type = types.get(name)
    if (type === undefined) unknown(pointer, name, inner, [...types.keys()])
    else if (inner !== null) fields[name] = read(inner, type, pointer, name, unknown)
  }
  return fields
}

/** An object as received. */
interface InputObject {
  readonly object: Readonly<Record<string, unknown>>
  /** The client's spelling of a field. */
  readonly spellingOf: (field: string) => string
}

const innerValue = (value: unknown, name: string): unknown => {
  if (Array.isArray(value)) return value[Number(name)]
  return Predicate.isObject(value) ? value[name] : undefined
}

/** The expected kind of a value, in a word or two. */
const kindWanted = (ast: SchemaAST.AST | undefined): string => {
  if (ast === undefined) return "a number"
  if (SchemaAST.isString(ast)) return "a string"
  if (SchemaAST.isArrays(ast)) return "an array"
  if (SchemaAST.isBoolean(ast)) return "true or false"
  return SchemaAST.isObjects(ast) ? "an object" : "a number"
}

/** The issues of a check, each with its message and its path within the checked value. */
const within = (issue: SchemaIssue.Issue): ReadonlyArray<{ readonly path: string; readonly message?: string }> => {
  switch (issue._tag) {
    case "Composite":
      return issue.issues.flatMap(within)
    case "Pointer": {
      const path = issue.path.map((key) => pointerTo(String(key))).join("")
      return within(issue.issue).map((inner) => ({ ...inner, path: path + inner.path }))
    }
    case "InvalidValue": {
      const message = issue.annotations?.message
      return [Predicate.isString(message) ? { path: "", message } : { path: "" }]
    }
    default:
      return [{ path: "" }]
  }
}

/** The errors of a schema in an object with these fields, in the contract's words. */
const fieldErrors = (
  issue: SchemaIssue.Issue,
  input: InputObject,
  path: ReadonlyArray<string>
): ReadonlyArray<FieldError> => {
  const [field = "", ...inner] = path
  const name = input.spellingOf(field)
  const pointer = [name, ...inner].map(pointerTo).join("")
  switch (issue._tag) {
    case "Composite":
      return issue.issues.flatMap((nested) => fieldErrors(nested, input, path))
    case "Pointer":
      return fieldErrors(issue.issue, input, [...path, ...issue.path.map(String)])
    case "MissingKey":
      return [{ pointer, code: "required", message: "is required" }]
    case "Filter": {
      const { code, message } = reportOf(issue.filter.annotations)
      return within(issue.issue).map((inner) => ({
        pointer: pointer + inner.path,
        code,
        message: inner.message ?? message
      }))
    }
    case "AnyOf": {
      const texts = issue.ast.types.flatMap((each) => (SchemaAST.isLiteral(each) ? [JSON.stringify(each.literal)] : []))
      return [{ pointer, code: "invalid_format", message: `must be ${texts.join(" or ")}` }]
    }
    default: {
      const wanted = kindWanted(issue._tag === "InvalidType" ? issue.ast : undefined)
      const found = kindOf([name, ...inner].reduce(innerValue, input.object))
      return [{ pointer, code: "wrong_type", message: `must be ${wanted}, not ${found}` }]
    }
  }
}

/** A known field, and its position in the schema. */
interface Field {
  readonly name: string
  readonly type: SchemaAST.AST | undefined
  readonly position: number
}

/**
 * Decodes a JSON object into the type side of `schema`. Numbers reach the schema as exact decimals; `null` is the same
 * as a field left out. Fails with InvalidInput, which lists everything that is wrong: fields missing, misspelled, given
 * twice, of a wrong type or out of range; at most the first 50.
 */
export const decodeFields = <F extends Schema.Struct.Fields>(
  schema: Schema.Struct<F>,
  more: More<Schema.Struct.Type<F>> = {}
): ((json: unknown) => Result.Result<Schema.Struct.Type<F>, InvalidInput>) => {
  const known = Object.keys(schema.fields)
  const type = Schema.toType(schema)
  SchemaJITCompiler.enable(type.ast)
  const types = new Map(type.ast.propertySignatures.map((property) => [String(property.name), property.type]))
  const byName = new Map(
    known.map((name, position): [string, Field] => [name, { name, type: types.get(name), position }])
  )
  for (const [alias, name] of more.aliases ?? []) {
    const field = byName.get(name)
    if (field !== undefined) byName.set(alias, field)
  }
  // Only this one is compiled, and it stops at the first error.
  const decode = Schema.decodeUnknownResult(type)
  const decodeWithAllErrors = Schema.decodeUnknownResult(type, { errors: "all" })
  return (object) => {
    if (!Predicate.isObject(object)) {
      const message = `must be a JSON object, not ${kindOf(object)}`
      return Result.fail(new InvalidInput({ errors: [{ pointer: "", code: "wrong_type", message }] }))
    }
    const errors: Array<FieldError> = []
    const unknown = (pointer: string, name: string, value: unknown, fields: ReadonlyArray<string>) => {
      if (errors.length >= maxErrors) return
      const shown = name.slice(0, maxName).toWellFormed()
      errors.push({
        pointer: pointer + pointerTo(name),
        code: "unknown_field",
        message: `is not a known field; ${more.unknown?.(shown, pointer, value) ?? unknownAdvice(shown, fields)}`
      })
    }
    /** The client's spelling of each known field, at its position. */
    const spellings: Array<string | undefined> = []
    const fields: Record<string, unknown> = {}
    for (const name of Object.keys(object)) {
      const field = byName.get(name)
      const before = field && spellings[field.position]
      if (field === undefined) {
        unknown("", name, object[name], known)
      } else if (before !== undefined) {
        errors.push({
          pointer: pointerTo(name),
          code: "duplicate_field",
          message: `is the same field as "${before}"; keep one of them`
        })
      } else {
        spellings[field.position] = name
        const value = object[name]
        if (value !== null) fields[field.name] = read(value, field.type, "", name, unknown)
      }
    }
    const quick = decode(fields)
    const unfit = more.check?.(fields) ?? []
    const together = Result.isSuccess(quick) ? (more.checkTogether?.(quick.success) ?? []) : []
    if (Result.isSuccess(quick) && errors.length === 0 && unfit.length === 0 && together.length === 0) {
      return Result.succeed(quick.success)
    }
    const input = { object, spellingOf: (field: string) => spellings[known.indexOf(field)] ?? field }
    const result = Result.isSuccess(quick) ? quick : decodeWithAllErrors(fields)
    const found = [...errors]
    // Report an object that lacks a field because it has an unknown one only once.
    const isReported = ({ code, pointer }: FieldError) =>
      code === "required" && found.some((error) => error.pointer.startsWith(`${pointer}/`))
    const wrong = Result.isFailure(result) ? fieldErrors(result.failure.issue, input, []) : []
    errors.unshift(...wrong.filter((error) => !isReported(error)))
    for (const { pointer, ...error } of [...unfit.filter((error) => !isReported(error)), ...together]) {
      const [, name = "", inner = ""] = /^\/([^/]*)(.*)$/.exec(pointer) ?? []
      errors.push({ pointer: pointerTo(input.spellingOf(name)) + inner, ...error })
    }
    return Result.fail(new InvalidInput({ errors: errors.slice(0, maxErrors) }))
  }
}
