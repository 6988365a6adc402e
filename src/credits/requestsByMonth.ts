/** A row of a balance `b` and one of its months `m`, or none. */
export interface MonthRow {
  /** The month that the balance counts, if there is one, and the forecasts in it. */
  readonly current_month: string | null
  readonly current_requests: number | null
  readonly month: string | null
  readonly requests: number | null
}

/** The forecasts of a key by month, oldest first, from its rows: those in `usage_months`, and those beside the balance. */
export const requestsByMonth = (rows: ReadonlyArray<MonthRow>): ReadonlyMap<string, number> => {
  const counted = new Map<string, number>()
  const count = (month: string | null, requests: number | null) => {
    if (month !== null) counted.set(month, (counted.get(month) ?? 0) + (requests ?? 0))
  }
  for (const { month, requests } of rows) count(month, requests)
  if (rows[0] !== undefined) count(rows[0].current_month, rows[0].current_requests)
  return new Map([...counted].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
