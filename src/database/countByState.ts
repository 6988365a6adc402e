/** Counts records by their state. */
export const countByState = <State>(records: Iterable<{ readonly state: State }>): ReadonlyMap<State, number> => {
  const counts = new Map<State, number>()
  for (const { state } of records) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}
