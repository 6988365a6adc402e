import { Context, Effect, Layer } from "effect"
import { McpServer } from "effect/ai"
import type { Failure } from "../http/problems/Problems.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { failureOf } from "../http/problems/failureOf.ts"
import { CurrentToolCall } from "./ToolCall.ts"
import { makeToolHandlers } from "./ToolHandlers.ts"
import { answeredResult, failedResult } from "./toolResult.ts"
import { toolNames, tools } from "./Tools.ts"

const fail = (failure: Failure) => Effect.map(CurrentRequest, (state) => failedResult(failure, state))

/** Offers the tools on a server. A call that fails has a result that says so: models do not get to see other errors. */
export const McpTools = Layer.effectDiscard(
  Effect.gen(function* () {
    const server = yield* McpServer.McpServer
    const handlers = yield* makeToolHandlers
    for (const name of toolNames) {
      const handle = Effect.gen(function* () {
        const call = yield* CurrentToolCall
        const answer = yield* handlers[name](call)
        call.answer = answer.text
        return answeredResult(answer)
      }).pipe(
        Effect.catch(fail),
        Effect.catchCause((cause) => Effect.flatMap(failureOf(cause), fail))
      )
      yield* server.addTool({ tool: tools[name], annotations: Context.empty(), handle: () => handle })
    }
  })
)
