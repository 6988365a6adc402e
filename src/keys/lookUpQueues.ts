import { TooManyWrongKeys } from "./KeyFailures.ts"
import { makeTokenBuckets } from "../http/limits/tokenBuckets.ts"

/** The most look-ups of a client that may wait for a token. */
const maxWithoutToken = 100

/** The most that may wait while their client has tokens: they only wait for earlier look-ups. */
const maxWaiting = 1000

/** A look-up of a secret that is not known to be valid. */
interface LookUp {
  readonly begin: () => void
  readonly refuse: (failure: TooManyWrongKeys) => void
  state: "waiting" | "in flight" | "over"
}

/** The look-ups of one client. */
interface Queue {
  inFlight: number
  readonly waiting: Array<LookUp>
  isWaking: boolean
}

/**
 * Limits look-ups that find nothing, by client: each takes a token. A client has at most as many look-ups in flight as
 * tokens; its others wait in a queue. Those that find a key take no token, so valid keys soon get their turn. While no
 * token is left, the first in the queue waits for the next one.
 */
export const makeLookUpQueues = (options: {
  readonly wrongPerMinute: number
  /** The milliseconds of a monotonic clock. */
  readonly now: () => number
  /** Calls a function after some milliseconds. */
  readonly later: (millis: number, wake: () => void) => void
}) => {
  const { later, now, wrongPerMinute } = options
  const tokens = makeTokenBuckets({ size: wrongPerMinute, refill: 60_000 })
  const queues = new Map<string, Queue>()

  const left = (client: string) => Math.floor(tokens.left(client, now()))
  const untilNext = (client: string) => Math.ceil(((1 - tokens.left(client, now())) * 60_000) / wrongPerMinute)
  const refuse = (client: string, lookUp: LookUp) => {
    lookUp.state = "over"
    lookUp.refuse(new TooManyWrongKeys({ retryAfter: Math.max(1, Math.ceil(untilNext(client) / 1000)) }))
  }

  const proceed = (client: string): void => {
    const queue = queues.get(client)
    if (queue === undefined) return
    const { waiting } = queue
    while (queue.inFlight < left(client)) {
      const next = waiting.shift()
      if (next === undefined) break
      queue.inFlight++
      next.state = "in flight"
      next.begin()
    }
    // The queue moves on when a look-up in flight ends.
    if (queue.inFlight > 0) return
    for (const lookUp of waiting.splice(maxWithoutToken)) refuse(client, lookUp)
    if (waiting.length === 0) {
      queues.delete(client)
    } else if (!queue.isWaking) {
      queue.isWaking = true
      later(untilNext(client), () => {
        queue.isWaking = false
        proceed(client)
      })
    }
  }

  return {
    /**
     * Calls `begin` when the look-up may begin, or `refuse` if too many wait. Returns a function that ends the look-up
     * and says whether it found nothing; before its turn, it leaves the queue. Only the first call counts.
     */
    enter: (client: string, actions: Pick<LookUp, "begin" | "refuse">): ((foundNothing: boolean) => void) => {
      const queue = queues.get(client) ?? { inFlight: 0, waiting: [], isWaking: false }
      const lookUp: LookUp = { ...actions, state: "waiting" }
      if (queue.waiting.length >= (left(client) > 0 ? maxWaiting : maxWithoutToken)) {
        refuse(client, lookUp)
      } else {
        queues.set(client, queue)
        queue.waiting.push(lookUp)
        proceed(client)
      }
      return (foundNothing) => {
        if (lookUp.state === "over") return
        if (lookUp.state === "in flight") queue.inFlight--
        else queue.waiting.splice(queue.waiting.indexOf(lookUp), 1)
        lookUp.state = "over"
        if (foundNothing) tokens.take(client, now())
        proceed(client)
      }
    },
    /** Takes a token, if one is left, for a secret that was found before and no longer is. */
    countWrong: (client: string): void => void tokens.take(client, now()),
    /** Refuses all waiting look-ups. */
    refuseWaiting: (): void => {
      for (const [client, { waiting }] of queues) for (const lookUp of waiting.splice(0)) refuse(client, lookUp)
    }
  }
}
