import { Context, Result } from "effect"
import type { AuthenticatedKey, AuthenticationFailure } from "../keys/Authenticator.ts"
import { MissingKey } from "../keys/KeyFailures.ts"
import type { McpMessage } from "./McpMessage.ts"

/** A call of a tool by an agent. */
export interface ToolCall {
  /** Its arguments: the body of the equivalent endpoint. */
  readonly arguments: McpMessage["toolArguments"]
  readonly key: Result.Result<AuthenticatedKey, AuthenticationFailure>
  /** The answer as a JSON text, once it is available: it becomes the structured content of the result, unchanged. */
  answer: string | undefined
}

/** The initial state of a call. */
export const newToolCall = (toolArguments: ToolCall["arguments"], key: ToolCall["key"]): ToolCall => ({
  arguments: toolArguments,
  key,
  answer: undefined
})

/** The call being answered; outside a call, an empty one that is never read. */
export const CurrentToolCall = Context.Reference<ToolCall>("outreach-forecast/mcp/CurrentToolCall", {
  defaultValue: () => newToolCall({ json: {}, errors: [] }, Result.fail(new MissingKey()))
})
