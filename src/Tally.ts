/** How much each name has at the moment, which is 0 unless something was added for it. Names with nothing take no memory. */
export const makeTally = <Name>() => {
  const sums = new Map<Name, number>()
  const of = (name: Name): number => sums.get(name) ?? 0
  return {
    of,
    /** Adds to what a name has, or takes away from it, and returns the sum. */
    add: (name: Name, by: number): number => {
      const sum = of(name) + by
      if (sum === 0) sums.delete(name)
      else sums.set(name, sum)
      return sum
    }
  }
}
