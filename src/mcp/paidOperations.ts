import { goalOperation } from "../extensions/goals/goalOperation.ts"
import { progressOperation } from "../extensions/progress/progressOperation.ts"
import * as metering from "../metering/Operations.ts"

export { listOperation } from "../extensions/lists/listOperation.ts"

/** The operations that agents may have as tools. */
export const operations = { ...metering.operations, goal: goalOperation, progress: progressOperation }
