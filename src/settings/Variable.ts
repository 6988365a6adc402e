import { Config, Context, Effect, FileSystem, Option, Redacted, Schema } from "effect"

/** The variables read so far. Reading continues after a problem, so that all are reported at once. */
export class Reading extends Context.Service<
  Reading,
  { readonly names: Set<string>; readonly problems: Array<string> }
>()("outreach-forecast/settings/Reading") {}

/** Adds a sentence to the problems. */
export const report = (problem: string) =>
  Effect.map(Reading, ({ problems }) => {
    problems.push(problem)
  })

/** The value of a variable as text; an empty one counts as not set. */
export const text = Effect.fnUntraced(function* (name: string) {
  const { names } = yield* Reading
  names.add(name)
  return yield* Config.option(Config.String(name)).pipe(
    Effect.map(Option.filter((value) => value !== "")),
    Effect.catch(() => Effect.as(report(`${name} cannot be read`), Option.none<string>()))
  )
})

/** Reports an invalid value, and keeps it; `expected` completes the sentence "NAME must …". */
export const check =
  <A>(name: string, isValid: (value: A) => boolean, expected: string) =>
  <E, R>(variable: Effect.Effect<Option.Option<A>, E, R>) =>
    Effect.tap(variable, (value) =>
      Option.exists(value, (value) => !isValid(value)) ? report(`${name} must ${expected}`) : Effect.void
    )

/** The value of a variable, parsed; `expected` completes the sentence "NAME must be …". */
export const parsed = Effect.fnUntraced(function* <A>(
  name: string,
  parse: (value: string) => Option.Option<A>,
  expected: string
) {
  const value = yield* text(name)
  const result = Option.flatMap(value, parse)
  if (Option.isSome(value) && Option.isNone(result)) yield* report(`${name} must be ${expected}`)
  return result
})

/** The value of a variable, decoded by a schema of text; `expected` completes the sentence "NAME must be …". */
export const decoded = <A>(name: string, schema: Schema.Codec<A, string>, expected: string) =>
  parsed(name, Schema.decodeOption(schema), expected)

/** An integer in decimal digits. */
export const integer = (name: string, minimum: number, maximum: number, expected: string) =>
  decoded(
    name,
    Schema.String.check(Schema.isPattern(/^[0-9]{1,10}$/)).pipe(
      Schema.decodeTo(Schema.FiniteFromString.check(Schema.isBetween({ minimum, maximum })))
    ),
    expected
  )

/** A variable's value, or `fallback` if it is not set. */
export const orElse =
  <B>(fallback: B) =>
  <A, E, R>(variable: Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<A | B, E, R> =>
    Effect.map(
      variable,
      Option.getOrElse(() => fallback)
    )

/** The content of the file named by a variable. */
export const fileContent = Effect.fnUntraced(function* (name: string) {
  const files = yield* FileSystem.FileSystem
  const file = yield* text(name)
  if (Option.isNone(file)) return Option.none<string>()
  const content = yield* Effect.option(files.readFileString(file.value))
  if (Option.isNone(content)) yield* report(`${name} must name a file that can be read`)
  return content
})

/** A secret, from NAME or from the file in NAME_FILE, without surrounding line breaks. */
export const secret = Effect.fnUntraced(function* (name: string) {
  const inline = yield* text(name)
  const file = yield* text(`${name}_FILE`)
  if (Option.isNone(file)) return Option.map(inline, (value) => Redacted.make(value))
  const unset = Option.none<Redacted.Redacted>()
  if (Option.isSome(inline)) {
    return yield* Effect.as(report(`${name} and ${name}_FILE are both set; keep one of them`), unset)
  }
  const content = yield* fileContent(`${name}_FILE`)
  if (Option.isNone(content)) return unset
  if (content.value.trim() === "") {
    return yield* Effect.as(report(`${name}_FILE must name a file that is not empty`), unset)
  }
  return Option.some(Redacted.make(content.value.trim()))
})

/** The spelling of characters in a password that a URL reserves; completes a sentence. */
export const passwordForm = "with @ / ? # % in the password written as %40 %2F %3F %23 %25"

/** Decodes a text in which every % begins the code of a character; none for others. */
const decodePercents = Option.liftThrowable(decodeURIComponent)

/** True if every % of a URL begins the code of a character; parsers differ on others. */
export const isPercentEncoded = (url: string) => Option.isSome(decodePercents(url))
