import { Console, Effect, Layer, Stream, Struct } from "effect"
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

/** Lays records out in columns, one per line, after the names of the columns; those of a later call are as wide or wider. */
const makeTable = () => {
  let widths: ReadonlyArray<number> | undefined
  return (records: ReadonlyArray<Printable>): string => {
    const names = Object.keys(records[0] ?? {})
    const rows = records.map((record) => names.map((name) => onOneLine(record[name] ?? "")))
    if (widths === undefined) rows.unshift(names)
    const before = widths ?? []
    // Not Math.max: there may be more rows than a call can have arguments.
    const wide = names.map((_, column) =>
      rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), before[column] ?? 0)
    )
    widths = wide
    return rows
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(wide[column] ?? 0))
          .join("  ")
          .trimEnd()
      )
      .join("\n")
  }
}

const noRecords = "none"

/** One record per line, in columns. */
export const table = (records: ReadonlyArray<Printable>): string =>
  records.length === 0 ? noRecords : makeTable()(records)

/** Prints a value as JSON or as text. */
export const print = (asJson: boolean, value: unknown, text: string) => Console.log(asJson ? safeJson(value, 2) : text)

/**
 * Prints records while they are read, so that memory holds few of them: as one JSON array, or as a table of rows with
 * some of their fields.
 */
export const printStream = <R extends Printable, E, R2>(
  asJson: boolean,
  records: Stream.Stream<R, E, R2>,
  rowOf: (record: R) => Printable
) =>
  Effect.gen(function* () {
    const layOut = makeTable()
    let held = ""
    yield* Stream.runForEachArray(
      records,
      Effect.fnUntraced(function* (some) {
        if (!asJson) {
          held = "\n"
          return yield* Console.log(layOut(some.map(rowOf)))
        }
        // What follows a record is known when the next one comes.
        if (held !== "") yield* Console.log(`${held},`)
        held = `${held === "" ? "[\n" : ""}${safeJson(some, 2).slice(2, -2)}`
      })
    )
    if (asJson) yield* Console.log(held === "" ? "[]" : `${held}\n]`)
    else if (held === "") yield* Console.log(noRecords)
  })

/** Prints a record with a field per line. */
export const printRecord = (asJson: boolean, record: Printable) => print(asJson, record, fields(record))

/** Prints records with a line each, of which the text has only some columns. */
export const printTable = <R extends Printable>(
  asJson: boolean,
  records: ReadonlyArray<R>,
  columns: ReadonlyArray<keyof R>
) => print(asJson, records, table(records.map(Struct.pick(columns))))
