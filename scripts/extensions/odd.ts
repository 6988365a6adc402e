// Draws odd but valid requests of each kind, and odd bodies of each kind, most of them invalid, and prints the five whose
// longest piece takes most of the processor time that it may: 150 ms in a thread, 10 ms on the event loop. A seed always
// gives the same ones; exits with status 1 if a piece takes longer. For others:
// npm run odd -- --requests 2000 --seed 7 --kind progress --kind form
import { parseArgs } from "node:util"
import { Effect, Layer, Result } from "effect"
import { formCalculation } from "../../src/extensions/calculator/calculatedPages.ts"
import { readForm } from "../../src/extensions/calculator/readForm.ts"
import { decodeAssumptions } from "../../src/campaign/Assumptions.ts"
import { goalOperation } from "../../src/extensions/goals/goalOperation.ts"
import { listForecasting } from "../../src/extensions/lists/listForecasting.ts"
import { progressOperation } from "../../src/extensions/progress/progressOperation.ts"
import { Forecaster, type Turn } from "../../src/forecast/Forecaster.ts"
import { readCampaignsJson } from "../../src/extensions/lists/CampaignsJson.ts"
import { decodeGoalRequest } from "../../src/extensions/goals/GoalRequest.ts"
import { decodeProgressRequest } from "../../src/extensions/progress/ProgressRequest.ts"
import type { InvalidInput } from "../../src/input/InvalidInput.ts"
import type { Overloaded } from "../../src/Limits.ts"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"
import { byPart, least, partOf, type Piece, piecesOf, suspicious, timed } from "./odd/measure.ts"
import { bodyKinds, makeDrawBody } from "./odd/oddBodies.ts"
import { type Body, type Kind, kinds, makeDraw } from "./odd/oddRequests.ts"
import { longestOfBody } from "./odd/readBodies.ts"

const { values } = parseArgs({
  options: {
    kind: { type: "string", multiple: true },
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" }
  }
})

/** The longest pieces of what was to be computed in threads. */
const inThreads: Array<number> = []
const pool = Layer.succeed(WorkerPool, {
  begin: (_, computation, input) =>
    Effect.succeed((inTurn) => {
      inThreads.push(least(() => piecesOf(computation, input)))
      return inTurn(Effect.interrupt)
    })
})
const forecaster = Effect.runSync(Effect.provide(Forecaster, Layer.provide(Forecaster.layer, pool)))
const turn = { of: { key: "odd" }, admit: Effect.void }

/** Measures a request of a single campaign; undefined if it is not valid. */
const single =
  <I>(
    decode: (json: unknown) => Result.Result<I, InvalidInput>,
    compute: (request: I, turn: Turn<never>) => Effect.Effect<object, Overloaded>
  ) =>
  (body: Body): Piece | undefined => {
    const decoded = decode(body)
    if (Result.isFailure(decoded)) return undefined
    const here = () => timed(() => Effect.runSyncExit(compute(decoded.success, turn)))[1]
    const millis = here()
    const inThread = inThreads.pop()
    if (inThread !== undefined) return { millis: inThread, place: "thread" }
    return { millis: millis > suspicious ? least(here) : millis, place: "loop" }
  }

const forecast = single(decodeAssumptions, forecaster.forecast)

const list = (body: Body): Piece | undefined => {
  const request = { text: JSON.stringify(body), type: "json", answer: "json" } as const
  if (Result.isFailure(readCampaignsJson(request.text))) return undefined
  return { millis: least(() => piecesOf(listForecasting, request)), place: "thread" }
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
  const values = formOf(body)
  if (readForm(values).input === undefined) return undefined
  const address = { baseUrl: "http://localhost:3000", hasDemoKey: true }
  const day = "1 January 2026"
  const millis = Math.max(
    ...(["/", "/report", "/embed"] as const).map((path) =>
      least(() => piecesOf(formCalculation, { path, form: { values }, address, day }))
    )
  )
  return { millis, place: "thread" }
}

const longest: { readonly [kind in Kind]: (body: Body) => Piece | undefined } = {
  forecast,
  goal: single(decodeGoalRequest, goalOperation.compute(forecaster)),
  progress: single(decodeProgressRequest, progressOperation.compute(forecaster)),
  history: forecast,
  list,
  page
}

const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text)

/** Draws one after another, and keeps the last one, so that it can be measured again. */
const drawn =
  <B extends object>(draw: () => B, measure: (body: B) => Piece | undefined) =>
  () => {
    const body = draw()
    return { body, measure: () => measure(body) }
  }

const requests = makeDraw(Number(values.seed))
const bodies = makeDrawBody(Number(values.seed))
const all = [
  ...kinds.map((kind) => ({ kind, next: drawn(requests[kind], longest[kind]) })),
  ...bodyKinds.map((kind) => ({ kind, next: drawn(bodies[kind], longestOfBody(kind)) }))
]

for (const { kind, next } of all.filter(({ kind }) => values.kind === undefined || values.kind.includes(kind))) {
  const pieces: Array<Piece> = []
  let slowest: ReadonlyArray<Piece & ReturnType<typeof next>> = []
  const begun = performance.now()
  while (pieces.length < Number(values.requests)) {
    const own = next()
    const piece = Result.getOrElse(Result.try(own.measure), (error) => {
      console.log(`throws ${String(error).slice(0, 200)}  ${shorten(JSON.stringify(own.body))}`)
      process.exitCode = 1
      return undefined
    })
    if (piece === undefined) continue
    pieces.push(piece)
    slowest = byPart([...slowest, { ...piece, ...own }]).slice(0, 20)
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  const times = pieces.map(({ millis }) => millis).toSorted((a, b) => b - a)
  const at = (part: number) => times[Math.floor(part * (times.length - 1))]?.toFixed(2)
  console.log(`${kind}: ${pieces.length} requests in ${seconds} s; median ${at(0.5)} ms, 1 of 100 above ${at(0.01)} ms`)
  // Machines have slow spells: what seems longest is measured again once they are over.
  const again = slowest.map((piece) => {
    const measured = piece.measure()
    return measured !== undefined && partOf(measured) < partOf(piece) ? { ...piece, ...measured } : piece
  })
  const worst = byPart(again).slice(0, 5)
  for (const { body, millis, place } of worst)
    console.log(`${millis.toFixed(1).padStart(9)} ms (${place})  ${shorten(JSON.stringify(body))}`)
  if (worst.some((piece) => partOf(piece) > 1)) process.exitCode = 1
}
