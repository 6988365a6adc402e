import type { Measurement } from "./measure.ts"

/** The figures of one server: a measurement per round, and its memory after the last one. */
export interface Measured {
  readonly name: string
  readonly title: string
  readonly rounds: ReadonlyArray<Measurement>
  /** Resident memory in MB, now and at its peak; undefined if the system does not report it. */
  readonly memory: { readonly now: number; readonly highest: number } | undefined
}

/** The medians over the rounds of one server. */
export interface Result extends Measured, Measurement {}

/** A goal of the service, and the figure reached. */
export interface Goal {
  readonly goal: string
  readonly actual: number
  readonly isMet: boolean
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

/** The medians of the measurements. */
export const toResult = (measured: Measured): Result => {
  const medianOf = (read: (round: Measurement) => number) => median(measured.rounds.map(read))
  const medianWhereKnown = (read: (round: Measurement) => number | undefined) => {
    const known = measured.rounds.flatMap((round) => read(round) ?? [])
    return known.length === 0 ? undefined : median(known)
  }
  return {
    ...measured,
    perSecond: medianOf(({ perSecond }) => perSecond),
    p50: medianOf(({ p50 }) => p50),
    p99: medianOf(({ p99 }) => p99),
    cpu: {
      load: medianOf(({ cpu }) => cpu.load),
      server: medianWhereKnown(({ cpu }) => cpu.server),
      machine: medianWhereKnown(({ cpu }) => cpu.machine)
    }
  }
}

/** Finds two of the results and states a goal for them; empty if one of them was not measured. */
export const compare = (
  results: ReadonlyArray<Result>,
  [name, other]: readonly [string, string],
  toGoal: (one: Result, other: Result) => Goal
): ReadonlyArray<Goal> => {
  const find = (wanted: string) => results.find(({ name }) => name === wanted)
  const [found, foundOther] = [find(name), find(other)]
  return found === undefined || foundOther === undefined ? [] : [toGoal(found, foundOther)]
}

/** The goal that a server has at least this many times the throughput of another. */
export const atLeast = (results: ReadonlyArray<Result>, name: string, other: string, least: number) =>
  compare(results, [name, other], (above, below) => {
    const actual = above.perSecond / below.perSecond
    return { goal: `${name} / ${other} at least ${least}`, actual, isMet: actual >= least }
  })

/** The processor time of a server per request in microseconds; undefined if the system does not report it. */
const microsOf = ({ cpu, perSecond }: Result): number | undefined =>
  cpu.server === undefined || perSecond === 0 ? undefined : (cpu.server * 1_000_000) / perSecond

/** The goal that a request takes at most this many times the processor time of a request to another server. */
export const cpuAtMost = (results: ReadonlyArray<Result>, name: string, other: string, most: number) =>
  compare(results, [name, other], (one, two) => {
    const actual = (microsOf(one) ?? 0) / (microsOf(two) ?? 1)
    return { goal: `CPU of ${name} / CPU of ${other} at most ${most}`, actual, isMet: actual <= most }
  })

/** The share of a core that the kernel and an otherwise idle machine may use. */
const maxForOthers = 0.2

/** A warning for each result during which something else was busy, which makes the figures too low. */
const disturbances = (results: ReadonlyArray<Result>): ReadonlyArray<string> =>
  results
    .map(({ cpu, title }) => ({ title, others: (cpu.machine ?? 0) - (cpu.server ?? 0) - cpu.load }))
    .filter(({ others }) => others > maxForOthers)
    .map(({ others, title }) => `Something else used ${others.toFixed(2)} cores during “${title}”: measure it again`)

/** The share of one core from which the load, not the server, limits the figures. */
const saturated = 0.95

const count = (value: number) => Math.round(value).toLocaleString("en-US")
const percent = (share: number) => `${Math.round(share * 100)}%`

const columns: ReadonlyArray<readonly [string, (result: Result) => string]> = [
  ["", ({ title }) => title],
  ["requests/s", ({ perSecond }) => count(perSecond)],
  ["CPU µs each", (result) => microsOf(result)?.toFixed(0) ?? ""],
  [
    "of all rounds",
    ({ rounds }) => [Math.min, Math.max].map((end) => count(end(...rounds.map(({ perSecond }) => perSecond)))).join("–")
  ],
  ["p50 ms", ({ p50 }) => p50.toFixed(1)],
  ["p99 ms", ({ p99 }) => p99.toFixed(1)],
  ["memory MB", ({ memory }) => memory?.now.toFixed(0) ?? ""],
  ["highest", ({ memory }) => memory?.highest.toFixed(0) ?? ""],
  ["CPU: server", ({ cpu }) => (cpu.server === undefined ? "" : percent(cpu.server))],
  ["load", ({ cpu }) => `${percent(cpu.load)}${cpu.load >= saturated ? " saturated" : ""}`],
  ["machine", ({ cpu }) => (cpu.machine === undefined ? "" : percent(cpu.machine))]
]

/** The results and goals as a text. Columns that would be empty are left out; shares are of one core. */
export const show = (results: ReadonlyArray<Result>, goals: ReadonlyArray<Goal>): string => {
  const filled = columns
    .map(([name, cell]) => [name, ...results.map(cell)])
    .filter(([, ...cells]) => cells.some((cell) => cell !== ""))
    .map((cells, column) => {
      const width = Math.max(...cells.map(({ length }) => length))
      return cells.map((cell) => (column === 0 ? cell.padEnd(width) : cell.padStart(width)))
    })
  return [
    ...["", ...results].map((_, row) => filled.map((cells) => cells[row]).join("  ")),
    "",
    ...disturbances(results),
    ...goals.map(({ actual, goal, isMet }) => `${isMet ? "pass" : "FAIL"}  ${goal}: ${actual.toFixed(2)}`)
  ].join("\n")
}
