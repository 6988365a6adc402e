import { type MemoryLedger, monthKey } from "../Ledger.ts"
import type { Balance } from "../../Balance.ts"
import { monthOf } from "../Month.ts"
import type { LedgerFault } from "./LedgerFault.ts"

/** Checks the ledger in memory. Its entries have no ids; they are named by their references, which are unique. */
export const checkMemory = ({ balances, entries, months }: MemoryLedger["Service"]) => {
  const faults: Array<LedgerFault> = []
  const expect = (keyId: string, what: string, expected: string | number, found: string | number) => {
    if (expected !== found) faults.push({ keyId, what, expected, found })
  }
  const sums = new Map<string, Balance>()
  const forecasts = new Map<string, number>()
  for (const { balanceAfter, createdAt, delta, keyId, kind, reference } of entries.values()) {
    const { granted, remaining } = sums.get(keyId) ?? { granted: 0, remaining: 0 }
    const isForecast = kind === "forecast"
    expect(keyId, `balance_after of entry ${reference}`, remaining + delta, balanceAfter)
    if (balanceAfter < 0) expect(keyId, `balance_after of entry ${reference}`, "at least 0", balanceAfter)
    if (isForecast && delta > -1) expect(keyId, `delta of entry ${reference}, a forecast`, -1, delta)
    sums.set(keyId, { remaining: remaining + delta, granted: isForecast ? granted : granted + delta })
    const inMonth = monthKey(keyId, monthOf(createdAt))
    if (isForecast) forecasts.set(inMonth, (forecasts.get(inMonth) ?? 0) - delta)
  }
  const keyIds = new Set([...sums.keys(), ...balances.keys()])
  for (const keyId of keyIds) {
    expect(keyId, "balance", sums.get(keyId)?.remaining ?? 0, balances.get(keyId)?.remaining ?? "none")
    expect(keyId, "granted", sums.get(keyId)?.granted ?? 0, balances.get(keyId)?.granted ?? "none")
  }
  for (const name of new Set([...forecasts.keys(), ...months.keys()])) {
    const [keyId = "", month] = name.split(" ")
    expect(keyId, `requests in ${month}`, forecasts.get(name) ?? 0, months.get(name) ?? 0)
  }
  return { keys: keyIds.size, entries: entries.size, faults }
}
