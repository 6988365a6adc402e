import { Context, Effect, Layer } from "effect"
import { McpServer } from "effect/ai"
import { CurrentRequest } from "../http/RequestState.ts"
import { failureOf } from "../http/problems/failureOf.ts"
import { CurrentToolCall } from "./ToolCall.ts"
import { makeToolHandlers } from "./ToolHandlers.ts"
import { answeredResult, failedResult, type ToolFailure } from "./toolResult.ts"
import { toolNames, tools } from "./Tools.ts"

const fail = (failure: ToolFailure) => Effect.map(CurrentRequest, (state) => failedResult(failure, state))

/** Offers the tools on a server. A failed call is reported in its result: models do not see protocol errors. */
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
