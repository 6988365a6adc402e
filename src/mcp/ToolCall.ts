import { Context, Result } from "effect"
import type { ApiKey } from "../keys/ApiKey.ts"
import type { AuthenticationFailure } from "../keys/Authenticator.ts"
import { MissingKey } from "../keys/KeyFailures.ts"
import type { McpMessage } from "./McpMessage.ts"

/** A call of a tool by an agent. */
export interface ToolCall {
  /** Its arguments: the body of the endpoint that does the same. */
  readonly arguments: McpMessage["toolArguments"]
  readonly key: Result.Result<ApiKey, AuthenticationFailure>
  /** The answer as a JSON text, once it is there: it becomes the structured content of the result as it is. */
  answer: string | undefined
}

/** A call of which nothing is known yet. */
export const newToolCall = (toolArguments: ToolCall["arguments"], key: ToolCall["key"]): ToolCall => ({
  arguments: toolArguments,
  key,
  answer: undefined
})

/** The call that is being answered; outside of one, an empty call that nobody reads. */
export const CurrentToolCall = Context.Reference<ToolCall>("outreach-forecast/mcp/CurrentToolCall", {
  defaultValue: () => newToolCall({ json: {} }, Result.fail(new MissingKey()))
})
