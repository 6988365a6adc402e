import * as CalculatorHttp from "../../calculator/CalculatorHttp.ts"
import type { Extension } from "../../Extension.ts"

/** The free calculator: its page, its report, a frame for other sites, and the comparison of campaigns. */
export const calculator = {
  pages: CalculatorHttp.layer,
  hasHome: true
} as const satisfies Extension
