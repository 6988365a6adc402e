import { Predicate, Result } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { type McpHeaders, type McpMessage, revisionOf } from "./McpMessage.ts"

/** The revisions with a handshake, newest first: the newest is offered to a client that names none of them. */
const withHandshake = [
  McpProtocol.v2025_11_25,
  McpProtocol.v2025_06_18,
  McpProtocol.v2025_03_26,
  McpProtocol.v2024_11_05
] as const

/** Every supported revision of the protocol. */
export const protocols = [...withHandshake, McpProtocol.v2026_07_28] as const

const supported = protocols.map(({ protocolVersion }) => protocolVersion)

/** An error of the protocol itself (JSON-RPC 2.0). */
export interface McpError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The revision named in a request: from 2026-07-28 on, each names one. */
export const revisionNamedBy = ({ params }: McpMessage): unknown =>
  Predicate.isObject(params["_meta"]) ? params["_meta"]["io.modelcontextprotocol/protocolVersion"] : undefined

/** The parts of a request that its headers repeat for proxies; both must agree. */
const headersOf = (message: McpMessage, version: string): ReadonlyArray<readonly [string, string]> => {
  const { method, params } = message
  const name = method === "resources/read" ? params["uri"] : params["name"]
  const isNamed = ["tools/call", "prompts/get", "resources/read"].includes(method)
  return [
    ["MCP-Protocol-Version", version],
    ["Mcp-Method", method],
    ...(isNamed ? [["Mcp-Name", String(name)] as const] : [])
  ]
}

/**
 * The revision whose handshake must be simulated for a request, because there is no state between two requests;
 * undefined for one that needs none. Fails with the protocol's error for wrong headers.
 */
export const handshakeOf = (message: McpMessage, headers: McpHeaders): Result.Result<string | undefined, McpError> => {
  const named = revisionNamedBy(message)
  if (Predicate.isString(named)) {
    const mismatch = headersOf(message, named).find(
      ([name, value]) => McpServer.decodeNameHeader(headers[name.toLowerCase()] ?? "") !== value
    )
    if (mismatch === undefined) return Result.succeed(undefined)
    return Result.fail({
      code: McpSchema.HEADER_MISMATCH_ERROR_CODE,
      message: `The header ${mismatch[0]} must agree with the message.`
    })
  }
  if (message.method === "initialize" || message.method === "ping") return Result.succeed(undefined)
  const version = revisionOf(headers)
  return withHandshake.some(({ protocolVersion }) => protocolVersion === version)
    ? Result.succeed(version)
    : Result.fail({
        code: McpSchema.UNSUPPORTED_PROTOCOL_VERSION_ERROR_CODE,
        message: `The revision ${version.slice(0, 100)} of the protocol is not supported.`,
        data: { supported, requested: version.slice(0, 100) }
      })
}

/** The HTTP status of an error: from 2026-07-28 on, clients rely on it. */
export const statusOf = (message: McpMessage, { code }: McpError): number => {
  if (code === McpSchema.HEADER_MISMATCH_ERROR_CODE || code === McpSchema.UNSUPPORTED_PROTOCOL_VERSION_ERROR_CODE) {
    return 400
  }
  return code === McpSchema.METHOD_NOT_FOUND_ERROR_CODE && revisionNamedBy(message) !== undefined ? 404 : 200
}
