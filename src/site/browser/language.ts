/** The name under which the browser stores the chosen language. */
const storageKey = "language"

/** The stored language; null if storage is not allowed. */
export const remembered = (): string | null => {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

/** Stores a language for pages opened later. */
export const remember = (language: string) => {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Without storage, the choice applies only to this page.
  }
}
