import { Context, Result } from "effect"
import type { ApiKey } from "../../keys/ApiKey.ts"
import type { AuthenticationFailure } from "../../keys/Authenticator.ts"
import { MissingKey } from "../../keys/KeyFailures.ts"

/** A call of a tool by an agent. */
export interface ToolCall {
  /** The text of its arguments, a JSON object: the body of the endpoint that does the same. */
  readonly text: string
  readonly key: Result.Result<ApiKey, AuthenticationFailure>
  /** The answer as a JSON text, once it is there: it becomes the structured content of the result as it is. */
  answer: string | undefined
}

/** A call of which nothing is known yet. */
export const newToolCall = (text: string, key: ToolCall["key"]): ToolCall => ({ text, key, answer: undefined })

/** The call that is being answered; outside of one, an empty call that nobody reads. */
export const CurrentToolCall = Context.Reference<ToolCall>("outreach-forecast/http/CurrentToolCall", {
  defaultValue: () => newToolCall("{}", Result.fail(new MissingKey()))
})
