import { Equal, identity, Predicate, Record, Result, Schema, SchemaAST, type SchemaIssue } from "effect"
import { type FieldError, InvalidInput, invalidInput, maxErrors, maxName, pointerTo, reportOf } from "./InvalidInput.ts"
import { nearestName } from "./nearestName.ts"

/** Advice for a client that sends an unknown field. */
const unknownAdvice = (name: string, known: ReadonlyArray<string>): string => {
  const meant = nearestName(name.toLowerCase(), known)
  return meant === undefined ? `the fields are ${known.join(", ")}` : `did you mean "${meant}"?`
}

const kindOf = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  if (Predicate.isString(value)) return "a string"
  if (Predicate.isBoolean(value)) return "a boolean"
  return Predicate.isNumber(value) ? "a number" : "an object"
}

/** A kind of value that is wanted, and the one that was sent; what to do about the text of the former. */
export const wrongKind = (wanted: string, value: unknown): string =>
  Predicate.isString(value) && /^\s*[[{]/.test(value)
    ? `must be ${wanted}, not a string of JSON: send it without the quotes around it`
    : `must be ${wanted}, not ${kindOf(value)}`

type Fields = Readonly<Record<string, unknown>>

/** The knowledge of a decoder about its fields beyond their schema. */
interface More {
  /** Other accepted spellings, each with the name of its field. */
  readonly aliases?: ReadonlyMap<string, string>
  /**
   * Advice on an unknown field with this value among its siblings, in the object at the pointer `within`; undefined if
   * the names of the known fields say enough.
   */
  readonly unknown?: (name: string, within: string, value: unknown, siblings: unknown) => string | undefined
  /**
   * Checks the fields as sent, by name, whether each is valid by itself or not. Its errors are not of fields with other
   * spellings.
   */
  readonly check?: (fields: Fields) => ReadonlyArray<FieldError>
}

/** The fields of a JSON object by their names. */
interface Resolved {
  readonly fields: Fields
  /** The client's spelling of a field. */
  readonly spellingOf: (field: string) => string
  /** Fields that are there in two spellings. */
  readonly twice: ReadonlyArray<FieldError>
}

/** Resolves spellings to the names of their fields. */
const resolveAliases = (object: Fields, aliases: ReadonlyMap<string, string>): Resolved => {
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

/**
 * The part of an object that is read: the known fields, as many others as are reported, and the first items of lists;
 * and the number of fields and items that are left.
 */
const shortened = (all: Fields, known: ReadonlySet<string>) => {
  let left = 0
  let others = 0
  const read = Record.filter(all, (_, name) => known.has(name) || ++others <= maxErrors || left++ < 0)
  const fields = Record.map(read, (value) => {
    if (!Array.isArray(value) || value.length <= maxItems) return value
    left += value.length - maxItems
    const items: ReadonlyArray<unknown> = value
    return items.slice(0, maxItems)
  })
  return { fields, left }
}

/** The object or the list that a schema reads, as JSON has it. */
const containerOf = (ast: SchemaAST.AST): SchemaAST.Objects | SchemaAST.Arrays | undefined => {
  const from = ast.encoding?.at(-1)?.to
  if (from !== undefined) return containerOf(from)
  if (SchemaAST.isUnion(ast)) return ast.types.map(containerOf).find(Predicate.isNotUndefined)
  return SchemaAST.isObjects(ast) || SchemaAST.isArrays(ast) ? ast : undefined
}

/** An unknown field, and the names of the known ones. */
interface UnknownField {
  readonly path: Found["path"]
  readonly known: ReadonlyArray<string>
}

/** The first 50 of each, and the number of fields and items after them, which are neither decoded nor worded. */
interface Search {
  readonly wrong: Array<Found>
  readonly unknown: Array<UnknownField>
  more: number
}

/**
 * Creates a search for what is wrong with a value at a path, and for unknown fields in it. A whole is checked if its
 * parts are right. A field, which has a name, may be missing or null: it is decoded in an object by itself.
 */
const searchIn = (ast: SchemaAST.AST, field?: string) => {
  const own = Schema.make<Schema.Codec<unknown, unknown>>(ast)
  const schema: Schema.Codec<unknown, unknown> = field === undefined ? own : Schema.Struct({ [field]: own })
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  const container = containerOf(ast)
  const [item] = container?._tag === "Arrays" ? container.rest.map((each) => searchIn(each)) : []
  const fields = new Map(
    container?._tag === "Objects"
      ? container.propertySignatures.map(({ name, type }) => [String(name), searchIn(type, String(name))])
      : []
  )
  const known = [...fields.keys()]

  return (into: Search, value: unknown, path: Found["path"]): void => {
    const { unknown, wrong } = into
    const before = wrong.length
    if (before >= maxErrors) {
      if (value !== undefined) into.more++
      return
    }
    // Schemas without fields accept any.
    if (known.length > 0 && Predicate.isObject(value)) {
      for (const name of Object.keys(value)) {
        if (fields.has(name)) continue
        if (unknown.length < maxErrors) unknown.push({ path: [...path, name], known })
        else into.more++
      }
      for (const [name, search] of fields) search(into, value[name], [...path, name])
    } else if (item !== undefined && Array.isArray(value)) {
      for (const [index, each] of value.entries()) item(into, each, [...path, index])
    }
    if (wrong.length > before) return
    const decoded = decode(field === undefined ? value : value === undefined ? {} : { [field]: value })
    if (Result.isSuccess(decoded)) return
    for (const found of foundIn(decoded.failure.issue, { path: field === undefined ? path : path.slice(0, -1) })) {
      if (wrong.length < maxErrors) wrong.push(found)
      else into.more++
    }
  }
}

const kindWanted = (ast: SchemaAST.AST | undefined): string => {
  if (ast === undefined) return "a number"
  if (SchemaAST.isString(ast)) return "a string"
  if (SchemaAST.isArrays(ast)) return "an array"
  if (SchemaAST.isBoolean(ast)) return "true or false"
  return SchemaAST.isObjects(ast) ? `an object (${namesIn(ast).join(", ")})` : "a number"
}

const member = (value: unknown, key: PropertyKey): unknown =>
  Predicate.isObjectOrArray(value) ? Reflect.get(value, key) : undefined

const required = { code: "required", message: "is required" } as const

const pointerOf = (path: Found["path"], { spellingOf }: Resolved): string =>
  path.map((key, index) => pointerTo(index === 0 ? spellingOf(String(key)) : String(key))).join("")

/** An unknown field, in the contract's words. */
const unknownError = ({ known, path }: UnknownField, input: Resolved, { unknown }: More): FieldError => {
  const shown = String(path.at(-1)).slice(0, maxName).toWellFormed()
  const within = pointerOf(path.slice(0, -1), input)
  const siblings = path.slice(0, -1).reduce(member, input.fields)
  const advice = unknown?.(shown, within, path.reduce(member, input.fields), siblings) ?? unknownAdvice(shown, known)
  return { pointer: pointerOf(path, input), code: "unknown_field", message: `is not a known field; ${advice}` }
}

/** An error in fields, in the contract's words. */
const errorOf = ({ check, issue, path }: Found, input: Resolved): FieldError => {
  const pointer = pointerOf(path, input)
  const value = path.reduce(member, input.fields)
  if (check !== undefined) {
    const { code, message } = reportOf(check.annotations)
    const own = issue._tag === "InvalidValue" ? issue.annotations?.message : undefined
    return { pointer, code, message: Predicate.isString(own) ? own : message }
  }
  if (issue._tag === "MissingKey") return { pointer, ...required }
  const kinds = issue._tag === "InvalidType" || issue._tag === "AnyOf" ? accepted(issue.ast) : []
  const literals = kinds.flatMap((kind) => (SchemaAST.isLiteral(kind) ? [JSON.stringify(kind.literal)] : []))
  // An item of a list can be neither missing nor null.
  if (value === null && !Predicate.isNumber(path.at(-1))) return { pointer, ...required }
  if (literals.length > 0) return { pointer, code: "invalid_format", message: `must be ${literals.join(" or ")}` }
  return { pointer, code: "wrong_type", message: wrongKind(kindWanted(kinds[0]), value) }
}

/**
 * Creates a decoder of JSON objects by a schema in which `null` is the same as a missing field. Fails with
 * InvalidInput, which lists everything that is wrong: fields missing, misspelled, given twice, of a wrong type or out
 * of range; at most the first 50. The fields and items after them are counted, but not decoded.
 */
export const decodeFields = <A>(
  schema: Schema.Codec<A, object>,
  more: More = {}
): ((json: unknown) => Result.Result<A, InvalidInput>) => {
  const { aliases = new Map<string, string>(), check = () => [] } = more
  const known = new Set([...namesIn(SchemaAST.toEncoded(schema.ast)), ...aliases.keys()])
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  // Most decoders never see an error.
  let search: ReturnType<typeof searchIn> | undefined
  return (json) => {
    if (!Predicate.isObject(json)) {
      const message = wrongKind("a JSON object", json)
      return Result.fail(new InvalidInput({ errors: [{ pointer: "", code: "wrong_type", message }] }))
    }
    const { fields, left } = shortened(json, known)
    const input = resolveAliases(fields, aliases)
    const decoded = decode(input.fields)
    const unfit = check(input.fields)
    if (Result.isSuccess(decoded) && input.twice.length === 0 && unfit.length === 0) {
      return Result.succeed(decoded.success)
    }
    search ??= searchIn(schema.ast)
    const found: Search = { wrong: [], unknown: [], more: left }
    search(found, input.fields, [])
    const wrong = found.wrong.map((each) => errorOf(each, input))
    const unknown = found.unknown.map((each) => unknownError(each, input, more))
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
    return Result.fail(invalidInput(errors, errors.length < maxErrors ? 0 : found.more))
  }
}
