import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, BigDecimal, Option, Predicate, Result } from "effect"
import { tableOf } from "../../src/calculator/history/PastRows.ts"
import { readForm } from "../../src/calculator/readForm.ts"
import { decodeAssumptions } from "../../src/campaign/Assumptions.ts"
import { fieldNames } from "../../src/campaign/Fields.ts"
import { countNames, openNames } from "../../src/campaign/Rates.ts"
import { decodeGoalRequest } from "../../src/forecast/goals/GoalRequest.ts"
import { aims } from "../../src/forecast/goals/GoalTarget.ts"
import { decodeProgressRequest } from "../../src/forecast/progress/ProgressRequest.ts"
import { sample } from "../support/Samples.ts"
import { seeded } from "../support/Seeded.ts"

type Numbers = Readonly<Record<string, number>>

const soFar = { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 }
const pastRow = { emails_sent: 800, replies: 31, positive_replies: 9, meetings: 3, clients: 1 }

const numbersOf = (text: string) => text.split(" ").map(Number)

/** Numbers within the bounds of fields and of each other, at them, and beyond. */
const inputs = numbersOf(
  "-1 0 0.5 1 2 2.5 4 20 21 50 80 95 99.9 100 101 100000 102000 102001 1e8 100000001 1e9 1000000001"
)
const counts = numbersOf("-1 0 0.5 1 2 3 4 5 14 15 62 63 800 801 1900 1901 2000 2001 1e8 100000001")
const openCounts = numbersOf("-1 0 0.5 2 3 4 10 11 48 49 1838 1839 1938 1939 100000 100001")
const targets = numbersOf("-1 0 0.001 4 1e8 100000001 1e9 1000000001 1e12 2e12")

/** Campaigns that differ from valid ones in up to two numbers, in flight or not, with or without goal and history. */
const campaigns = (seed: number) => {
  const random = seeded(seed)
  const pick = <A>(values: ReadonlyArray<A>): A =>
    Option.getOrThrow(Arr.get(values, Math.floor(random() * values.length)))
  /** The same fields with another number in one of them, sometimes; or with one left out. */
  const changed = (fields: Numbers, names: ReadonlyArray<string>, numbers: ReadonlyArray<number>): Numbers => {
    if (random() < 0.7) return fields
    const { [pick(names)]: _, ...others } = fields
    return { ...others, ...(random() < 0.9 && { [pick(names)]: pick(numbers) }) }
  }
  return () => {
    const hasRefinements = random() < 0.3
    return {
      plan: changed({ ...sample, ...(hasRefinements && { delivery_rate: 95, show_rate: 80 }) }, fieldNames, inputs),
      soFar: changed({ ...soFar, ...(hasRefinements && { delivered: 1900, meetings_held: 3 }) }, countNames, counts),
      open: random() < 0.5 ? {} : { [pick(openNames)]: pick(openCounts) },
      left: random() < 0.8 ? undefined : pick(openCounts),
      past: changed(pastRow, countNames, counts),
      aim: pick(aims),
      target: pick(targets),
      kind: pick(["flight", "flight", "goal", "history"])
    }
  }
}

const texts = (values: Numbers, prefix = "") =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, String(value)]))

const given = (name: string, value: number | undefined): Numbers => (value === undefined ? {} : { [name]: value })

/** A value with plain decimals, in one order of members. */
const comparable = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) =>
    BigDecimal.isBigDecimal(inner)
      ? BigDecimal.format(inner)
      : Predicate.isObject(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner
  )

describe("the form", () => {
  it("accepts exactly the campaigns that the API accepts, and reads the same numbers", () => {
    const next = campaigns(39)
    let accepted = 0
    for (let round = 0; round < 1000; round++) {
      const { aim, kind, left, open, past, plan, soFar, target } = next()
      const values = {
        ...texts(plan),
        ...(kind === "flight" && {
          ...texts(soFar, "so_far_"),
          ...texts(open, "open_"),
          ...texts(given("emails_left", left))
        }),
        ...(kind === "history" && { history: tableOf([texts(past)]) }),
        ...(kind === "goal" && { goal_aim: aim, goal: String(target) })
      }
      const { errors, input } = readForm(values)
      const form = input && {
        ...input.first,
        ...(input.flight && { flight: input.flight }),
        ...(input.goal && { goal: input.goal })
      }
      const api =
        kind === "flight"
          ? Result.map(
              decodeProgressRequest({ ...plan, so_far: soFar, open, ...given("emails_left", left) }),
              ({ assumptions, ...flight }) => ({ assumptions, flight })
            )
          : kind === "goal"
            ? decodeGoalRequest({ ...plan, goal: { [aim]: target } })
            : Result.map(
                decodeAssumptions({ ...plan, ...(kind === "history" && { history: [past] }) }),
                (assumptions) => ({ assumptions })
              )
      if (form === undefined && Result.isFailure(api)) continue
      if (form === undefined || Result.isFailure(api)) assert.fail(JSON.stringify({ values, errors, api }))
      const { name: _, ...read } = form
      assert.strictEqual(comparable(read), comparable(api.success))
      accepted++
    }
    assert.isAbove(accepted, 300)
  })
})
