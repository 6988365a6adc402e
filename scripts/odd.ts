// Draws odd but valid requests of each kind and prints the five whose longest piece takes most of the processor time that
// it may: 150 ms in a thread, 10 ms on the event loop. A seed always gives the same requests; exits with status 1 if a
// piece takes longer. For others: npm run odd -- --requests 2000 --seed 7 --kind progress --kind page
import { parseArgs } from "node:util"
import { Effect, Layer, Result } from "effect"
import { calculatedViews } from "../src/calculator/calculatedViews.ts"
import { embedView } from "../src/calculator/views/Embed.ts"
import { readForm } from "../src/calculator/readForm.ts"
import { reportView } from "../src/calculator/views/Report.ts"
import { decodeAssumptions } from "../src/campaign/Assumptions.ts"
import { Forecaster } from "../src/forecast/Forecaster.ts"
import { decodeGoalRequest } from "../src/forecast/goals/GoalRequest.ts"
import { decodeProgressRequest } from "../src/forecast/progress/ProgressRequest.ts"
import type { InvalidInput } from "../src/input/InvalidInput.ts"
import type { Overloaded } from "../src/Overloaded.ts"
import { WorkerPool } from "../src/workers/WorkerPool.ts"
import { levelsToSum } from "../src/forecast/list/Portfolio.ts"
import {
  listComparison,
  listForecasting,
  listLearning,
  listReading,
  listSum,
  listSummary
} from "../src/metering/computations.ts"
import { type Body, type Kind, kinds, makeDraw } from "./odd/oddRequests.ts"

const { values } = parseArgs({
  options: {
    kind: { type: "string", multiple: true },
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" }
  }
})

/** The most milliseconds that a piece may take. */
const maxMillis = { thread: 150, loop: 10 }

/** A piece that seems to take longer than this is measured again. */
const suspicious = 4

/**
 * The milliseconds of processor time that a function takes in this thread, whatever other processes do: the least of
 * several times if it is long.
 */
const measure = (compute: () => unknown): number => {
  let least = Infinity
  for (let times = 0; times < 4 && least > suspicious; times++) {
    const before = process.threadCpuUsage()
    compute()
    const { system, user } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** The longest piece of a request: its milliseconds, and where it runs. */
interface Piece {
  readonly millis: number
  readonly place: keyof typeof maxMillis
}

let place: Piece["place"] = "loop"
const pool = Layer.succeed(WorkerPool, {
  size: 1,
  compute: (_, piece) => {
    place = "thread"
    return piece(({ run }, input) => Effect.suspend(() => Effect.fromResult(run(input, Infinity))))
  }
})
const forecaster = Effect.runSync(Effect.provide(Forecaster, Layer.provide(Forecaster.layer, pool)))
const turn = { of: "odd", admit: Effect.void }

/** Measures a request of a single campaign; undefined if it is not valid. */
const single =
  <I>(
    decode: (json: unknown) => Result.Result<I, InvalidInput>,
    compute: (
      request: I,
      turn: { readonly of: string; readonly admit: Effect.Effect<void> }
    ) => Effect.Effect<object, Overloaded>
  ) =>
  (body: Body): Piece | undefined => {
    const decoded = decode(body)
    if (Result.isFailure(decoded)) return undefined
    place = "loop"
    const millis = measure(() => Effect.runSync(compute(decoded.success, turn)))
    return { millis, place }
  }

const forecast = single(decodeAssumptions, forecaster.forecast)

const list = (body: Body): Piece | undefined => {
  const text = JSON.stringify(body)
  const read = listReading.run({ text, format: "json" }, Infinity)
  if (Result.isFailure(read)) return undefined
  const { campaigns, lessons } = read.success
  const pieces: Array<number> = [measure(() => listReading.run({ text, format: "json" }, Infinity))]
  const piece = <A>(compute: () => Result.Result<A>): A => {
    let result: Result.Result<A> | undefined
    pieces.push(measure(() => (result = compute())))
    return Result.getOrThrow(result ?? compute())
  }
  const learnings = (lessons?.campaigns ?? []).flatMap((campaign, index) =>
    piece(() =>
      listLearning.run({ history: lessons?.history ?? "", campaigns: [{ text: campaign, isFirst: index === 0 }] }, 0)
    )
  )
  const listed = campaigns.map((each, index) => {
    const learned = learnings[lessons?.places[index] ?? 0]?.learned
    return learned === undefined ? { text: each } : { text: each, learned }
  })
  const forecasts = listed.flatMap((campaign) =>
    piece(() => listForecasting.run({ campaigns: [campaign], format: "json" }, 0))
  )
  const columns = levelsToSum(listed.length, lessons !== undefined).flatMap((level) =>
    piece(() => listSum.run({ campaigns: listed, levels: [level] }, 0))
  )
  const { by, positions } = piece(() =>
    listSummary.run(
      {
        contributions: forecasts.map(({ contribution }) => contribution),
        columns,
        record: learnings[0]?.track_record ?? null
      },
      0
    )
  )
  const ranked = positions.flatMap((position) => listed[position] ?? [])
  for (const [index, second] of ranked.slice(1).entries()) {
    const first = ranked[index]
    if (first !== undefined) piece(() => listComparison.run({ by, pairs: [[first, second]] }, 0))
  }
  return { millis: Math.max(...pieces), place: "thread" }
}

/** The fields of the form for a request. */
const formOf = (body: Body): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
      if (name === "history" && Array.isArray(value)) return [[name, value.map(shortRow).join("_")]]
      if (typeof value !== "object" || value === null) return [[name, String(value)]]
      return Object.entries(value).map(([part, count]) => [`${name}_${part}`, String(count)] as const)
    })
  )

const shortRow = (row: Body) =>
  ["emails_sent", "delivered", "replies", "positive_replies", "meetings", "meetings_held", "clients"]
    .map((name) => String(row[name]))
    .join(".")

const page = (body: Body): Piece | undefined => {
  const form = formOf(body)
  if (readForm(form).input === undefined) return undefined
  const address = { baseUrl: "http://localhost:3000", hasDemoKey: true }
  const day = "1 January 2026"
  const millis = Math.max(
    measure(() => calculatedViews.run({ values: form, address }, Infinity)),
    measure(() => reportView.run({ values: form, baseUrl: address.baseUrl, day }, Infinity)),
    measure(() => embedView.run({ values: form, baseUrl: address.baseUrl }, Infinity))
  )
  return { millis, place: "thread" }
}

const longest: { readonly [kind in Kind]: (body: Body) => Piece | undefined } = {
  forecast,
  goal: single(decodeGoalRequest, forecaster.goal),
  progress: single(decodeProgressRequest, forecaster.progress),
  history: forecast,
  list,
  page
}

const partOf = ({ millis, place }: Piece) => millis / maxMillis[place]

const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text)

for (const kind of kinds.filter((each) => values.kind === undefined || values.kind.includes(each))) {
  const draw = makeDraw(Number(values.seed))[kind]
  const pieces: Array<Piece & { readonly text: string }> = []
  const begun = performance.now()
  while (pieces.length < Number(values.requests)) {
    const body = draw()
    const piece = longest[kind](body)
    if (piece !== undefined) pieces.push({ ...piece, text: shorten(JSON.stringify(body)) })
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  const times = pieces.map(({ millis }) => millis).toSorted((a, b) => b - a)
  const at = (part: number) => times[Math.floor(part * (times.length - 1))]?.toFixed(2)
  console.log(`${kind}: ${pieces.length} requests in ${seconds} s; median ${at(0.5)} ms, 1 of 100 above ${at(0.01)} ms`)
  const worst = pieces.toSorted((a, b) => partOf(b) - partOf(a)).slice(0, 5)
  for (const { millis, place, text } of worst) console.log(`${millis.toFixed(1).padStart(9)} ms (${place})  ${text}`)
  if (worst.some((piece) => partOf(piece) > 1)) process.exitCode = 1
}
