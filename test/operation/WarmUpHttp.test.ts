import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { Forecaster } from "../../src/forecast/Forecaster.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { warmUp } from "../../src/operation/WarmUpHttp.ts"
import { application } from "../support/Application.ts"

const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [total] = yield* sql<{ readonly rows: number }>`
    SELECT (SELECT count(*) FROM api_keys) + (SELECT count(*) FROM credit_ledger) + (SELECT count(*) FROM credit_balances)
      AS rows`
  return total?.rows
})

describe("the warm-up before the service is ready", () => {
  it.live("answers rounds of forecasts, and leaves no row, no metric and no log line", () => {
    let forecasts = 0
    const lines: Array<unknown> = []
    const counting = Layer.mock(Forecaster, {
      forecast: (assumptions) =>
        Effect.sync(() => {
          forecasts++
          return computeForecast(assumptions).forecast
        })
    })
    return Effect.gen(function* () {
      const [rowsBefore, metricsBefore] = [yield* rows, JSON.stringify(yield* Metric.snapshot)]
      yield* Effect.provide(warmUp, counting)
      assert.isAtLeast(forecasts, 64)
      assert.strictEqual(yield* rows, rowsBefore)
      assert.strictEqual(JSON.stringify(yield* Metric.snapshot), metricsBefore)
      assert.deepStrictEqual(lines, [])
    }).pipe(
      Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(message))])),
      Effect.provide(application())
    )
  })
})
