import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import { widthOf, wrap } from "./Layout.ts"

interface Row {
  readonly left: string
  readonly right: string
}

/** Rows of two columns; the right one is wrapped. Where there is little room it stands below the left one. */
const rows = (all: ReadonlyArray<Row>, width: number): ReadonlyArray<string> => {
  const room = Math.max(...all.map(({ left }) => widthOf(left)))
  const longest = Math.max(...all.flatMap(({ right }) => right.split(" ").map(widthOf)))
  return all.flatMap(({ left, right }) => {
    if (room + 4 + Math.max(longest, 32) > width) return [`  ${left}`, ...wrap(right, width, "      ")]
    const first = `  ${left}${" ".repeat(room - widthOf(left))}  `
    return wrap(right, width, first, " ".repeat(first.length))
  })
}

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", title, ...lines]

const flagRow = (flag: HelpDoc.FlagDoc): Row => {
  const { aliases, description, name, required, type } = flag
  const value = type === "boolean" ? "" : ` ${type.startsWith("<") ? "choice" : type}`
  return {
    left: [`--${name}`, ...aliases].join(", ") + value,
    right: Option.getOrElse(description, () => "") + (required ? " (required)" : "")
  }
}

/** The help of a command for people, in lines of at most `width` columns; examples and usage are never broken. */
export const helpText = (doc: HelpDoc.HelpDoc, width: number): string => {
  const { args = [], description, examples = [], flags, globalFlags = [], subcommands = [], usage } = doc
  const table = (title: string, all: ReadonlyArray<Row>) => section(title, all.length === 0 ? [] : rows(all, width))
  return [
    ...wrap(description, width, ""),
    ...section("USAGE", [`  ${usage}`]),
    ...table(
      "ARGUMENTS",
      args.map(({ description, name, required }) => ({
        left: name,
        right: Option.getOrElse(description, () => "") + (required ? "" : " (optional)")
      }))
    ),
    ...table("FLAGS", flags.map(flagRow)),
    ...table(
      "COMMANDS",
      subcommands.flatMap(({ commands }) =>
        commands.map(({ description, name, shortDescription }) => ({
          left: name,
          right: shortDescription ?? description
        }))
      )
    ),
    ...section(
      "EXAMPLES",
      examples.flatMap(({ command, description = "" }) => [...wrap(`# ${description}`, width), `  ${command}`])
    ),
    ...table("GLOBAL FLAGS", globalFlags.map(flagRow))
  ].join("\n")
}
