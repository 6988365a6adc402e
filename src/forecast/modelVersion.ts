/** The date of the last change of figures: until then, a request gives the same ones. See docs/changes.md. */
export const modelVersion = "2026-11-27"
