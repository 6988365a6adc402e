import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { usageByMonth } from "../../src/credits/Balance.ts"
import { Ledger } from "../../src/credits/Ledger.ts"
import { Draining } from "../../src/http/server/Draining.ts"
import type { DirectAnswer } from "../../src/http/server/RequestPipeline.ts"
import { CurrentRequest, newRequest } from "../../src/http/RequestState.ts"
import { KeyLimits } from "../../src/keys/KeyLimits.ts"
import { RequestKeys } from "../../src/keys/RequestKeys.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { KeyUsage } from "../../src/metering/KeyUsage.ts"
import { endpoints } from "../../src/metering/UsageHttp.ts"
import { application, storesWith } from "../support/Application.ts"
import { httpApplication, issueKey, sendRaw } from "../support/Http.ts"

const usageOf = Schema.decodeUnknownSync(Schema.fromJsonString(KeyUsage))

describe("requests for plain usage", () => {
  it.effect("that arrive together are read together, and each gets its own", () => {
    const together: Array<ReadonlyArray<KeyId>> = []
    const stores = storesWith(Ledger, {
      usages: (keyIds, month) =>
        Effect.sync(() => {
          together.push(keyIds)
          return keyIds.map(() => usageByMonth(month, { granted: 5, remaining: 4 }, []))
        })
    })
    return Effect.gen(function* () {
      const [endpoint] = yield* endpoints
      const ask = (secret: string) =>
        Effect.callback<DirectAnswer, unknown>((resume) => {
          const request = new IncomingMessage(new Socket())
          request.headers["x-api-key"] = secret
          const state = newRequest("", "")
          const run = (answer: Effect.Effect<DirectAnswer, unknown>) =>
            resume(Effect.provideService(answer, CurrentRequest, state))
          const later = () => ({ run, send: (answer: DirectAnswer) => resume(Effect.succeed(answer)) })
          endpoint?.begin({ request, state, isSampled: false, run, later })
        })
      const keys = [yield* issueKey(), yield* issueKey()]
      const secrets = keys.map(({ secret }) => secret)
      // A secret that this process has not seen is looked up alone.
      for (const secret of secrets) yield* ask(secret)
      together.splice(0)
      const answers = yield* Effect.all([...secrets, ...secrets].map(ask), { concurrency: "unbounded" })
      const prefixes = answers.map(({ json }) => usageOf(json).key_prefix)
      assert.deepStrictEqual(
        prefixes,
        [...secrets, ...secrets].map((secret, i) => secret.slice(0, prefixes[i]?.length))
      )
      assert.deepStrictEqual(together, [keys.map(({ id }) => id)])
    }).pipe(
      Effect.provide(
        RequestKeys.layer.pipe(
          Layer.provideMerge(KeyLimits.layer),
          Layer.provide(Draining.layer),
          Layer.provideMerge(application({ stores }))
        )
      )
    )
  })

  it.effect("have the methods and queries of the endpoint's route", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const path = "/api/v1/usage"
      for (const [method, target, status] of [
        ["GET", `http://a${path}`, 200],
        ["GET", `${path}?`, 200],
        ["GET", `${path}?by=day`, 200],
        ["GET", `${path}?by=year`, 400],
        ["HEAD", path, 200],
        ["OPTIONS", path, 204],
        ["POST", path, 405]
      ] as const) {
        const request = `${method} ${target} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${secret}\r\nConnection: close\r\n\r\n`
        assert.match(yield* sendRaw(request), new RegExp(`^HTTP/1.1 ${status} `), target)
      }
    }).pipe(Effect.provide(httpApplication()))
  )
})
