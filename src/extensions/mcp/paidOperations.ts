import { goalOperation } from "../goals/goalOperation.ts"
import { progressOperation } from "../progress/progressOperation.ts"
import * as metering from "../../metering/Operations.ts"

export { listOperation } from "../lists/listOperation.ts"

/** The operations that agents may have as tools. */
export const operations = { ...metering.operations, goal: goalOperation, progress: progressOperation }
