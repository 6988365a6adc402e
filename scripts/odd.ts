// Draws odd but valid requests of each kind and prints the five whose longest piece takes a processor longest, with
// that time: no piece may take more than 150 ms of a thread. A seed always gives the same requests; exits with status 1
// if a piece takes longer. For others: npm run odd -- --requests 2000 --seed 7 --kind progress --kind page
import { parseArgs } from "node:util"
import { Result } from "effect"
import { calculatedViews } from "../src/calculator/calculatedViews.ts"
import { embedView } from "../src/calculator/views/Embed.ts"
import { readForm } from "../src/calculator/readForm.ts"
import { reportView } from "../src/calculator/views/Report.ts"
import { decodeAssumptions } from "../src/campaign/Assumptions.ts"
import { forecasting, goalReaching, progressing } from "../src/forecast/computations.ts"
import { decodeGoalRequest } from "../src/forecast/goals/GoalRequest.ts"
import { decodeProgressRequest } from "../src/forecast/progress/ProgressRequest.ts"
import type { InvalidInput } from "../src/input/InvalidInput.ts"
import type { Computation } from "../src/workers/Computation.ts"
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

/** The most milliseconds of a thread that a piece may take. */
const most = 150

/** A piece that seems to take longer than this is measured again. */
const suspicious = 20

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

/** The milliseconds of the longest piece; undefined if the request is not valid. */
const single =
  <I>(decode: (json: unknown) => Result.Result<I, InvalidInput>, { run }: Computation<I, object, never>) =>
  (body: Body): number | undefined => {
    const decoded = decode(body)
    return Result.isFailure(decoded) ? undefined : measure(() => run(decoded.success, Infinity))
  }

const forecast = single(decodeAssumptions, forecasting)

const list = (body: Body): number | undefined => {
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
  return Math.max(...pieces)
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

const page = (body: Body): number | undefined => {
  const form = formOf(body)
  if (readForm(form).input === undefined) return undefined
  const address = { baseUrl: "http://localhost:3000", hasDemoKey: true }
  const day = "1 January 2026"
  return Math.max(
    measure(() => calculatedViews.run({ values: form, address }, Infinity)),
    measure(() => reportView.run({ values: form, baseUrl: address.baseUrl, day }, Infinity)),
    measure(() => embedView.run({ values: form, baseUrl: address.baseUrl }, Infinity))
  )
}

const longest: { readonly [kind in Kind]: (body: Body) => number | undefined } = {
  forecast,
  goal: single(decodeGoalRequest, goalReaching),
  progress: single(decodeProgressRequest, progressing),
  history: forecast,
  list,
  page
}

const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text)

for (const kind of kinds.filter((each) => values.kind === undefined || values.kind.includes(each))) {
  const draw = makeDraw(Number(values.seed))[kind]
  const times: Array<{ readonly millis: number; readonly text: string }> = []
  const begun = performance.now()
  while (times.length < Number(values.requests)) {
    const body = draw()
    const millis = longest[kind](body)
    if (millis !== undefined) times.push({ millis, text: shorten(JSON.stringify(body)) })
  }
  times.sort((a, b) => b.millis - a.millis)
  const at = (part: number) => times[Math.floor(part * (times.length - 1))]?.millis.toFixed(2)
  console.log(
    `${kind}: ${times.length} requests in ${((performance.now() - begun) / 1000).toFixed(0)} s; median ${at(0.5)} ms, 1 of 100 above ${at(0.01)} ms`
  )
  for (const { millis, text } of times.slice(0, 5)) console.log(`${millis.toFixed(1).padStart(9)} ms  ${text}`)
  if ((times[0]?.millis ?? 0) > most) process.exitCode = 1
}
