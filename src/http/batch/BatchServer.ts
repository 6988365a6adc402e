import type { IncomingMessage } from "node:http"
import { Array as Arr, Effect, Exit, Result } from "effect"
import { FindMyWay } from "effect/http"
import { Transaction } from "../../database/Transaction.ts"
import { Authenticator } from "../../keys/Authenticator.ts"
import { continueAll } from "../../Many.ts"
import { batchDuration, batchSize, requestsWaiting } from "../../observability/Metrics.ts"
import { sampled } from "../../observability/Tracing.ts"
import type { Answer, Call, LongAnswer } from "./BatchHandler.ts"
import { forecastHandler } from "../../metering/ForecastsHttp.ts"
import { keyIdOf, KeyLimits } from "../../keys/KeyLimits.ts"
import { Refusals } from "../limits/Refusals.ts"
import { usageHandler } from "../../credits/UsageHttp.ts"
import { Overloaded } from "../problems/HttpFailures.ts"
import type { Failure } from "../../Problems.ts"
import { readBody } from "./BatchBody.ts"
import { failureOf } from "../problems/failureOf.ts"
import { makeLongAnswers } from "./LongAnswers.ts"
import { makeRequestQueue } from "./RequestQueue.ts"
import { sendProblem } from "./sendFailure.ts"
import type { ActiveRequest } from "../server/Sending.ts"
import { makeSettle, type Settled } from "./Settling.ts"
import { type BatchRoute, type Waiting, write } from "./Waiting.ts"

/** How many requests may wait to be answered. */
const mostWaiting = 1000

/** A waiting request with a usable key. */
interface WaitingCall extends Call {
  readonly waiting: Waiting
}

/** A waiting request, and whose it is where its key is usable. */
type Asked = Pick<Settled, "keyId"> & { readonly request: Waiting }

/** Gives every item the failure that the whole of them came to, if they did. */
const orFailEach = <A>(
  items: ReadonlyArray<unknown>,
  results: Effect.Effect<ReadonlyArray<Result.Result<A, Failure>>>
): Effect.Effect<ReadonlyArray<Result.Result<A, Failure>>> =>
  Effect.catchCause(results, (cause) =>
    Effect.map(failureOf(cause), (failure) => items.map(() => Result.fail(failure)))
  )

/**
 * Answers requests together: those that arrive while others are being answered go through key look-up, decoding,
 * computing, charging and answering as one batch. Each step takes an array and gives a result for each item; what one
 * request is refused touches no other. One that comes alone waits for nobody.
 */
export const makeBatchServer = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const settle = yield* makeSettle
  const limits = yield* KeyLimits
  const refusals = yield* Refusals
  const transaction = yield* Transaction
  const handlers = [yield* forecastHandler, yield* usageHandler]
  const routes = FindMyWay.make<BatchRoute>()
  for (const handler of handlers) {
    for (const endpoint of handler.endpoints) {
      routes.on(endpoint.method, `/${endpoint.path.slice(1)}`, { handler, endpoint })
    }
  }
  const queue = makeRequestQueue<Waiting>(mostWaiting)
  const longAnswers = yield* makeLongAnswers

  const authenticate = (waiting: ReadonlyArray<Waiting>) =>
    Effect.map(authenticator.authenticateAll(waiting.map(({ hash }) => hash)), (keys) =>
      Arr.zipWith(waiting, keys, (waiting, key): Result.Result<WaitingCall, Failure> => {
        waiting.admitted.lookedUp(keyIdOf(key))
        if (Result.isFailure(key)) {
          if ("prefix" in key.failure) waiting.state.keyPrefix = key.failure.prefix
          return Result.fail(key.failure)
        }
        waiting.state.keyPrefix = key.success.secretPrefix
        const { body, request, route } = waiting
        return Result.succeed({
          waiting,
          endpoint: route.endpoint.identifier,
          key: key.success,
          headers: request.headers,
          body
        })
      })
    )

  const handle = Effect.fnUntraced(function* (calls: ReadonlyArray<WaitingCall>) {
    const answered = new Map<WaitingCall, Result.Result<Answer | LongAnswer, Failure>>()
    for (const handler of handlers) {
      const mine = calls.filter(({ waiting }) => waiting.route.handler === handler)
      if (mine.length === 0) continue
      const answers = yield* orFailEach(mine, handler.answer(mine))
      for (const [call, answer] of Arr.zip(mine, answers)) answered.set(call, answer)
    }
    return calls.flatMap((call) => answered.get(call) ?? [])
  })

  const settleLater = (asked: Asked, answer: LongAnswer) =>
    orFailEach([asked], Effect.map(Effect.result(answer), Arr.of)).pipe(
      Effect.flatMap((answers) => settle(answers.map((answered) => ({ ...asked, answered })))),
      Effect.ensuring(
        Effect.sync(() => {
          asked.request.release()
          queue.done(asked.request)
        })
      )
    )

  const answerAll = Effect.fnUntraced(function* (waiting: ReadonlyArray<Waiting>) {
    const keys = yield* orFailEach(waiting, authenticate(waiting))
    const answers = yield* continueAll(keys, handle)
    const settled: Array<Settled> = []
    const long: Array<readonly [Asked, LongAnswer]> = []
    for (const [request, [key, result]] of Arr.zip(waiting, Arr.zip(keys, answers))) {
      const asked = { request, keyId: Result.isSuccess(key) ? key.success.key.id : undefined }
      if (Result.isFailure(result)) settled.push({ ...asked, answered: Result.fail(result.failure) })
      else if (Effect.isEffect(result.success)) long.push([asked, result.success])
      else settled.push({ ...asked, answered: Result.succeed(result.success) })
    }
    yield* settle(settled)
    for (const [asked, answer] of long) {
      yield* longAnswers.begin(asked.request, settleLater(asked, answer))
    }
  })

  const answerBatch = (most: number) =>
    Effect.flatMap(queue.take(most), (taken) => {
      // Nobody is charged for an answer that would reach nobody.
      const waiting = taken.filter(({ response }) => !response.destroyed)
      for (const each of waiting) each.hold()
      const startedAt = performance.now()
      batchSize(taken.length)
      requestsWaiting(queue.size())
      return answerAll(waiting).pipe(
        sampled("BatchServer.answerAll", { "outreach_forecast.batch.size": taken.length }),
        Effect.exit,
        Effect.flatMap((exit) =>
          Exit.isSuccess(exit)
            ? Effect.void
            : Effect.flatMap(failureOf(exit.cause), (failure) =>
                Effect.sync(() => {
                  const left = waiting.filter((each) => !longAnswers.has(each) && !each.response.headersSent)
                  for (const each of left) sendProblem(each, failure)
                })
              )
        ),
        Effect.ensuring(
          Effect.sync(() => {
            batchDuration((performance.now() - startedAt) / 1000)
            for (const each of waiting) if (!longAnswers.has(each)) each.release()
            for (const each of taken) if (!longAnswers.has(each)) queue.done(each)
          })
        )
      )
    })

  yield* Effect.forkScoped(transaction.batched(answerBatch))

  return {
    /** The method and path of each. */
    endpoints: handlers.flatMap(({ endpoints }) =>
      endpoints.map(({ method, path }) => ({ method, path: `/${path.slice(1)}` as const }))
    ),
    /** Who answers a request, where it is one of those that are answered together. */
    routeOf: ({ method = "", url = "" }: IncomingMessage): BatchRoute | undefined =>
      routes.find(method === "HEAD" ? "GET" : method, url)?.handler,
    /** Answers a request in its turn, or at once where its key or client has sent too many, or too many wait. */
    answer: (active: ActiveRequest, route: BatchRoute): void => {
      const { request, response, state } = active
      state.route = route.endpoint.path
      const refuse = (failure: Failure) =>
        refusals.inTurn(request, () => write({ ...active, route }, Result.fail(failure)))
      const sent = authenticator.hashToFind(String(request.headers["x-api-key"] ?? ""))
      if (Result.isFailure(sent)) return refuse(sent.failure)
      const hash = sent.success
      const end = limits.admit(request, hash, (admission) => {
        if (Result.isFailure(admission)) return refuse(admission.failure)
        const admitted = admission.success
        const offer = (body: Call["body"]) => {
          const { share } = admitted
          const refused = queue.offer({ ...active, connection: request.socket, share, admitted, hash, route, body })
          if (refused !== undefined) sendProblem(refused, new Overloaded())
        }
        if (request.method === "POST") readBody(request, offer)
        else offer(Result.succeed(""))
      })
      if (end !== undefined) response.once("close", end)
    }
  }
})
