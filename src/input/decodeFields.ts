import {
  Array as Arr,
  Equal,
  identity,
  Iterable,
  pipe,
  Predicate,
  Record,
  Result,
  Schema,
  SchemaAST,
  type SchemaIssue
} from "effect"
import { closest, distance } from "fastest-levenshtein"
import { type FieldError, InvalidInput, maxErrors, maxName, pointerTo, reportOf } from "./InvalidInput.ts"

/** The field that was probably meant: the only one that contains the name, or the closest one. */
const suggestion = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const [containing, ...others] = known.filter((field) => field.includes(name))
  if (containing !== undefined && others.length === 0) return containing
  const nearest = closest(name, known)
  return distance(name, nearest) * 2 <= Math.max(name.length, nearest.length) ? nearest : undefined
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

type Fields = Readonly<Record<string, unknown>>

/** The knowledge of a decoder about its fields beyond their schema. */
interface More {
  /** Other accepted spellings, each with the name of its field. */
  readonly aliases?: ReadonlyMap<string, string>
  /**
   * Advice on an unknown field with this value in the object at the pointer `within`; undefined if the
   * names of the known fields say enough.
   */
  readonly unknown?: (name: string, within: string, value: unknown) => string | undefined
  /**
   * Checks the fields as sent, by name, whether each is valid by itself or not. Its errors are not of fields with other
   * spellings.
   */
  readonly check?: (fields: Fields) => ReadonlyArray<FieldError>
}

/** The fields of a JSON object by their names. */
interface Named {
  readonly fields: Fields
  /** The client's spelling of a field. */
  readonly spellingOf: (field: string) => string
  /** Fields that are there in two spellings. */
  readonly twice: ReadonlyArray<FieldError>
}

const named = (object: Fields, aliases: ReadonlyMap<string, string>): Named => {
  const names = Object.keys(object)
  if (!names.some((name) => aliases.has(name))) return { fields: object, spellingOf: identity, twice: [] }
  const spellings = new Map<string, string>()
  const twice: Array<FieldError> = []
  for (const name of names) {
    const field = aliases.get(name) ?? name
    const before = spellings.get(field)
    if (before === undefined) spellings.set(field, name)
    else {
      const message = `is the same field as "${before}"; keep one of them`
      twice.push({ pointer: pointerTo(name), code: "duplicate_field", message })
    }
  }
  const fields = Object.fromEntries([...spellings].map(([field, name]) => [field, object[name]]))
  return { fields, spellingOf: (field) => spellings.get(field) ?? field, twice }
}

/** An issue that contains no others, its path, and the check that found it, if one did. */
interface Found {
  readonly issue: SchemaIssue.Issue
  readonly path: ReadonlyArray<PropertyKey>
  readonly check?: SchemaAST.Filter<unknown>
}

function* foundIn(
  issue: SchemaIssue.Issue,
  found: Omit<Found, "issue"> = { path: [] }
): Generator<Found, void, undefined> {
  switch (issue._tag) {
    case "Pointer":
      return yield* foundIn(issue.issue, { ...found, path: [...found.path, ...issue.path] })
    case "Encoding":
      return yield* foundIn(issue.issue, found)
    case "Filter":
      return yield* foundIn(issue.issue, { ...found, check: issue.filter })
    case "Composite":
    case "AnyOf":
      for (const inner of issue.issues) yield* foundIn(inner, found)
      // A value of none of the kinds of a union has no issues of its own.
      if (issue.issues.length === 0) yield { issue, ...found }
      return
    default:
      yield { issue, ...found }
  }
}

/** The kinds of JSON values that a schema accepts, but for null. */
const accepted = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const encoded = SchemaAST.toEncoded(ast)
  if (SchemaAST.isUnion(encoded)) return encoded.types.flatMap(accepted)
  return SchemaAST.isNull(encoded) ? [] : [encoded]
}

/** The names of the fields of an object. */
const namesIn = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []

/** The most items of a list that are read: each costs time. The limit for a list is 100 items, so the rest make no difference. */
const maxItems = 200

/** The part of an object that is read: the known fields, as many others as are reported, and the first items of lists. */
const shortened = (fields: Fields, known: ReadonlySet<string>): Fields => {
  let others = 0
  const read =
    Object.keys(fields).length > known.size + maxErrors
      ? Record.filter(fields, (_, name) => known.has(name) || ++others <= maxErrors)
      : fields
  return Record.map(read, (value) =>
    Array.isArray(value) && value.length > maxItems ? value.slice(0, maxItems) : value
  )
}

const kindWanted = (ast: SchemaAST.AST | undefined): string => {
  if (ast === undefined) return "a number"
  if (SchemaAST.isString(ast)) return "a string"
  if (SchemaAST.isArrays(ast)) return "an array"
  if (SchemaAST.isBoolean(ast)) return "true or false"
  return SchemaAST.isObjects(ast) ? "an object" : "a number"
}

const member = (value: unknown, key: PropertyKey): unknown =>
  Predicate.isObjectOrArray(value) ? Reflect.get(value, key) : undefined

const required = { code: "required", message: "is required" } as const

/** An error in fields, in the contract's words. */
const errorOf = ({ check, issue, path }: Found, { fields, spellingOf }: Named, { unknown }: More): FieldError => {
  const pointersOf = (keys: ReadonlyArray<PropertyKey>) =>
    keys.map((key, index) => pointerTo(index === 0 ? spellingOf(String(key)) : String(key))).join("")
  const pointer = pointersOf(path)
  const value = path.reduce(member, fields)
  if (check !== undefined) {
    const { code, message } = reportOf(check.annotations)
    const own = issue._tag === "InvalidValue" ? issue.annotations?.message : undefined
    return { pointer, code, message: Predicate.isString(own) ? own : message }
  }
  if (issue._tag === "MissingKey") return { pointer, ...required }
  if (issue._tag === "UnexpectedKey") {
    const shown = String(path.at(-1)).slice(0, maxName).toWellFormed()
    const advice = unknown?.(shown, pointersOf(path.slice(0, -1)), value) ?? unknownAdvice(shown, namesIn(issue.ast))
    return { pointer, code: "unknown_field", message: `is not a known field; ${advice}` }
  }
  const kinds = issue._tag === "InvalidType" || issue._tag === "AnyOf" ? accepted(issue.ast) : []
  const literals = kinds.flatMap((kind) => (SchemaAST.isLiteral(kind) ? [JSON.stringify(kind.literal)] : []))
  // An item of a list can be neither missing nor null.
  if (value === null && !Predicate.isNumber(path.at(-1))) return { pointer, ...required }
  if (literals.length > 0) return { pointer, code: "invalid_format", message: `must be ${literals.join(" or ")}` }
  return { pointer, code: "wrong_type", message: `must be ${kindWanted(kinds[0])}, not ${kindOf(value)}` }
}

/**
 * Creates a decoder of JSON objects by a schema in which `null` is the same as a missing field. Fails with
 * InvalidInput, which lists everything that is wrong: fields missing, misspelled, given twice, of a wrong type or out
 * of range; at most the first 50.
 */
export const decodeFields = <A>(
  schema: Schema.Codec<A, object>,
  more: More = {}
): ((json: unknown) => Result.Result<A, InvalidInput>) => {
  const { aliases = new Map<string, string>(), check = () => [] } = more
  const known = new Set([...namesIn(SchemaAST.toEncoded(schema.ast)), ...aliases.keys()])
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  const decodeKnown = Schema.decodeUnknownResult(schema, { errors: "all" })
  const decodeAll = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (json) => {
    if (!Predicate.isObject(json)) {
      const message = `must be a JSON object, not ${kindOf(json)}`
      return Result.fail(new InvalidInput({ errors: [{ pointer: "", code: "wrong_type", message }] }))
    }
    const input = named(shortened(json, known), aliases)
    const decoded = decode(input.fields)
    const unfit = check(input.fields)
    if (Result.isSuccess(decoded) && input.twice.length === 0 && unfit.length === 0) {
      return Result.succeed(decoded.success)
    }
    const errorsIn = (result: Result.Result<A, Schema.SchemaError>, isWanted: (found: Found) => boolean) =>
      Result.isSuccess(result)
        ? []
        : Arr.fromIterable(
            pipe(
              foundIn(result.failure.issue),
              Iterable.filter(isWanted),
              Iterable.map((found) => errorOf(found, input, more)),
              Iterable.take(maxErrors)
            )
          )
    // Objects with unknown fields are not checked as a whole: they are checked without these.
    const unknown = errorsIn(decodeAll(input.fields), ({ issue }) => issue._tag === "UnexpectedKey")
    const wrong = errorsIn(decodeKnown(input.fields), () => true)
    // An object that lacks a field because it has an unknown one is reported only once.
    const isReported = ({ code, pointer }: FieldError) =>
      code === "required" && unknown.some((error) => error.pointer.startsWith(`${pointer}/`))
    const others = unfit.filter((found) => !wrong.some((error) => Equal.equals(error, found)))
    const errors = [
      ...wrong.filter((error) => !isReported(error)),
      ...input.twice,
      ...unknown,
      ...others.filter((error) => !isReported(error))
    ]
    return Result.fail(new InvalidInput({ errors: errors.slice(0, maxErrors) }))
  }
}
