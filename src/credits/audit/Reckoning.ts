import { beginning, type EntryRow, type LedgerCursor, type LedgerRow } from "./AuditPage.ts"

/** Something about the credits of a key that is not as it must be. */
export interface LedgerFault {
  readonly keyId: string
  readonly what: string
  readonly expected: string | number
  readonly found: string | number
}

/** A key as far as it was read: what its entries come to, and what is kept beside them. */
interface OpenKey {
  readonly keyId: string
  lastId: number
  entries: number
  sum: number
  given: number
  balanceAfter: number
  readonly forecasts: Map<string, number>
  requests: Map<string, number>
  balance: { readonly remaining: number; readonly granted: number } | undefined
}

const openKey = (keyId: string): OpenKey => ({
  keyId,
  lastId: beginning.id,
  entries: 0,
  sum: 0,
  given: 0,
  balanceAfter: 0,
  forecasts: new Map(),
  requests: new Map(),
  balance: undefined
})

/**
 * Checks pages of the ledger, read one after the other from `cursor` on; `report` gets each fault. A key whose rows go on
 * in the next page keeps what its entries come to; its months and balance are read again, at the same instant as its
 * last entries. So a debit between two pages is never taken for a fault.
 */
export class Reckoning {
  keys = 0
  entries = 0
  readonly #report: (fault: LedgerFault) => void
  #key = openKey(beginning.keyId)

  constructor(report: (fault: LedgerFault) => void) {
    this.#report = report
  }

  get cursor(): LedgerCursor {
    return { keyId: this.#key.keyId, id: this.#key.lastId }
  }

  /** Takes the page from the cursor on; `isLast` says that nothing comes after it. */
  add(rows: ReadonlyArray<LedgerRow>, isLast: boolean) {
    this.#key.requests = new Map()
    this.#key.balance = undefined
    for (const row of rows) {
      if (row.keyId !== this.#key.keyId) this.#open(row.keyId)
      this.#addRow(row)
    }
    if (isLast) this.#close()
  }

  #expect(what: string, expected: string | number, found: string | number) {
    if (expected !== found) this.#report({ keyId: this.#key.keyId, what, expected, found })
  }

  #open(keyId: string) {
    this.#close()
    this.#key = openKey(keyId)
  }

  #addRow(row: LedgerRow) {
    const key = this.#key
    if (row.part === "month") {
      key.requests.set(row.month, row.requests)
    } else if (row.part === "balance") {
      key.balance = row
    } else {
      this.#addEntry(key, row)
    }
  }

  #addEntry(key: OpenKey, row: EntryRow) {
    key.lastId = row.id
    key.entries++
    key.sum += row.delta
    // From entry to entry: where each step is right every entry has the sum up to it, and one that is wrong is one fault.
    this.#expect(`balance_after of entry ${row.id}`, key.balanceAfter + row.delta, row.balanceAfter)
    if (row.balanceAfter < 0) this.#expect(`balance_after of entry ${row.id}`, "at least 0", row.balanceAfter)
    key.balanceAfter = row.balanceAfter
    if (row.isForecast) {
      this.#expect(`delta of entry ${row.id}, a forecast`, -1, row.delta)
      key.forecasts.set(row.month, (key.forecasts.get(row.month) ?? 0) + 1)
    } else {
      key.given += row.delta
    }
  }

  #close() {
    const { balance, entries, forecasts, given, requests, sum } = this.#key
    if (entries === 0 && requests.size === 0 && balance === undefined) return
    this.keys++
    this.entries += entries
    if (balance === undefined) {
      this.#expect("balance", sum, "none")
    } else {
      this.#expect("balance", sum, balance.remaining)
      this.#expect("granted", given, balance.granted)
    }
    for (const month of [...new Set([...forecasts.keys(), ...requests.keys()])].toSorted()) {
      this.#expect(`requests in ${month}`, forecasts.get(month) ?? 0, requests.get(month) ?? 0)
    }
  }
}
