import { Effect } from "effect"

/** What waits to be answered: a request and the connection that it came on. */
interface Queued {
  readonly connection: object
}

interface Taker<Item> {
  readonly most: number
  readonly resume: (items: ReadonlyArray<Item>) => void
}

/**
 * Requests that wait to be answered, at most `capacity` of them. A connection has one request among those that can be
 * taken; what it has sent behind that waits until `done` is called for it. So a client that sends much on one connection
 * takes no more of a batch than a client that sends little.
 */
export const makeRequestQueue = <Item extends Queued>(capacity: number) => {
  const ready: Array<Item> = []
  /** For each connection with a request that is ready or was taken: what it has sent behind it. */
  const behind = new Map<object, Array<Item>>()
  const takers: Array<Taker<Item>> = []
  let waiting = 0
  let isScheduled = false

  const handOut = () => {
    isScheduled = false
    while (ready.length > 0) {
      const taker = takers.shift()
      if (taker === undefined) return
      const taken = ready.splice(0, taker.most)
      waiting -= taken.length
      taker.resume(taken)
    }
  }

  /** After all that arrives in this turn of the event loop: those are taken together. */
  const schedule = () => {
    if (isScheduled || takers.length === 0 || ready.length === 0) return
    isScheduled = true
    setImmediate(handOut)
  }

  return {
    /** Adds a request; false, and nothing is added, where too many wait. */
    offer: (item: Item): boolean => {
      if (waiting >= capacity) return false
      waiting++
      const sentBehind = behind.get(item.connection)
      if (sentBehind === undefined) {
        behind.set(item.connection, [])
        ready.push(item)
        schedule()
      } else {
        sentBehind.push(item)
      }
      return true
    },

    /** Waits until there is a request, and takes up to `most`, those that came first. */
    take: (most: number): Effect.Effect<ReadonlyArray<Item>> =>
      Effect.callback((resume) => {
        const taker: Taker<Item> = { most, resume: (items) => resume(Effect.succeed(items)) }
        takers.push(taker)
        schedule()
        return Effect.sync(() => {
          const position = takers.indexOf(taker)
          if (position >= 0) takers.splice(position, 1)
        })
      }),

    /** A request that was taken is answered: the next one of its connection may be. */
    done: ({ connection }: Item): void => {
      const next = behind.get(connection)?.shift()
      if (next === undefined) {
        behind.delete(connection)
        return
      }
      ready.push(next)
      schedule()
    }
  }
}
