import { closest, distance } from "fastest-levenshtein"

/** The field that was probably meant: the only one that contains the name, or the closest one. */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const [containing, ...others] = known.filter((field) => field.includes(name))
  if (containing !== undefined && others.length === 0) return containing
  const nearest = closest(name, known)
  return distance(name, nearest) * 2 <= Math.max(name.length, nearest.length) ? nearest : undefined
}
