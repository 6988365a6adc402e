import { Context, Effect, Layer } from "effect"
import type { KeyId } from "../KeyStatus.ts"
import { Limits, Overloaded } from "../Limits.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { type Count, type Request, sourceOf } from "./RequestBody.ts"

/** A body above this many bytes takes a slot. */
const largeBody = 64 * 1024

/** Receives bodies above 64 KiB, of which each key, or client without one, may send a few at a time. */
export class LargeBodies extends Context.Service<
  LargeBodies,
  {
    /**
     * Runs an effect that receives the body of a request. Above 64 KiB the body takes a slot of its key, or without one,
     * of which there are fewer, of its client, until the effect ends. Its request is not yet computed, so that a slow
     * sender delays only its own.
     */
    readonly receive: <A, E, R>(
      request: Request,
      keyId: KeyId | undefined,
      use: (count: Count<Overloaded>) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("outreach-forecast/http/LargeBodies") {
  static readonly layer = Layer.effect(
    LargeBodies,
    Effect.gen(function* () {
      const clients = yield* ClientAddress
      const { largeBodies } = yield* Limits

      return LargeBodies.of({
        receive: (request, keyId, use) =>
          Effect.suspend(() => {
            const source = sourceOf(request)
            let release: (() => void) | undefined
            const count: Count<Overloaded> = (length) => {
              if (length <= largeBody || release !== undefined) return undefined
              const cut = () => source.socket.destroy()
              release =
                keyId === undefined
                  ? largeBodies.ofClients.hold(clients.of(source), cut)
                  : largeBodies.ofKeys.hold(keyId, cut)
              return release === undefined ? new Overloaded() : undefined
            }
            return Effect.ensuring(
              use(count),
              Effect.sync(() => release?.())
            )
          })
      })
    })
  ).pipe(Layer.provide([ClientAddress.layer, Limits.layer]))
}
