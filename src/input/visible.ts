/** Characters that nobody sees: directional marks, zero-width characters, byte order marks and soft hyphens. */
const invisible = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g

/** A text without invisible characters, each run of white space in it one space. */
export const visible = (text: string): string => text.replaceAll(invisible, "").replaceAll(/\s+/g, " ").trim()

/** The words and signs for an unknown value. */
const unknownWords =
  /^(?:n\/?\.?a\.?|k\.? ?a\.?|n\.? ?d\.?|s\/[do]|n\.?v\.?t\.?|b\. ?d\.|brak|nan|null|nil|none|undefined|unknown|missing|tbd|tba|not (?:available|applicable|tracked|set)|#?n\/a|#(?:div\/0|value|ref|name|null|num)[!?]|[-\u2010-\u2015\u2212_.?…/*]+|\(?(?:blank|empty|leer)\)?)$/i

/** True if a text says that a value is unknown: it is empty, or N/A, a dash or the like. */
export const isUnknown = (text: string): boolean => text === "" || unknownWords.test(text)
