import levenshtein from "fastest-levenshtein"

/** The field that was probably meant: the only one that contains the name, or the closest one. */
const suggestion = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const [containing, ...others] = known.filter((field) => field.includes(name))
  if (containing !== undefined && others.length === 0) return containing
  const nearest = levenshtein.closest(name, known)
  return levenshtein.distance(name, nearest) * 2 <= Math.max(name.length, nearest.length) ? nearest : undefined
}

/** Advice for a client that sends an unknown field. */
export const unknownAdvice = (name: string, known: ReadonlyArray<string>): string => {
  const meant = suggestion(name.toLowerCase(), known)
  return meant === undefined ? `the fields are ${known.join(", ")}` : `did you mean "${meant}"?`
}
