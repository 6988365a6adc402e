import { McpSchema } from "effect/ai"
import { CreditProblem } from "../credits/CreditsProblems.ts"
import { HttpProblem } from "../http/problems/HttpProblems.ts"
import { problemsOf } from "../http/problems/problem.ts"
import { IdempotencyProblem } from "../idempotency/IdempotencyProblems.ts"
import { KeyProblem } from "../keys/KeysProblems.ts"
import type { RequestState } from "../http/RequestState.ts"

/** The answer of a tool. */
export interface ToolAnswer {
  readonly json: string
  /** The sentence that a person should hear, then all that a model should read. */
  readonly texts: ReadonlyArray<string>
  /** True if it was charged before. */
  readonly isReplay: boolean
}

const ToolProblem = { ...HttpProblem, ...KeyProblem, ...IdempotencyProblem, ...CreditProblem }

/** The failures of a call. */
export type ToolFailure = (typeof ToolProblem)[keyof typeof ToolProblem]["Type"]

const { toProblem } = problemsOf<ToolFailure>(ToolProblem)

/** The result of a successful call, without its structured content, which is the JSON of the answer, unchanged. */
export const answeredResult = ({ isReplay, texts }: ToolAnswer): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({
    content: texts.map((text) => ({ type: "text", text })),
    ...(isReplay ? { _meta: { replayed: true } } : {})
  })

/** The result of a failed call: what happened and what to do, and the problem for programs. */
export const failedResult = (failure: ToolFailure, state: RequestState): McpSchema.CallToolResult => {
  const { body } = toProblem(failure, state)
  const { code, detail, errors = [], request_id, retryable, status, type } = body
  const list = errors.map(({ message, pointer }) => `- ${pointer || "they"} ${message}`)
  const sentences = list.length === 0 ? [detail] : ["Correct the arguments:", ...list]
  if (status === 401) {
    sentences.push(`Set the key as a header in the settings of this server: see ${state.publicUrl}/docs/agents.`)
  }
  sentences.push(retryable ? "The same call may succeed later; it is never charged twice." : "Nothing was charged.")
  sentences.push(`(${code}, explained at ${type}; request ${request_id})`)
  return new McpSchema.CallToolResult({
    isError: true,
    content: [{ type: "text", text: sentences.join("\n") }],
    _meta: { problem: body }
  })
}
