import { Context, Effect, Layer } from "effect"
import { ClientAddress, type ReceivedRequest } from "./ClientAddress.ts"

/** The refusals per step, and the length of a step in milliseconds: 1,000 per second. */
const perStep = 50
const step = 50

/** The most refusals that may wait. */
const mostWaiting = 5000

interface Refusal {
  readonly request: ReceivedRequest
  readonly refuse: () => void
}

/** The waiting refusals of one client. */
interface Line {
  readonly client: string
  readonly waiting: Array<Refusal>
}

/**
 * Paces refusals, which cost their senders nothing: clients that send their next request as soon as one is refused
 * would otherwise keep the event loop from all other work. A few are answered immediately, the others in turn, one per
 * client. If too many wait, the newest one of the client with the most is not answered, and its connection ends.
 */
export class Refusals extends Context.Service<
  Refusals,
  {
    /** Calls a function that answers the request when it is its turn. */
    readonly inTurn: (request: ReceivedRequest, refuse: () => void) => void
    /** Waits until it is the turn of a request. */
    readonly turn: (request: ReceivedRequest) => Effect.Effect<void>
  }
>()("outreach-forecast/http/Refusals") {
  static readonly layer = Layer.effect(
    Refusals,
    Effect.map(ClientAddress, (clients) => {
      /** The lines in the order of their turns. */
      const lines: Array<Line> = []
      let waiting = 0
      let left = perStep
      let timer: NodeJS.Timeout | undefined

      const next = () => {
        left = perStep
        while (left > 0) {
          const line = lines.shift()
          const refusal = line?.waiting.shift()
          if (line === undefined || refusal === undefined) break
          if (line.waiting.length > 0) lines.push(line)
          waiting--
          left--
          refusal.refuse()
        }
        // Always in real time: clients do not use the clock of a test.
        timer = left < perStep ? setTimeout(next, step) : undefined
      }

      const endNewest = () => {
        const longest = lines.reduce((a, b) => (b.waiting.length > a.waiting.length ? b : a))
        longest.waiting.pop()?.request.socket.destroy()
        if (longest.waiting.length === 0) lines.splice(lines.indexOf(longest), 1)
        waiting--
      }

      const inTurn = (request: ReceivedRequest, refuse: () => void) => {
        timer ??= setTimeout(next, step)
        if (left > 0) {
          left--
          return refuse()
        }
        const client = clients.of(request)
        const line = lines.find((line) => line.client === client)
        if (line === undefined) lines.push({ client, waiting: [{ request, refuse }] })
        else line.waiting.push({ request, refuse })
        waiting++
        if (waiting > mostWaiting) endNewest()
        return undefined
      }

      return Refusals.of({
        inTurn,
        turn: (request) => Effect.callback((resume) => inTurn(request, () => resume(Effect.void)))
      })
    })
  ).pipe(Layer.provide(ClientAddress.layer))
}
