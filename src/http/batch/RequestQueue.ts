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

/** A request that waits, and its place in the order in which they came. */
interface Place<Item> {
  readonly item: Item
  readonly order: number
}

/**
 * Requests that wait to be answered, at most `capacity` of them. A connection has one request among those that can be
 * taken; what it has sent behind that waits until `done` is called for it. So a client that sends much on one connection
 * takes no more of a batch than a client that sends little. Where all places are taken, a request of a share that has
 * few of them takes the place of the newest request of the share that has most.
 *
 * Requests are kept in arrays only: a Map or Set that lives long keeps what it held before it grew reachable from its
 * former self, so that one request that outlived a garbage collection would keep all that follow it.
 */
export const makeRequestQueue = <Item extends Queued>(capacity: number) => {
  const ready: Array<Place<Item>> = []
  /** For each connection with a request that is ready or was taken: what it has sent behind it. */
  const behind = new Map<object, Array<Place<Item>>>()
  /** How many requests of each share wait. */
  const shares = new Map<string, number>()
  const takers: Array<Taker<Item>> = []
  let arrived = 0
  let waiting = 0
  let isScheduled = false

  const leave = ({ share }: Item) => {
    waiting--
    const left = (shares.get(share) ?? 0) - 1
    if (left > 0) shares.set(share, left)
    else shares.delete(share)
  }

  const handOut = () => {
    isScheduled = false
    while (ready.length > 0) {
      const taker = takers.shift()
      if (taker === undefined) return
      const taken = ready.splice(0, taker.most).map(({ item }) => item)
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

  /** The newest request of a share, and the line that it stands in. */
  const newestOf = (share: string) => {
    let newest: { readonly place: Place<Item>; readonly line: Array<Place<Item>> } | undefined
    for (const line of [ready, ...behind.values()]) {
      const place = line.findLast(({ item }) => item.share === share)
      if (place !== undefined && place.order > (newest?.place.order ?? -1)) newest = { place, line }
    }
    return newest
  }

  /** Takes out the newest request of the largest share, if that is more than one larger than the given share. */
  const makeRoom = (share: string): Item | undefined => {
    let largest = share
    for (const [name, count] of shares) if (count > (shares.get(largest) ?? 0)) largest = name
    if ((shares.get(largest) ?? 0) <= (shares.get(share) ?? 0) + 1) return undefined
    const newest = newestOf(largest)
    if (newest === undefined) return undefined
    const { line, place } = newest
    leave(place.item)
    line.splice(line.indexOf(place), 1)
    if (line === ready) goOn(place.item.connection)
    return place.item
  }

  return {
    /** Adds a request. Returns the one that has no place, if there is one: this or another that it takes the place of. */
    offer: (item: Item): Item | undefined => {
      if ((behind.get(item.connection)?.length ?? 0) >= mostBehind) return item
      const refused = waiting >= capacity ? makeRoom(item.share) : undefined
      if (waiting >= capacity) return item
      waiting++
      shares.set(item.share, (shares.get(item.share) ?? 0) + 1)
      const place = { item, order: arrived++ }
      const sentBehind = behind.get(item.connection)
      if (sentBehind === undefined) {
        behind.set(item.connection, [])
        ready.push(place)
        schedule()
      } else {
        sentBehind.push(place)
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

    /** How many wait. */
    size: (): number => waiting,

    /** A request that was taken is answered: the next one of its connection may be. */
    done: ({ connection }: Item): void => goOn(connection)
  }
}
