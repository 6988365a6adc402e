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
  /** Undefined if this machine cannot tell. */
  readonly isMet: boolean | undefined
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

type Figure = (round: Measurement) => number | undefined

/** The median of the figures that are known. */
const medianOf = (figures: ReadonlyArray<number | undefined>): number | undefined => {
  const known = figures.filter((figure) => figure !== undefined)
  return known.length === 0 ? undefined : median(known)
}

/** The medians of the measurements. */
export const toResult = (measured: Measured): Result => {
  const of = (figure: (round: Measurement) => number) => median(measured.rounds.map(figure))
  return {
    ...measured,
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    cpu: {
      load: of(({ cpu }) => cpu.load),
      server: medianOf(measured.rounds.map(({ cpu }) => cpu.server)),
      machine: medianOf(measured.rounds.map(({ cpu }) => cpu.machine))
    },
    promoted: medianOf(measured.rounds.map(({ promoted }) => promoted))
  }
}

/** The processor time of a server per request in microseconds; undefined if the system does not report it. */
const microsOf = ({ cpu, perSecond }: Measurement): number | undefined =>
  cpu.server === undefined || perSecond === 0 ? undefined : (cpu.server * 1_000_000) / perSecond

/**
 * The median of the ratios of two servers in each round: whatever else the machine does changes from round to round, but
 * meets both servers of a round alike.
 */
const ratioOf = (one: Measured, other: Measured, figure: Figure): number | undefined =>
  medianOf(
    one.rounds.map((round, index) => {
      const otherRound = other.rounds[index]
      const [above, below] = [figure(round), otherRound && figure(otherRound)]
      return above === undefined || below === undefined ? undefined : above / below
    })
  )

/** A goal for the ratio of a figure of two servers; empty if one of them or the figure was not measured. */
const compare =
  (figureName: string, figure: Figure, bound: "at least" | "at most") =>
  (results: ReadonlyArray<Measured>, name: string, other: string, limit: number): ReadonlyArray<Goal> => {
    const find = (wanted: string) => results.find((result) => result.name === wanted)
    const [found, foundOther] = [find(name), find(other)]
    const actual = found && foundOther && ratioOf(found, foundOther, figure)
    if (actual === undefined) return []
    const isMet = bound === "at least" ? actual >= limit : actual <= limit
    return [{ goal: `${figureName} of ${name} / ${other} ${bound} ${limit}`, actual, isMet }]
  }

/** The goal that a server has at least this many times the throughput of another. */
export const atLeast = compare("requests/s", ({ perSecond }) => perSecond, "at least")

/** The goal that a request takes at most this many times the processor time of a request to another server. */
export const cpuAtMost = compare("CPU", microsOf, "at most")

/** The goal that 99% of requests are answered in at most this many times the time of another server. */
export const p99AtMost = compare("p99", ({ p99 }) => p99, "at most")

/** The same goals, only shown and not judged unless a condition of the machine holds. */
export const judgedIf = (condition: boolean, goals: ReadonlyArray<Goal>): ReadonlyArray<Goal> =>
  condition ? goals : goals.map((goal) => ({ ...goal, isMet: undefined }))

const verdict = ({ isMet }: Goal): string => (isMet === undefined ? "----" : isMet ? "pass" : "FAIL")

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
  ["CPU µs each", ({ rounds }) => medianOf(rounds.map(microsOf))?.toFixed(0) ?? ""],
  ["requests/s", ({ perSecond }) => count(perSecond)],
  [
    "of all rounds",
    ({ rounds }) => [Math.min, Math.max].map((end) => count(end(...rounds.map(({ perSecond }) => perSecond)))).join("–")
  ],
  ["p50 ms", ({ p50 }) => p50.toFixed(1)],
  ["p99 ms", ({ p99 }) => p99.toFixed(1)],
  ["promoted", ({ promoted }) => (promoted === undefined ? "" : `${(100 * promoted).toFixed(1)}%`)],
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
    ...goals.map((goal) => `${verdict(goal)}  ${goal.goal}: ${goal.actual.toFixed(2)}`)
  ].join("\n")
}
