/**
 * The date of the last change of figures: until then, a request gives the same ones. See docs/changes.md;
 * `npm run fix` writes it into the pages that show it.
 */
export const modelVersion = "2026-11-28"
