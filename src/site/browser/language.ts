/** Under this name the browser remembers the language that its reader chose. */
const storageKey = "language"

/** The language that is remembered; nothing where storing is not allowed. */
export const remembered = (): string | null => {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Remembers a language for the pages that are opened later. */
export const remember = (language: string) => {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Then the choice holds for this page.
  }
}
