// Summarizes the report of StrykerJS: a score for each folder, and the changes that no test noticed.
import { dirname } from "node:path"
import { Schema } from "effect"

const Position = Schema.Struct({ line: Schema.Int, column: Schema.Int })

const Report = Schema.Struct({
  files: Schema.Record(
    Schema.String,
    Schema.Struct({
      source: Schema.String,
      mutants: Schema.Array(
        Schema.Struct({
          status: Schema.String,
          replacement: Schema.optionalKey(Schema.String),
          location: Schema.Struct({ start: Position, end: Position })
        })
      )
    })
  )
})

export const decodeReport = Schema.decodeUnknownSync(Schema.fromJsonString(Report))

/** A change to a file, and its result: Killed, Timeout, Survived, NoCoverage, or another status of StrykerJS. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly status: string
  readonly from: string
  readonly to: string
}

/** The text between two positions, counted from 1. */
const textBetween = (source: string, { end, start }: { readonly [at in "start" | "end"]: typeof Position.Type }) => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, i) => line.slice(i === 0 ? start.column - 1 : 0, i === last ? end.column - 1 : undefined))
    .join("\n")
}

export const mutantsOf = ({ files }: typeof Report.Type): ReadonlyArray<Mutant> =>
  Object.entries(files).flatMap(([file, { mutants, source }]) =>
    mutants.map(({ location, replacement = "", status }) => ({
      file,
      line: location.start.line,
      status,
      from: textBetween(source, location),
      to: replacement
    }))
  )

const statuses = ["Killed", "Timeout", "Survived", "NoCoverage", "Ignored"] as const

const scored = (name: string, mutants: ReadonlyArray<Mutant>) => {
  const count = Object.fromEntries(
    statuses.map((status) => [status, mutants.filter((mutant) => mutant.status === status).length])
  )
  const { Killed = 0, NoCoverage = 0, Survived = 0, Timeout = 0 } = count
  const noticed = Killed + Timeout
  const all = noticed + Survived + NoCoverage
  const score = all === 0 ? "-" : ((noticed / all) * 100).toFixed(1)
  return { name, "%": score, ...count }
}

const short = (code: string) => {
  const text = code.replaceAll(/\s+/g, " ")
  return text.length > 90 ? `${text.slice(0, 60)} … ${text.slice(-27)}` : text
}

/** The remarks on mutants that need a look. One that timed out may only have run on a busy machine. */
const remarks: ReadonlyMap<string, string> = new Map([
  ["Survived", ""],
  ["NoCoverage", "(no test reaches this) "],
  ["Timeout", "(took too long) "]
])

/** Prints the mutants that no test noticed, or that took too long, and the scores by file and folder. */
export const print = (mutants: ReadonlyArray<Mutant>): void => {
  for (const { file, from, line, status, to } of mutants) {
    const remark = remarks.get(status)
    if (remark !== undefined) console.log(`${file}:${line}  ${remark}${short(from)}  →  ${short(to)}`)
  }
  const byFile = Map.groupBy(mutants, ({ file }) => file)
  const byFolder = Map.groupBy(mutants, ({ file }) => dirname(file))
  console.table([...byFile].map(([name, group]) => scored(name, group)))
  console.table([...[...byFolder].map(([name, group]) => scored(name, group)), scored("all", mutants)])
}
