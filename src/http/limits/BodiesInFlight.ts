import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { MalformedJson } from "../../input/InvalidInput.ts"
import type { KeyId } from "../../KeyId.ts"
import { Overloaded, PayloadTooLarge } from "../problems/HttpFailures.ts"
import { ClientAddress } from "./ClientAddress.ts"

/** How many bytes of bodies that have not arrived whole are held for one client, and for one key. */
const mostHeld = 16 * 1024 * 1024

const decoder = new TextDecoder()

/**
 * Reads large bodies. Until one has arrived whole it takes no place of those that are answered, so that a slow sender costs
 * only itself; what is held of it counts for its client and its key, which may hold so much at a time.
 */
export class BodiesInFlight extends Context.Service<
  BodiesInFlight,
  {
    /** Reads a body of at most `limit` KiB as text. Fails with MalformedJson where it does not arrive whole. */
    readonly readText: (
      request: HttpServerRequest.HttpServerRequest,
      limit: number,
      keyId?: KeyId
    ) => Effect.Effect<string, PayloadTooLarge | MalformedJson | Overloaded>
  }
>()("outreach-forecast/http/BodiesInFlight") {
  static readonly layer = Layer.effect(
    BodiesInFlight,
    Effect.map(ClientAddress, (clients) => {
      const held = new Map<string, number>()
      const heldFor = (name: string) => held.get(name) ?? 0
      const add = (names: ReadonlyArray<string>, bytes: number) => {
        for (const name of names) {
          const sum = heldFor(name) + bytes
          if (sum > 0) held.set(name, sum)
          else held.delete(name)
        }
      }
      return BodiesInFlight.of({
        readText: (request, limit, keyId) =>
          Effect.callback((resume) => {
            const source = NodeHttpServerRequest.toIncomingMessage(request)
            const names = [`client ${clients.of(source)}`, ...(keyId === undefined ? [] : [`key ${keyId}`])]
            const chunks: Array<Buffer> = []
            let length = 0
            const stop = () => {
              source.off("data", receive).off("end", end).off("close", breakOff)
              add(names, -length)
              length = 0
            }
            const fail = (failure: PayloadTooLarge | MalformedJson | Overloaded) => {
              stop()
              resume(Effect.fail(failure))
            }
            const receive = (chunk: Buffer) => {
              if (length + chunk.length > limit * 1024) return fail(new PayloadTooLarge({ limit }))
              if (names.some((name) => heldFor(name) + chunk.length > mostHeld)) return fail(new Overloaded())
              chunks.push(chunk)
              length += chunk.length
              return add(names, chunk.length)
            }
            const end = () => {
              stop()
              resume(Effect.sync(() => decoder.decode(Buffer.concat(chunks))))
            }
            const breakOff = () => fail(new MalformedJson({ reason: "The body did not arrive whole" }))
            source.on("data", receive).once("end", end).once("close", breakOff)
            return Effect.sync(stop)
          })
      })
    })
  ).pipe(Layer.provide(ClientAddress.layer))
}
