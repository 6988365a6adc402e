import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect, Predicate, Schema } from "effect"
import { baseUrl } from "../../support/Http.ts"
import { sendTo } from "../../support/Requests.ts"

const keyHeader = (key: string | undefined): Record<string, string> => (key === undefined ? {} : { "x-api-key": key })

/** An agent: the official client of the Model Context Protocol, connected to the server of the test. */
export const connectAgent = Effect.fnUntraced(function* (key?: string, headers: Record<string, string> = {}) {
  const base = yield* baseUrl
  const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
    requestInit: { headers: { ...keyHeader(key), ...headers } }
  })
  const client = new Client({ name: "test", version: "1.0.0" })
  // oxlint-disable-next-line typescript/consistent-type-assertions -- its own types differ in what may be undefined.
  yield* Effect.promise(() => client.connect(transport as Parameters<Client["connect"]>[0]))
  return client
})

/** The result of a tool call. */
interface Outcome {
  readonly isError: boolean
  /** The sentence for a person. */
  readonly sentence: string
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>> | undefined
  /** The code of the problem of a call that failed. */
  readonly code: string | undefined
  readonly isReplay: boolean
}

const Result = Schema.Struct({
  content: Schema.NonEmptyArray(Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })),
  structuredContent: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  isError: Schema.optionalKey(Schema.Boolean),
  _meta: Schema.optionalKey(
    Schema.Struct({
      problem: Schema.optionalKey(Schema.Struct({ code: Schema.String })),
      replayed: Schema.optionalKey(Schema.Boolean)
    })
  )
})

const decodeResult = Schema.decodeUnknownSync(Result)

/** Calls a tool. */
export const callTool = Effect.fnUntraced(function* (
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {}
) {
  const result = decodeResult(yield* Effect.promise(() => client.callTool({ name, arguments: { ...args } })))
  const outcome: Outcome = {
    isError: result.isError ?? false,
    sentence: result.content[0].text,
    text: result.content.map(({ text }) => text).join("\n"),
    structured: result.structuredContent,
    code: result._meta?.problem?.code,
    isReplay: result._meta?.replayed ?? false
  }
  return outcome
})

/** Sends a message to the endpoint without the library. */
export const sendMessage = Effect.fnUntraced(function* (
  message: unknown,
  headers: Record<string, string> = {},
  method: string = "POST"
) {
  const body = Predicate.isString(message) ? message : JSON.stringify(message)
  const response = yield* sendTo(yield* baseUrl, "/mcp", {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" ? { body } : {})
  })
  const json: unknown = response.text === "" ? undefined : JSON.parse(response.text)
  return { status: response.status, headers: response.headers, text: response.text, json }
})
