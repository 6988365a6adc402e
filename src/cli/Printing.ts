import { Console, DateTime } from "effect"
import { Flag } from "effect/cli"

/** The flag for JSON output. */
export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

/** A time in ISO 8601, in UTC. */
export const time = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** Input may contain control characters, which move the cursor of a terminal, hide text or break a line. */
export const onOneLine = (value: string | number): string =>
  String(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")

/** A text of several lines, of which each is as `onOneLine` leaves it. */
export const onItsLines = (text: string): string => text.split("\n").map(onOneLine).join("\n")

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

const escaped = (text: string) =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** JSON for a terminal too: what JSON may leave as it is, but a terminal would obey, is escaped. */
const jsonText = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, escaped)

/** Prints a value as JSON, or else as text. */
export const print = (asJson: boolean, value: unknown, text: string) => Console.log(asJson ? jsonText(value) : text)
