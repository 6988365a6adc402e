import levenshtein from "fastest-levenshtein"

/** Large mail providers whose names are long enough to tell a typo from another name. */
const providers = [
  "gmail.com",
  "googlemail.com",
  "yahoo.com",
  "yahoo.co.uk",
  "hotmail.com",
  "hotmail.co.uk",
  "outlook.com",
  "icloud.com",
  "protonmail.com"
]

/** Other providers whose names look like a typo of one of these. */
const lookalikes: ReadonlySet<string> = new Set([
  "email.com",
  "gmx.com",
  "mail.com",
  "ymail.com",
  "yahoo.ca",
  "hotmail.ca"
])

/** How many letters may differ; transposed letters count as two. */
const maxChanges = 2

/** The address that was probably meant, if the host of the given one is almost that of a large mail provider. */
export const suggestedAddress = (address: string): string | undefined => {
  const at = address.lastIndexOf("@")
  const host = address.slice(at + 1).toLowerCase()
  if (at < 1 || lookalikes.has(host)) return undefined
  const nearest = levenshtein.closest(host, providers)
  const changes = levenshtein.distance(host, nearest)
  return changes > 0 && changes <= maxChanges ? `${address.slice(0, at)}@${nearest}` : undefined
}
