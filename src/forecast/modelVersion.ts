/** The date of the last change of figures: the same request gives the same figures until it changes. See docs/changes.md. */
export const modelVersion = "2026-11-27"
