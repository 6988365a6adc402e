import { Effect } from "effect"
import type { CliError, HelpDoc } from "effect/cli"
import { exampleOf } from "./ExampleValues.ts"
import { listed, withLine, withoutPasswords } from "./TypedLine.ts"

type Doc = HelpDoc.HelpDoc

/** A line that does not fit the command that it names. */
export interface Mistake {
  readonly error: CliError.NonShowHelpErrors
  /** The command that was found in it. */
  readonly doc: Doc
  /** Its words, without the program. */
  readonly words: ReadonlyArray<string>
}

const nameOf = ({ commandPath = [] }: Doc): string => commandPath.slice(1).join(" ") || "outreach-forecast"

const isSecret = (name: string) => name === "from" || name === "to"

const indexOfFlag = (words: ReadonlyArray<string>, ...names: ReadonlyArray<string>): number =>
  words.findIndex((word) => names.some((name) => word === name || word.startsWith(`${name}=`)))

const missingFlags = ({ flags }: Doc, words: ReadonlyArray<string>): ReadonlyArray<string> =>
  flags
    .filter((flag) => flag.required && indexOfFlag(words, `--${flag.name}`, ...flag.aliases) === -1)
    .map(({ name }) => name)

const requiredArguments = ({ args = [] }: Doc): ReadonlyArray<string> =>
  args.filter(({ required }) => required).map(({ name }) => name)

/** The arguments from the first that is missing on. */
const missingArguments = (doc: Doc, { error }: Mistake): ReadonlyArray<string> => {
  const names = requiredArguments(doc)
  return error._tag === "MissingArgument" ? names.slice(names.indexOf(error.argument)) : []
}

const didYouMean = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "." : `; did you mean ${listed(suggestions, "or")}?`

const expectation = (expected: string, type: string | undefined): string => {
  const plain = expected.replace(/^Schema validation failed: /, "").replace(/^Expected:? /, "")
  if (plain.startsWith("must ")) return plain
  if (type === "integer" && /number$|^an integer/.test(plain)) return "must be a whole number"
  return `must be ${plain.startsWith('"') ? listed(plain.replaceAll('"', "").split(" | "), "or") : plain}`
}

const invalidValue = ({ expected, kind, option, value }: CliError.InvalidValue, { flags }: Doc): string => {
  const name = kind === "flag" ? `--${option}` : option.toUpperCase()
  const times = /^(\d+) occurrences$/.exec(value)?.[1]
  if (times !== undefined) return `${name} is given ${times} times; use it once.`
  if (value === "") return `${name} needs a value.`
  const type = flags.find((flag) => flag.name === option)?.type
  return `${name} ${expectation(expected, type)}, not ${value}.`
}

/** Whether a flag of the command stands before its name. */
const isMisplaced = ({ option }: CliError.UnrecognizedOption, { flags }: Doc): boolean =>
  flags.some(({ name }) => `--${name}` === option)

const sentenceOf = (mistake: Mistake): string => {
  const { doc, error, words } = mistake
  const name = nameOf(doc)
  switch (error._tag) {
    case "UnrecognizedOption":
      return isMisplaced(error, doc)
        ? `${error.option} must come after ${name}.`
        : `${name} has no flag ${error.option}${didYouMean(error.suggestions)}`
    case "UnknownSubcommand":
      return `${name} has no command ${error.subcommand}${didYouMean(error.suggestions)}`
    case "MissingOption":
    case "MissingArgument": {
      const args = missingArguments(doc, mistake).map((argument) => argument.toUpperCase())
      return `${name} needs ${listed([...args, ...missingFlags(doc, words).map((flag) => `--${flag}`)])}.`
    }
    case "UnexpectedArgument":
      return `${name} takes ${requiredArguments(doc).length === 0 ? "no arguments" : "fewer arguments"}: remove ${listed(error.arguments)}.`
    case "InvalidValue":
      return invalidValue(error, doc)
    default:
      return error.message
  }
}

/** The words with what is wrong in them put right; undefined where nobody can know what was meant. */
const corrected = ({ doc, error, words }: Mistake): ReadonlyArray<string> | undefined => {
  switch (error._tag) {
    case "UnrecognizedOption": {
      const [suggestion] = error.suggestions
      const at = indexOfFlag(words, error.option)
      if (suggestion !== undefined) {
        return words.with(
          at,
          (words[at] ?? "").replace(error.option, () => suggestion)
        )
      }
      return isMisplaced(error, doc) ? [...words.toSpliced(at, 1), error.option] : undefined
    }
    case "UnknownSubcommand": {
      const [suggestion] = error.suggestions
      return suggestion === undefined ? undefined : words.with(words.indexOf(error.subcommand), suggestion)
    }
    case "UnexpectedArgument":
      return words.filter((word) => !error.arguments.includes(word))
    case "InvalidValue":
      return withExample(error, doc, words)
    default:
      return words
  }
}

/** The words with a right value in the place of a wrong one. */
const withExample = (
  { expected, kind, option, value }: CliError.InvalidValue,
  doc: Doc,
  words: ReadonlyArray<string>
) => {
  const example = /^"(\w+)" \|/.exec(expected)?.[1] ?? exampleOf(option, nameOf(doc))
  if (kind === "argument") return words.with(words.lastIndexOf(value), example ?? option.toUpperCase())
  const isSwitch = doc.flags.some(({ name, type }) => name === option && type === "boolean")
  const others = withoutFlag(words, doc, option)
  if (!isSwitch && example === undefined) return undefined
  return [...others, `--${option}`, ...(isSwitch ? [] : [example ?? ""])]
}

/** The words without a flag and its values. */
const withoutFlag = (words: ReadonlyArray<string>, { flags }: Doc, name: string): ReadonlyArray<string> => {
  const spellings = [`--${name}`, ...(flags.find((flag) => flag.name === name)?.aliases ?? [])]
  return words.filter((word, i) => {
    const isIt = indexOfFlag([word], ...spellings) === 0
    const isItsValue = spellings.includes(words[i - 1] ?? "") && !word.startsWith("-")
    return !isIt && !isItsValue
  })
}

/** The words with an example for all that is still missing, and for what nobody should see. */
const completed = (words: ReadonlyArray<string>, doc: Doc, mistake: Mistake): ReadonlyArray<string> => {
  const name = nameOf(doc)
  const example = (missing: string) => exampleOf(missing, name) ?? missing.toUpperCase()
  const shown = doc.flags
    .filter((flag) => isSecret(flag.name) && indexOfFlag(words, `--${flag.name}`) !== -1)
    .reduce((rest, flag) => [...withoutFlag(rest, doc, flag.name), `--${flag.name}`, example(flag.name)], words)
  const path = (doc.commandPath ?? []).slice(1)
  const isNew = doc !== mistake.doc && words.length === path.length
  return [
    ...shown,
    ...(isNew ? requiredArguments(doc) : missingArguments(doc, mistake)).map(example),
    ...missingFlags(doc, shown).flatMap((flag) => [`--${flag}`, example(flag)])
  ]
}

/**
 * What is wrong with a line in one sentence, and the line to type instead: the same, with what is wrong put right and with an
 * example for what is missing. `docOf` looks a command up by its path.
 */
export const showMistake = Effect.fnUntraced(function* (
  mistake: Mistake,
  docOf: (path: ReadonlyArray<string>) => Effect.Effect<Doc | undefined>
) {
  const { doc, error } = mistake
  const path = (doc.commandPath ?? []).slice(1)
  const words = corrected(mistake)
  // A command whose name was misspelt is one level below the one that was found.
  const names = (words ?? []).slice(0, (words ?? []).findIndex((word) => word.startsWith("-")) >>> 0)
  const meant = error._tag === "UnknownSubcommand" && words !== undefined ? yield* docOf(names) : doc
  const isComplete = words !== undefined && meant !== undefined && (meant.subcommands ?? []).length === 0
  const line = isComplete ? completed(words, meant, mistake) : [...(meant?.commandPath?.slice(1) ?? path), "--help"]
  return withoutPasswords(withLine(sentenceOf(mistake), line))
})
