import { monthOf } from "../Month.ts"
import type { LedgerFault } from "./LedgerFault.ts"

/** What is recorded of a key beside its entries, as of one instant. Without a balance it has no entries. */
export interface KeyRecords {
  readonly keyId: string
  readonly balance: number | null
  readonly granted: number | null
  readonly lastEntryId: number | null
  /** The requests by month. */
  readonly months: ReadonlyMap<string, number>
}

/** An entry as it is stored. */
export interface StoredEntry {
  readonly id: number
  readonly keyId: string
  readonly previousId: number | null
  readonly isForecast: boolean
  readonly delta: number
  readonly balanceAfter: number
  readonly createdAt: number
}

/** The check of a key, which takes its entries one by one, from the newest to the first. */
export interface KeyCheck {
  readonly keyId: string
  /** Whether the key has a balance. */
  readonly hasBalance: boolean
  /** The entry that it has to be given next; null where it has all, or one is wrong that leads to others. */
  readonly wanted: () => number | null
  /** Takes the entry that was wanted; undefined if there is none with that id. */
  readonly take: (entry: StoredEntry | undefined) => void
  /** What is wrong, once nothing is wanted. */
  readonly faults: () => ReadonlyArray<LedgerFault>
}

/** The end of the year 9999, after which a month cannot be written as YYYY-MM. */
const lastTime = 253_402_300_799_999

const monthIn = (time: number): string => (time >= 0 && time <= lastTime ? monthOf(time) : "no month")

/**
 * Compares each entry with the one before it, so that a single wrong entry is a single fault, and the sums of all with the
 * records of the key. Where an entry is missing, the sums are not known, and only that is told.
 */
export const checkKey = ({ balance, granted, keyId, lastEntryId, months }: KeyRecords): KeyCheck => {
  const faults: Array<LedgerFault & { readonly id: number }> = []
  let wanted = lastEntryId
  /** The entry that came last: it follows the next one. */
  let follower: StoredEntry | undefined
  let isBroken = false
  let sum = 0
  let grantedSum = 0
  const forecasts = new Map<string, number>()

  const fault = (id: number, what: string, expected: string | number, found: string | number) =>
    faults.push({ id, keyId, what, expected, found })
  const stop = () => {
    wanted = null
    isBroken = true
  }

  /** The entry after the one with this balance, or after none with 0, has to say the sum. */
  const compareFollower = (balanceBefore: number) => {
    if (follower === undefined) return
    const { balanceAfter, delta, id } = follower
    if (balanceAfter !== balanceBefore + delta)
      fault(id, `balance_after of entry ${id}`, balanceBefore + delta, balanceAfter)
  }

  const take = (entry: StoredEntry | undefined) => {
    const id = wanted
    if (id === null) return
    if (entry === undefined || entry.keyId !== keyId) {
      fault(id, `entry ${id}`, "an entry of this key", entry?.keyId ?? "none")
      return stop()
    }
    const { balanceAfter, createdAt, delta, isForecast, previousId } = entry
    compareFollower(balanceAfter)
    if (balanceAfter < 0) fault(id, `balance_after of entry ${id}`, "at least 0", balanceAfter)
    if (isForecast && delta > -1) fault(id, `delta of entry ${id}, a forecast`, -1, delta)
    sum += delta
    if (isForecast) {
      const month = monthIn(createdAt)
      forecasts.set(month, (forecasts.get(month) ?? 0) - delta)
    } else {
      grantedSum += delta
    }
    follower = entry
    wanted = previousId
    if (previousId === null) return compareFollower(0)
    if (previousId >= id) {
      fault(id, `entry before entry ${id}`, `below ${id}`, previousId)
      stop()
    }
  }

  const compareSums = (): ReadonlyArray<LedgerFault> => {
    const sums: Array<readonly [what: string, expected: number, found: number]> = [
      ["balance", sum, balance ?? 0],
      ["granted", grantedSum, granted ?? 0],
      ...[...new Set([...forecasts.keys(), ...months.keys()])]
        .toSorted()
        .map((month) => [`requests in ${month}`, forecasts.get(month) ?? 0, months.get(month) ?? 0] as const)
    ]
    return sums.flatMap(([what, expected, found]) => (expected === found ? [] : [{ keyId, what, expected, found }]))
  }

  return {
    keyId,
    hasBalance: balance !== null,
    wanted: () => wanted,
    take,
    faults: () => [
      ...faults.toSorted((a, b) => a.id - b.id).map(({ expected, found, what }) => ({ keyId, what, expected, found })),
      ...(isBroken ? [] : compareSums())
    ]
  }
}
