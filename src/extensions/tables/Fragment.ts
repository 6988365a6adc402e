import { Predicate } from "effect"

/** The name of the form's field, which holds a table of past campaigns. */
export const historyField = "history"

/** Stands among the values of a form if they come from a link whose end is missing. */
export const cutLink = "cut"

/** The advice about such a link. */
export const cutLinkMessage =
  "This link was cut off: its end is missing, so a number may be incomplete. Ask for the whole link, or check all numbers, then calculate."

/** Stands among the values of a form whose link has past campaigns in its fragment, which only a script reads. */
export const unreadHistory = "unread"

/** A link begins and ends with these parameters: of one that was cut off, only the first is left. */
export const marks = { start: "link", end: "end" } as const

/** The end of a query: of a link, or before a fragment with past campaigns. */
export const ends = { link: "1", query: "h" } as const

/** The start of a fragment with past campaigns; the number is the version of its format. */
const prefix = "#h=1."

/** True if the fragment of an address has past campaigns. */
export const hasHistory = (fragment: string): boolean => fragment.startsWith(prefix)

/** True if past campaigns are in the fragment of an address, or were before it was cut off. */
export const hadHistory = ({ hash, search }: Pick<URL, "hash" | "search">): boolean =>
  hasHistory(hash) || new URLSearchParams(search).get(marks.end) === ends.query

/** The JSON of a fragment with the text of past campaigns, before it is deflated. */
export const contentOf = (history: string): string => JSON.stringify({ [historyField]: history })

/** The fragment with deflated content, in base64url; its checksum tells if it was cut. */
export const fragmentOf = (deflated: Uint8Array): string => {
  const base64 = btoa(Array.from(deflated, (byte) => String.fromCharCode(byte)).join(""))
  return prefix + base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** The text of past campaigns in a fragment; undefined if the fragment was cut or changed. */
export const historyIn = async (fragment: string): Promise<string | undefined> => {
  try {
    const base64 = fragment.slice(prefix.length).replaceAll("-", "+").replaceAll("_", "/")
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
    const content: unknown = await new Response(text).json()
    return Predicate.hasProperty(content, historyField) && Predicate.isString(content.history)
      ? content.history
      : undefined
  } catch {
    return undefined
  }
}
