import * as CalculatorHttp from "./CalculatorHttp.ts"
import type { Extension } from "../../Extension.ts"

/** The free calculator: its page, its report, a frame for other sites, and the comparison of campaigns. */
export const calculator = {
  pages: CalculatorHttp.layer,
  hasHome: true,
  links: [{ path: "/", label: "Calculator", header: 1, errorPage: 1 }]
} as const satisfies Extension
