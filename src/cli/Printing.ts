import { Console, Effect, Layer, Struct } from "effect"
import { Flag } from "effect/cli"
import { onItsLines, onOneLine, safeJson, withoutSecrets } from "../text/SafeText.ts"

/** The flag for JSON output. */
export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

/**
 * The console of all commands, which makes all output safe for a terminal, whatever its source.
 */
export const safeConsole = Layer.effect(
  Console.Console,
  Effect.map(Console.Console, (console): Console.Console => {
    const safely =
      (write: (text: string) => void) =>
      (...parts: ReadonlyArray<unknown>) =>
        write(onItsLines(parts.map(String).join(" ")))
    return Object.assign({}, console, {
      log: safely((text) => console.log(text)),
      // Keys are never printed here on purpose, but a quoted argument may be one.
      error: safely((text) => console.error(withoutSecrets(text)))
    })
  })
)

type Printable = Readonly<Record<string, string | number>>

/** One field per line. */
export const fields = (record: Printable): string => {
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${onOneLine(value)}`)
    .join("\n")
}

/** One record per line, in columns. */
export const table = (records: ReadonlyArray<Printable>): string => {
  const [first] = records
  if (first === undefined) return "none"
  const names = Object.keys(first)
  const rows = [names, ...records.map((record) => names.map((name) => onOneLine(record[name] ?? "")))]
  // Not Math.max: there may be more rows than a call can have arguments.
  const widths = names.map((_, column) => rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Prints a value as JSON or as text. */
export const print = (asJson: boolean, value: unknown, text: string) => Console.log(asJson ? safeJson(value, 2) : text)

/** Prints a record with a field per line. */
export const printRecord = (asJson: boolean, record: Printable) => print(asJson, record, fields(record))

/** Prints records with a line each, of which the text has only some columns. */
export const printTable = <R extends Printable>(
  asJson: boolean,
  records: ReadonlyArray<R>,
  columns: ReadonlyArray<keyof R>
) => print(asJson, records, table(records.map(Struct.pick(columns))))
