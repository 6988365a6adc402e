import { openingValues, sample, withPreset } from "../../../src/extensions/calculator/Presets.ts"

/** The calculator's form when the sample has been chosen on the page. */
export const sampleValues = withPreset(openingValues, sample.values)
