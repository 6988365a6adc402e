/** Creates a tally: the current amount of each name, 0 at first. A name with an amount of 0 takes no memory. */
export const makeTally = <Name>() => {
  const sums = new Map<Name, number>()
  const of = (name: Name): number => sums.get(name) ?? 0
  return {
    of,
    /** Adds to the amount of a name, or subtracts from it, and returns the new amount. */
    add: (name: Name, by: number): number => {
      const sum = of(name) + by
      if (sum === 0) sums.delete(name)
      else sums.set(name, sum)
      return sum
    }
  }
}
