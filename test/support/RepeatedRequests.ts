import { pinned, pinnedOrder } from "./PinnedRequests.ts"
import { postTo, type ServiceResponse } from "./Requests.ts"

/** A request by POST that a program sends, and sends again if it got no response. */
export interface RepeatedRequest {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const { form, owner, pack } = pinnedOrder
const json = "application/json"

const orders = (secret: string): ReadonlyArray<RepeatedRequest> => [
  {
    name: "an order",
    path: "/api/v1/orders",
    headers: { "content-type": json, "idempotency-key": "order", "x-api-key": secret },
    body: JSON.stringify({ pack })
  },
  {
    name: "an order without a key",
    path: "/api/v1/orders",
    headers: { "content-type": json, "idempotency-key": "order" },
    // Each secret is another buyer.
    body: JSON.stringify({ ...owner, pack, email: `${secret.slice(-8)}@example.com` })
  },
  {
    name: "an order by a form",
    path: "/credits",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      ...owner,
      pack,
      email: `${secret.slice(-9)}@example.com`,
      idempotency_key: form
    }).toString()
  }
]

/** Every kind of request whose retries are answered from the store, with the secret of a key. */
export const repeatedRequests = (secret: string): ReadonlyArray<RepeatedRequest> => [
  ...pinned.map(({ accept = json, body, name, path, type = json }, i) => ({
    name,
    path,
    headers: { accept, "content-type": type, "idempotency-key": `request-${i}`, "x-api-key": secret },
    body
  })),
  ...pinned.flatMap(({ body, tool }) =>
    tool === undefined
      ? []
      : {
          name: `the tool ${tool}`,
          path: "/mcp",
          headers: { "content-type": json, "x-api-key": secret },
          body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${body}}}`
        }
  ),
  ...orders(secret)
]

/** Sends a request to the server at a URL. */
export const repeat = (base: string, { body, headers, path }: RepeatedRequest) => postTo(base, path, body, headers)

/** The part of the response to a request that is the same for each retry. */
export const repeatedPart = ({ path }: RepeatedRequest, { headers, text }: ServiceResponse): string => {
  if (path === "/mcp") return text.replace('"_meta":{"replayed":true},', "")
  // The page of an order has another secret in each link.
  if (path === "/credits") return String(headers.get("location")).replace(/\/[^/]*$/, "")
  return text
}

/** True if a response is that of an earlier request, and says so if it can. */
export const isReplay = ({ path }: RepeatedRequest, { headers, text }: ServiceResponse): boolean =>
  path === "/mcp"
    ? text.includes('"replayed":true')
    : path === "/credits" || headers.get("idempotent-replayed") === "true"
