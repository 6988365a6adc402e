import { BigDecimal } from "effect"
import { goalOperation } from "../../../src/extensions/goals/goalOperation.ts"
import { few } from "../../simulate/asking.ts"
import type { Part, SimulatedExtension } from "../../simulate/Part.ts"

/** Goals, with a chance or without. */
export const goals = {
  part: ({ outside }): Part => ({
    requested: [
      {
        operation: "POST /goal",
        requestOf: (asked, isQuick) => {
          const goal = { aim: "clients", target: BigDecimal.fromNumberUnsafe(2) } as const
          return goalOperation.requestOf(
            isQuick || outside.chance(0.7)
              ? { assumptions: asked, goal }
              : { assumptions: few, goal: { ...goal, chance: BigDecimal.make(8n, 1) } }
          )
        }
      }
    ]
  })
} as const satisfies SimulatedExtension
