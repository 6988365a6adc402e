import { Effect } from "effect"

/** What waits to be answered: a request, the connection that it came on, and whose share of what waits it is. */
interface Queued {
  readonly connection: object
  readonly share: string
}

interface Taker<Item> {
  readonly most: number
  readonly resume: (items: ReadonlyArray<Item>) => void
}

/** How many requests a connection may send behind the one that is being answered. */
const mostBehind = 100

/**
 * Requests that wait to be answered, at most `capacity` of them. A connection has one request among those that can be
 * taken; what it has sent behind that waits until `done` is called for it. So a client that sends much on one connection
 * takes no more of a batch than a client that sends little. Where all places are taken, a request of a share that has
 * few of them takes the place of the newest request of the share that has most.
 */
export const makeRequestQueue = <Item extends Queued>(capacity: number) => {
  const ready: Array<Item> = []
  /** For each connection with a request that is ready or was taken: what it has sent behind it. */
  const behind = new Map<object, Array<Item>>()
  /** What waits, by share, the oldest first. */
  const shares = new Map<string, Set<Item>>()
  const takers: Array<Taker<Item>> = []
  let waiting = 0
  let isScheduled = false

  const leave = (item: Item) => {
    waiting--
    const share = shares.get(item.share)
    share?.delete(item)
    if (share?.size === 0) shares.delete(item.share)
  }

  const handOut = () => {
    isScheduled = false
    while (ready.length > 0) {
      const taker = takers.shift()
      if (taker === undefined) return
      const taken = ready.splice(0, taker.most)
      for (const item of taken) leave(item)
      taker.resume(taken)
    }
  }

  /** After all that arrives in this turn of the event loop: those are taken together. */
  const schedule = () => {
    if (isScheduled || takers.length === 0 || ready.length === 0) return
    isScheduled = true
    setImmediate(handOut)
  }

  /** The next request of a connection can be taken. */
  const goOn = (connection: object) => {
    const next = behind.get(connection)?.shift()
    if (next === undefined) {
      behind.delete(connection)
      return
    }
    ready.push(next)
    schedule()
  }

  /** Takes out the newest request of the largest share, if that is more than one larger than the given share. */
  const makeRoom = (share: string): Item | undefined => {
    let largest = new Set<Item>()
    for (const items of shares.values()) if (items.size > largest.size) largest = items
    if (largest.size <= (shares.get(share)?.size ?? 0) + 1) return undefined
    const newest = [...largest].at(-1)
    if (newest === undefined) return undefined
    leave(newest)
    const position = ready.indexOf(newest)
    if (position >= 0) {
      ready.splice(position, 1)
      goOn(newest.connection)
    } else {
      const sentBehind = behind.get(newest.connection) ?? []
      sentBehind.splice(sentBehind.indexOf(newest), 1)
    }
    return newest
  }

  return {
    /** Adds a request. Returns the one that has no place, if there is one: this or another that it takes the place of. */
    offer: (item: Item): Item | undefined => {
      if ((behind.get(item.connection)?.length ?? 0) >= mostBehind) return item
      const refused = waiting >= capacity ? makeRoom(item.share) : undefined
      if (waiting >= capacity) return item
      waiting++
      const share = shares.get(item.share)
      if (share === undefined) shares.set(item.share, new Set([item]))
      else share.add(item)
      const sentBehind = behind.get(item.connection)
      if (sentBehind === undefined) {
        behind.set(item.connection, [])
        ready.push(item)
        schedule()
      } else {
        sentBehind.push(item)
      }
      return refused
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
    done: ({ connection }: Item): void => goOn(connection)
  }
}
