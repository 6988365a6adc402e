/** A waiting item, and the share that it counts against. */
interface Place<Item> {
  readonly item: Item
  readonly share: string
}

/**
 * The place of the newest item of the largest share, if that has at least two more items than the share of the
 * newcomer.
 */
const findRoom = <Item>(waiting: ReadonlyArray<Place<Item>>, newcomer: string): number | undefined => {
  const counts = new Map([[newcomer, 0]])
  for (const { share } of waiting) counts.set(share, (counts.get(share) ?? 0) + 1)
  const own = counts.get(newcomer) ?? 0
  let [largest, most] = [newcomer, own]
  for (const [share, count] of counts) if (count > most) [largest, most] = [share, count]
  return most > own + 1 ? waiting.findLastIndex(({ share }) => share === largest) : undefined
}

/**
 * Creates a queue of at most `capacity` items, each of which belongs to a share, such as a key's. If all places are
 * taken, an item of a small share takes the place of the newest item of the largest share. Items are taken in turn: the
 * first of each share, then the second of each.
 */
export const makeFairQueue = <Item>(capacity: number) => {
  let waiting: Array<Place<Item>> = []
  return {
    size: (): number => waiting.length,

    /** Adds an item. Returns the item that is left without a place, if any: this one, or one whose place it takes. */
    offer: (item: Item, share: string): Item | undefined => {
      const place = { item, share }
      if (waiting.length < capacity) {
        waiting.push(place)
        return undefined
      }
      const room = findRoom(waiting, share)
      if (room === undefined) return item
      const [removed] = waiting.splice(room, 1)
      waiting.push(place)
      return removed?.item
    },

    /** Removes and returns at most `most` items. */
    take: (most: number): ReadonlyArray<Item> => {
      let taken = waiting
      waiting = []
      if (taken.length > most) {
        const counts = new Map<string, number>()
        const inTurn = taken.map((place) => {
          const turn = counts.get(place.share) ?? 0
          counts.set(place.share, turn + 1)
          return { place, turn }
        })
        const chosen = new Set(
          inTurn
            .toSorted((a, b) => a.turn - b.turn)
            .slice(0, most)
            .map(({ place }) => place)
        )
        waiting = taken.filter((place) => !chosen.has(place))
        taken = [...chosen]
      }
      return taken.map(({ item }) => item)
    },

    /** Removes an item. Returns false if it is not in the queue. */
    remove: (item: Item): boolean => {
      const index = waiting.findIndex((place) => place.item === item)
      if (index >= 0) waiting.splice(index, 1)
      return index >= 0
    }
  }
}
