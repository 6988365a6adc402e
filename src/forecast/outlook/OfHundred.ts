/** A chance for readers as a number of 100 campaigns: `69 of 100`, and `fewer than 1 of 100` instead of 0 of them. */
export const ofHundred = (chance: number): string => {
  const count = Math.round(chance * 100)
  if (chance > 0 && count === 0) return "fewer than 1 of 100"
  if (chance < 1 && count === 100) return "more than 99 of 100"
  return `${count} of 100`
}

/** The same for a table: `< 1 of 100` for fewer than 1 of them, and `> 99 of 100` for more than 99. */
export const shortOfHundred = (chance: number): string =>
  ofHundred(chance).replace("fewer than", "<").replace("more than", ">")
