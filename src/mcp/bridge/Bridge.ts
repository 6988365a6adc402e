import { Effect, Option, Predicate, Result, Schema, Stdio, Stream } from "effect"
import { type Remote, send } from "./RemoteService.ts"

const Message = Schema.Struct({
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  method: Schema.optionalKey(Schema.String),
  params: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
type Message = typeof Message.Type

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Message))
const decodeRevision = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ result: Schema.Struct({ protocolVersion: Schema.String }) }))
)

/** The JSON-RPC errors for a text that is not a message, and for a request that was not answered. */
const invalid = -32_600
const failed = -32_603

/** The result of the handshake between a client and the service. */
interface Agreed {
  revision: string | undefined
  session: string | undefined
}

const metaOf = ({ params }: Message): unknown => params?.["_meta"]

/** The headers that repeat parts of a message: its revision and, from 2026-07-28 on, its method and the tool. */
const headersOf = (message: Message, { revision, session }: Agreed): Readonly<Record<string, string>> => {
  const meta = metaOf(message)
  const named = Predicate.isObject(meta) ? meta["io.modelcontextprotocol/protocolVersion"] : undefined
  const name = message.params?.["name"]
  if (Predicate.isString(named)) {
    return {
      "mcp-protocol-version": named,
      "mcp-method": message.method ?? "",
      ...(Predicate.isString(name) && /^[!-~]+$/.test(name) ? { "mcp-name": name } : {})
    }
  }
  if (message.method === "initialize") return {}
  return {
    ...(revision === undefined ? {} : { "mcp-protocol-version": revision }),
    ...(session === undefined ? {} : { "mcp-session-id": session })
  }
}

/** The answer to a message that the service did not answer: the result of a tool, which a model reads, or otherwise an error. */
const answerTo = (
  { id = null, method }: { readonly id?: string | number | null; readonly method?: string },
  text: string,
  code = failed
) =>
  JSON.stringify(
    method === "tools/call"
      ? { jsonrpc: "2.0", id, result: { isError: true, content: [{ type: "text", text }] } }
      : { jsonrpc: "2.0", id, error: { code, message: text } }
  )

/** Forwards the messages of an agent, one per line, to the service, until the input ends and all are answered. */
export const bridge = Effect.fnUntraced(function* (remote: Remote) {
  const stdio = yield* Stdio.Stdio
  const agreed: Agreed = { revision: undefined, session: undefined }

  const answer = Effect.fnUntraced(function* (line: string) {
    const message = decode(line)
    if (Result.isFailure(message)) return answerTo({}, "A line must be one JSON-RPC message.", invalid)
    const { success } = message
    const sent = yield* Effect.result(send(remote, line, headersOf(success, agreed)))
    if (Result.isFailure(sent)) return success.id === undefined ? "" : answerTo(success, sent.failure.message)
    if (success.method === "initialize") {
      agreed.session = sent.success.session
      agreed.revision = Option.getOrUndefined(decodeRevision(sent.success.text))?.result.protocolVersion
    }
    return sent.success.text
  })

  yield* stdio.stdin.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line.trim() !== ""),
    Stream.mapEffect(answer, { concurrency: "unbounded", unordered: true }),
    Stream.filter((text) => text !== ""),
    Stream.map((text) => `${text}\n`),
    Stream.run(stdio.stdout({ endOnDone: false }))
  )
})
