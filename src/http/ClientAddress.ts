import { createHmac } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { Context, Effect, FiberSet, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { IpInterface, IpNetwork, NetAddress } from "effect/net"
import { makeLruCache } from "../Limits.ts"
import { Settings } from "../Settings.ts"

// The same rule as HttpMiddleware.xForwardedHeaders, which needs a request of the router, and an effect for each.

/** An address as a socket or a proxy writes it, with or without a port; an IPv4-mapped IPv6 address becomes IPv4. */
const parse = (text: string): NetAddress.IpAddress | undefined => {
  const plain = NetAddress.ipFromString(text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text)
  if (Result.isSuccess(plain)) return NetAddress.toCanonical(plain.success)
  const withPort = NetAddress.inetAddressFromString(text)
  return Result.isSuccess(withPort) ? NetAddress.toCanonical(withPort.success.address) : undefined
}

/** The network of an address, with a prefix length for each IP version; an IPv4 address is its own with 32. */
const networkOf = (address: NetAddress.IpAddress, bits: { readonly v4: number; readonly v6: number }): string => {
  const text = NetAddress.formatIp(address)
  const network = text.includes(":")
    ? Result.map(IpInterface.ipv6FromString(`${text}/${bits.v6}`), (v6) =>
        IpNetwork.format(IpNetwork.fromInterface(v6))
      )
    : Result.map(IpInterface.ipv4FromString(`${text}/${bits.v4}`), (v4) =>
        IpNetwork.format(IpNetwork.fromInterface(v4))
      )
  return Result.match(network, { onSuccess: (network) => network.replace(/\/32$/, ""), onFailure: () => text })
}

/** The client whose requests are counted together: an IPv6 client has a whole /64 of addresses. */
const clientOf = (address: NetAddress.IpAddress): string => networkOf(address, { v4: 32, v6: 64 })

/** The prefix lengths of the networks that connections and emails are counted by: a customer may have an IPv6 /56. */
const counted = { v4: 32, v6: 56 }

/** The prefix lengths of client networks in the log: enough to distinguish providers and offices, but not people. */
const logged = { v4: 24, v6: 48 }

/**
 * The client behind proxies: X-Forwarded-For is trusted only from a trusted peer, and read from its end, where proxies
 * add to it, up to the first address that is not a trusted proxy's. An entry that is not an address ends the search.
 */
const behindProxies = (
  peer: NetAddress.IpAddress,
  forwardedFor: string,
  isTrusted: (address: NetAddress.IpAddress) => boolean
): NetAddress.IpAddress => {
  if (!isTrusted(peer)) return peer
  const hops = forwardedFor.split(",")
  for (let i = hops.length - 1; i >= 0; i--) {
    const address = parse(hops[i]?.trim() ?? "")
    if (address === undefined) return peer
    if (i === 0 || !isTrusted(address)) return address
  }
  return peer
}

/** Parsing dominates the cost of a refusal: at least this many results, of texts up to this length, are cached. */
const minRemembered = 1000
const longestRemembered = 200

/** Logged only once, because a stranger can send the header too. */
const unexpectedProxy =
  "TRUSTED_PROXIES is not set, and a request arrived with X-Forwarded-For: if it came through a proxy, all clients appear under the proxy's address and share the limits of one client"

/** The parts of a Node request that identify the client. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined; readonly destroy: () => unknown }
}

/** Identifies clients by their address or, in IPv6, by their /64 network. */
export class ClientAddress extends Context.Service<
  ClientAddress,
  {
    readonly of: (request: ReceivedRequest) => string
    /** The IPv4 address of the client, or its IPv6 /56 network, for connections and for emails. */
    readonly networkOf: (request: ReceivedRequest) => string
    /** The network at the other end of a connection; undefined for a trusted proxy. */
    readonly peerOf: (socket: ReceivedRequest["socket"]) => string | undefined
    /** The client's name in the log: a larger network, or a hash that differs after each start. */
    readonly logged: (request: ReceivedRequest) => string
  }
>()("outreach-forecast/http/ClientAddress") {
  static readonly layer = Layer.effect(
    ClientAddress,
    Effect.gen(function* () {
      const { logClients, trustedProxies } = yield* Settings
      const random = yield* SecureRandom.SecureRandom
      const hashKey = yield* random.randomBytes(32)
      const run = yield* FiberSet.makeRuntime()
      const isTrusted = (address: NetAddress.IpAddress) =>
        trustedProxies.some((network) => IpNetwork.contains(network, address))
      const hashed = (client: string) => createHmac("sha256", hashKey).update(client).digest("hex").slice(0, 12)
      const namesOf = (remoteAddress: string, forwardedFor: string) => {
        const peer = parse(remoteAddress)
        const address = peer === undefined || forwardedFor === "" ? peer : behindProxies(peer, forwardedFor, isTrusted)
        const client = address === undefined ? remoteAddress : clientOf(address)
        return {
          client,
          network: address === undefined ? remoteAddress : networkOf(address, counted),
          logged: address === undefined || logClients === "hash" ? hashed(client) : networkOf(address, logged)
        }
      }
      const remembered = makeLruCache<string, ReturnType<typeof namesOf>>(minRemembered)
      let isForwarded = false
      const noteForwarded = () => {
        isForwarded = true
        run(Effect.annotateLogs(Effect.logWarning("configuration warning"), { reason: unexpectedProxy }))
      }
      const lookUp = ({ headers, socket: { remoteAddress = "unknown" } }: ReceivedRequest) => {
        const forwarded = headers["x-forwarded-for"]
        if (trustedProxies.length === 0 && forwarded !== undefined && !isForwarded) noteForwarded()
        // Without a trusted proxy, a client's own headers are ignored.
        const forwardedFor = trustedProxies.length === 0 ? "" : String(forwarded ?? "")
        const id = `${remoteAddress} ${forwardedFor}`
        const known = remembered.get(id)
        if (known !== undefined) return known
        const names = namesOf(remoteAddress, forwardedFor)
        if (id.length <= longestRemembered) remembered.set(id, names)
        return names
      }
      return ClientAddress.of({
        of: (request) => lookUp(request).client,
        networkOf: (request) => lookUp(request).network,
        peerOf: (socket) => {
          const address = parse(socket.remoteAddress ?? "")
          return address !== undefined && isTrusted(address) ? undefined : lookUp({ headers: {}, socket }).network
        },
        logged: (request) => lookUp(request).logged
      })
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
