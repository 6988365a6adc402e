import { Effect, Function, Predicate, Schema } from "effect"
import { objectText } from "../lists/Lists.ts"
import { version } from "../../version.ts"
import type { McpMessage } from "./McpMessage.ts"
import { type KeyOfCall, makeToolCalls, type Reply } from "./toolCalls.ts"
import { instructions, makeTools, type Tool } from "./Tools.ts"

const server = { name: "outreach-forecast", version }

const describedServer = {
  ...server,
  description: "Forecasts the results of a cold-email campaign, and how certain they are."
}

const Client = Schema.Struct({ name: Schema.String, version: Schema.String })

const Capabilities = Schema.Record(Schema.String, Schema.Unknown)

const Meta = Schema.Struct({ progressToken: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])) })

/** The member of `_meta` in which a request names its revision. */
const revisionName = "io.modelcontextprotocol/protocolVersion"

const StatelessMeta = Schema.Struct({
  ...Meta.fields,
  "io.modelcontextprotocol/clientCapabilities": Capabilities,
  "io.modelcontextprotocol/clientInfo": Schema.optionalKey(Client)
})

/** The differences between the revisions of the protocol. */
interface Revision {
  readonly name: string
  readonly server: object
  /** The members of a tool in the list of tools. */
  readonly membersOf: (tool: Tool) => object
  /** True if a client may send a list of messages. */
  readonly hasLists?: true
  /** False if clients know no structured content: then the text has all of it. */
  readonly readsStructured?: false
  /** The replacement of the handshake: each request names its revision, each result the server. */
  readonly stateless?: {
    readonly meta: object
    readonly members: Reply["members"]
    /** The time that a result that is not of a tool may be kept, and for whom. */
    readonly cache: Reply["members"]
    /** The status of a response that there is no such method. */
    readonly notFound: number
  }
}

const bare = ({ description, inputSchema, name }: Tool) => ({ name, description, inputSchema })

const whole = (tool: Tool) => ({ ...tool })

/** The revision that is offered to a client that names none of those with a handshake. */
const newest: Revision = { name: "2025-11-25", server: describedServer, membersOf: whole }

/** Every supported revision. */
const rows: ReadonlyArray<Revision> = [
  newest,
  { name: "2025-06-18", server, membersOf: whole },
  {
    name: "2025-03-26",
    server,
    membersOf: (tool) => ({ ...bare(tool), annotations: { title: tool.title, ...tool.annotations } }),
    hasLists: true,
    readsStructured: false
  },
  { name: "2024-11-05", server, membersOf: bare, readsStructured: false },
  {
    name: "2026-07-28",
    server: describedServer,
    membersOf: whole,
    stateless: {
      meta: { "io.modelcontextprotocol/serverInfo": describedServer },
      members: { resultType: '"complete"' },
      cache: { ttlMs: "0", cacheScope: '"private"' },
      notFound: 404
    }
  }
]

const revisions: ReadonlyMap<string, Revision> = new Map(rows.map((row) => [row.name, row]))

const supported = [...revisions.keys()]

/** The headers of a request, by their names in lower case. */
type McpHeaders = Readonly<Record<string, string | undefined>>

/** The revision in the headers: before 2025-06-18 there was no header for it. */
const revisionIn = (headers: McpHeaders): string => headers["mcp-protocol-version"] ?? "2025-03-26"

/** True if a client may send a list of messages. */
export const hasLists = (headers: McpHeaders): boolean => revisions.get(revisionIn(headers))?.hasLists ?? false

/** An error of the protocol itself (JSON-RPC 2.0) as a JSON text, and the status of its response. */
interface McpError {
  readonly error: string
  readonly status: number
}

const fail = (code: number, message: string, status = 200, data?: object): Effect.Effect<never, McpError> =>
  Effect.fail({ error: JSON.stringify({ code, message, data }), status })

const invalidParams = fail(-32_602, "Invalid method parameters")

/** The text of a header, which is in base64 if it is not plain ASCII. */
const decodeHeader = (header = ""): string => {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString()
}

/** Finds a header that disagrees with a message; headers repeat parts of it for proxies. */
const findMismatch = ({ method, params }: McpMessage, revision: string, headers: McpHeaders): string | undefined =>
  Object.entries({
    "MCP-Protocol-Version": revision,
    "Mcp-Method": method,
    ...(method === "tools/call" && { "Mcp-Name": String(params["name"]) })
  }).find(([name, value]) => decodeHeader(headers[name.toLowerCase()]) !== value)?.[0]

/** Finds the revision of a request, named in the message or in its headers. */
const findRevision = (message: McpMessage, headers: McpHeaders): Effect.Effect<Revision, McpError> => {
  const { method, params } = message
  const meta = params["_meta"]
  const isNamed = Predicate.hasProperty(meta, revisionName)
  const inHeaders = method === "initialize" || method === "ping" ? newest.name : revisionIn(headers)
  const name = isNamed ? meta[revisionName] : inHeaders
  if (!Predicate.isString(name)) return invalidParams
  const mismatch = isNamed ? findMismatch(message, name, headers) : undefined
  if (mismatch !== undefined) return fail(-32_020, `The header ${mismatch} must agree with the message.`, 400)
  const revision = revisions.get(name)
  if (revision !== undefined && (isNamed || revision.stateless === undefined)) return Effect.succeed(revision)
  const requested = name.slice(0, 100)
  return fail(-32_022, `The revision ${requested} of the protocol is not supported.`, 400, { supported, requested })
}

const isMeta = ({ stateless }: Revision, meta: unknown): boolean =>
  stateless === undefined ? meta === undefined || Schema.is(Meta)(meta) : Schema.is(StatelessMeta)(meta)

/** A method: replies to a message in a revision. */
type Method = (message: McpMessage, revision: Revision, key: KeyOfCall) => Effect.Effect<Reply, McpError>

const always =
  (members: Reply["members"]): Method =>
  () =>
    Effect.succeed({ members })

const introduction = { capabilities: '{"tools":{}}', instructions: JSON.stringify(instructions) }

const Initialize = Schema.Struct({ protocolVersion: Schema.String, capabilities: Capabilities, clientInfo: Client })

const initialize: Method = ({ params }) => {
  if (!Schema.is(Initialize)(params)) return invalidParams
  const offered = revisions.get(params.protocolVersion) ?? newest
  const { name, server } = offered.stateless === undefined ? offered : newest
  const { capabilities, instructions } = introduction
  return Effect.succeed({
    members: {
      protocolVersion: JSON.stringify(name),
      capabilities,
      serverInfo: JSON.stringify(server),
      instructions
    }
  })
}

const discover: Method = (_, { stateless }) =>
  Effect.succeed({
    members: { ...stateless?.cache, supportedVersions: JSON.stringify(supported), ...introduction }
  })

const toolsIn = Function.memoize(({ membersOf }: Revision) =>
  JSON.stringify(makeTools().map((tool) => membersOf(tool)))
)

const listTools: Method = ({ params: { cursor } }, revision) =>
  cursor === undefined || Predicate.isString(cursor)
    ? Effect.succeed({ members: { ...revision.stateless?.cache, tools: toolsIn(revision) } })
    : invalidParams

/** Creates a function that answers requests, each by itself: there is no state between two of them. */
export const makeAnswerRequest = Effect.gen(function* () {
  const calls = yield* makeToolCalls
  const callTool: Method = ({ params: { name }, toolArguments }, { readsStructured = true }, key) => {
    if (!Predicate.isString(name)) return invalidParams
    return calls.get(name)?.(toolArguments, key, readsStructured) ?? fail(-32_602, `Tool '${name}' not found`)
  }
  const shared = { "tools/list": listTools, "tools/call": callTool }
  const statelessMethods = new Map(Object.entries({ ...shared, "server/discover": discover }))
  // Clients list prompts even if none are announced.
  const prompts = { "prompts/list": always({ prompts: "[]" }) }
  const methods = new Map(Object.entries({ ...shared, ...prompts, initialize, ping: always({}) }))

  const resultOf = Effect.fnUntraced(function* (message: McpMessage, headers: McpHeaders, key: KeyOfCall) {
    const revision = yield* findRevision(message, headers)
    const { stateless } = revision
    const method = (stateless === undefined ? methods : statelessMethods).get(message.method)
    if (method === undefined) return yield* fail(-32_601, `Method not found: ${message.method}`, stateless?.notFound)
    if (!isMeta(revision, message.params["_meta"])) return yield* invalidParams
    const { members, meta } = yield* method(message, revision, key)
    const _meta =
      stateless === undefined && meta === undefined ? {} : { _meta: JSON.stringify({ ...stateless?.meta, ...meta }) }
    return objectText({ ..._meta, ...stateless?.members, ...members })
  })

  return (
    id: string | number,
    message: McpMessage,
    headers: McpHeaders,
    key: KeyOfCall
  ): Effect.Effect<{ readonly status: number; readonly text: string }> => {
    const textOf = (member: Reply["members"]) => objectText({ jsonrpc: '"2.0"', id: JSON.stringify(id), ...member })
    return Effect.match(resultOf(message, headers, key), {
      onSuccess: (result) => ({ status: 200, text: textOf({ result }) }),
      onFailure: ({ error, status }) => ({ status, text: textOf({ error }) })
    })
  }
})
