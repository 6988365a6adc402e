import { Schema } from "effect"
import { McpSchema } from "effect/ai"
import { CampaignsSummary } from "../forecast/list/CampaignForecast.ts"
import { CreditProblem } from "../credits/CreditsProblems.ts"
import { HttpProblem } from "../http/problems/HttpProblems.ts"
import { problemsOf } from "../http/problems/problem.ts"
import { IdempotencyProblem } from "../idempotency/IdempotencyProblems.ts"
import { KeyProblem } from "../keys/KeysProblems.ts"
import type { RequestState } from "../http/RequestState.ts"

/** The answer of a tool: a JSON text, and whether it is a replay, which was charged before. */
export interface ToolAnswer {
  readonly text: string
  readonly isReplay: boolean
}

const ToolProblem = { ...HttpProblem, ...KeyProblem, ...IdempotencyProblem, ...CreditProblem }

/** The failures of a call. */
export type ToolFailure = (typeof ToolProblem)[keyof typeof ToolProblem]["Type"]

const { toProblem } = problemsOf<ToolFailure>(ToolProblem)

/** The longest answer that is repeated as text, in characters: a model reads the text of a result, which costs tokens. */
const longestText = 32 * 1024

/** The most campaigns named in the text. */
const mostNamed = 10

const decodeSummary = Schema.decodeSync(
  Schema.fromJsonString(Schema.Struct({ ...CampaignsSummary.fields, usage: Schema.Unknown }))
)

/** Marks the end of the list of forecasts, which may be megabytes and would take long to parse. */
const totalsMark = '],"totals":'

/** The totals and the ranking of many campaigns, without the forecast of each. */
const summaryOf = (answer: string): string => {
  // This mark occurs only after the list of forecasts: in a JSON string its quotes would be escaped.
  const { ranking, totals, ...rest } = decodeSummary(`{${answer.slice(answer.lastIndexOf(totalsMark) + 2)}`)
  const { by, neighbours, order } = ranking
  return JSON.stringify({
    note: `The forecast of each campaign is in the structured content. Ranked here: the best ${mostNamed} of ${order.length}.`,
    totals,
    ranking: { by, order: order.slice(0, mostNamed), neighbours: neighbours.slice(0, mostNamed - 1) },
    ...rest
  })
}

/** The result of a successful call, without its structured content, which is the text of the answer, unchanged. */
export const answeredResult = ({ isReplay, text }: ToolAnswer): McpSchema.CallToolResult =>
  new McpSchema.CallToolResult({
    content: [{ type: "text", text: text.length <= longestText ? text : summaryOf(text) }],
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
