import { calculate } from "./Calculation.ts"
import { viewsOf } from "./Views.ts"
import { exampleValues, readForm } from "./readForm.ts"
import type { ApiAddress } from "../site/ApiAddress.ts"
import { calculatorPage } from "./CalculatorPages.ts"

/** `/` without numbers in its address: the calculator with its example, and the form to request a key. */
export const homePage = (address: ApiAddress) => {
  const reading = readForm(exampleValues)
  const { input } = reading
  const views = input === undefined ? undefined : viewsOf(calculate(input), address)
  return calculatorPage({ reading, views, address })
}
