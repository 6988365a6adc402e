import { Console, DateTime } from "effect"
import { Flag } from "effect/cli"

/** The flag for JSON output. */
export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

/** A time in ISO 8601, in UTC. */
export const time = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** User input may contain control characters, which move the cursor of a terminal or break a line. */
const onOneLine = (value: string | number) => String(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, " ")

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
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** Prints a value as JSON, or else as text. */
export const print = (asJson: boolean, value: unknown, text: string) =>
  Console.log(asJson ? JSON.stringify(value, null, 2) : text)
