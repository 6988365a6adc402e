// Draws odd but valid requests of each kind and prints the five whose longest piece takes most of the processor time that
// it may: 150 ms in a thread, 10 ms on the event loop. A seed always gives the same requests; exits with status 1 if a
// piece takes longer. For others: npm run odd -- --requests 2000 --seed 7 --kind progress --kind page
import { parseArgs } from "node:util"
import { Effect, Layer, Result } from "effect"
import { calculatedPages } from "../src/calculator/calculatedPages.ts"
import { readForm } from "../src/calculator/readForm.ts"
import { decodeAssumptions } from "../src/campaign/Assumptions.ts"
import { listForecasting } from "../src/forecast/computations.ts"
import { Forecaster } from "../src/forecast/Forecaster.ts"
import { decodeGoalRequest } from "../src/forecast/goals/GoalRequest.ts"
import { decodeProgressRequest } from "../src/forecast/progress/ProgressRequest.ts"
import type { InvalidInput } from "../src/input/InvalidInput.ts"
import type { Overloaded } from "../src/Limits.ts"
import { takeAllSteps } from "../src/workers/Computation.ts"
import { WorkerPool } from "../src/workers/WorkerPool.ts"
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

/** The milliseconds of processor time that a function takes in this thread, whatever other processes do. */
const measureOnce = (compute: () => unknown): number => {
  const before = process.threadCpuUsage()
  compute()
  const { system, user } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The least of several times if a function is long. */
const measure = (compute: () => unknown): number => {
  let least = Infinity
  for (let times = 0; times < 4 && least > suspicious; times++) least = Math.min(least, measureOnce(compute))
  return least
}

/** The longest piece of a request: its milliseconds, and where it runs. */
interface Piece {
  readonly millis: number
  readonly place: keyof typeof maxMillis
}

let place: Piece["place"] = "loop"
const pool = Layer.effect(
  WorkerPool,
  Effect.map(WorkerPool, ({ begin }) => ({
    begin: (share, computation, input) => {
      place = "thread"
      return begin(share, computation, input)
    }
  }))
).pipe(Layer.provide(WorkerPool.layerMemory))
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
  const steps = listForecasting.steps({ text: JSON.stringify(body), type: "json", answer: "json" })
  const pieces: Array<number> = []
  const computesPiece = (): boolean => {
    let isDone = false
    pieces.push(measureOnce(() => (isDone = steps.next().done === true)))
    return !isDone
  }
  while (computesPiece());
  // A list with errors ends after its first step.
  return pieces.length === 1 ? undefined : { millis: Math.max(...pieces), place: "thread" }
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
    ...(["/", "/report", "/embed"] as const).map((path) =>
      measure(() => takeAllSteps(calculatedPages.steps({ path, values: form, address, back: "/", day })))
    )
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

/** Pieces from the one that takes most of what it may. */
const byPart = <P extends Piece>(pieces: ReadonlyArray<P>): ReadonlyArray<P> =>
  pieces.toSorted((a, b) => partOf(b) - partOf(a))

const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text)

for (const kind of kinds.filter((each) => values.kind === undefined || values.kind.includes(each))) {
  const draw = makeDraw(Number(values.seed))[kind]
  const pieces: Array<Piece> = []
  let slowest: ReadonlyArray<Piece & { readonly body: Body }> = []
  const begun = performance.now()
  while (pieces.length < Number(values.requests)) {
    const body = draw()
    const piece = longest[kind](body)
    if (piece === undefined) continue
    pieces.push(piece)
    slowest = byPart([...slowest, { ...piece, body }]).slice(0, 20)
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  const times = pieces.map(({ millis }) => millis).toSorted((a, b) => b - a)
  const at = (part: number) => times[Math.floor(part * (times.length - 1))]?.toFixed(2)
  console.log(`${kind}: ${pieces.length} requests in ${seconds} s; median ${at(0.5)} ms, 1 of 100 above ${at(0.01)} ms`)
  // Machines have slow spells: what seems longest is measured again once they are over.
  const again = slowest.map((piece) => {
    const { millis } = longest[kind](piece.body) ?? piece
    return { ...piece, millis: Math.min(millis, piece.millis) }
  })
  const worst = byPart(again).slice(0, 5)
  for (const { body, millis, place } of worst)
    console.log(`${millis.toFixed(1).padStart(9)} ms (${place})  ${shorten(JSON.stringify(body))}`)
  if (worst.some((piece) => partOf(piece) > 1)) process.exitCode = 1
}
