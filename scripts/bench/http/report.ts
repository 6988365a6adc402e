import type { Measurement } from "./measure.ts"

/** What was measured of one server: a measurement a round, and its memory after the last. */
export interface Measured {
  readonly name: string
  readonly title: string
  readonly rounds: ReadonlyArray<Measurement>
  /** Resident memory in MB, now and at its highest; none where the system does not tell. */
  readonly memory: { readonly now: number; readonly highest: number } | undefined
}

/** The medians over the rounds of one server. */
export interface Result extends Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly generatorCpu: number
}

/** A goal that was set for the service, where what it compares was measured. */
export interface Goal {
  readonly goal: string
  readonly actual: number
  readonly isMet: boolean
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

/** The medians of what was measured. */
export const toResult = (measured: Measured): Result => ({
  ...measured,
  perSecond: median(measured.rounds.map(({ perSecond }) => perSecond)),
  p50: median(measured.rounds.map(({ p50 }) => p50)),
  p99: median(measured.rounds.map(({ p99 }) => p99)),
  generatorCpu: median(measured.rounds.map(({ generatorCpu }) => generatorCpu))
})

/** The goals of the service, with what was reached. */
export const toGoals = (results: ReadonlyArray<Result>): ReadonlyArray<Goal> => {
  const find = (name: string) => results.find((result) => result.name === name)
  const atLeast = (name: string, other: string, least: number): ReadonlyArray<Goal> => {
    const [above, below] = [find(name), find(other)]
    if (above === undefined || below === undefined) return []
    const actual = above.perSecond / below.perSecond
    return [{ goal: `${name} / ${other} at least ${least}`, actual, isMet: actual >= least }]
  }
  const [ours, peer] = [find("ours"), find("peer-normal")]
  const memory = results.filter(({ name }) => name.startsWith("ours")).flatMap(({ memory }) => memory?.now ?? [])
  return [
    ...atLeast("ours", "peer-full", 5),
    ...atLeast("ours", "peer-normal", 1.2),
    ...atLeast("ours", "limit", 0.28),
    ...atLeast("ours-seeded", "ours", 0.9),
    ...atLeast("ours-idempotent", "ours", 0.8),
    ...(ours === undefined || peer === undefined
      ? []
      : [
          {
            goal: "p99 of ours / p99 of peer-normal at most 1",
            actual: ours.p99 / peer.p99,
            isMet: ours.p99 <= peer.p99
          }
        ]),
    ...(memory.length === 0
      ? []
      : [{ goal: "memory of ours below 200 MB", actual: Math.max(...memory), isMet: Math.max(...memory) < 200 }])
  ]
}

/** A share of one core from which on the generator is what is measured. */
const saturated = 0.95

const count = (value: number) => Math.round(value).toLocaleString("en-US")

/** The results and goals for a reader. */
export const show = (results: ReadonlyArray<Result>, goals: ReadonlyArray<Goal>): string => {
  const cells = [
    ["", "forecasts/s", "of all rounds", "p50 ms", "p99 ms", "memory MB", "highest", "load's CPU"],
    ...results.map(({ generatorCpu, memory, p50, p99, perSecond, rounds, title }) => [
      title,
      count(perSecond),
      [Math.min, Math.max].map((end) => count(end(...rounds.map(({ perSecond }) => perSecond)))).join("–"),
      p50.toFixed(1),
      p99.toFixed(1),
      memory === undefined ? "" : memory.now.toFixed(0),
      memory === undefined ? "" : memory.highest.toFixed(0),
      `${Math.round(generatorCpu * 100)} %${generatorCpu >= saturated ? " saturated" : ""}`
    ])
  ]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  return [
    ...cells.map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
    ),
    "",
    ...goals.map(({ actual, goal, isMet }) => `${isMet ? "pass" : "FAIL"}  ${goal}: ${actual.toFixed(2)}`)
  ].join("\n")
}
