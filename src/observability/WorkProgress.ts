import { Context } from "effect"

/** The progress of one stage of long work: `done` of `total`, in any unit; without a total it is unknown. */
export interface WorkStage {
  readonly work: string
  /** The part in progress. */
  readonly detail?: string
  readonly done?: number
  readonly total?: number
}

/** Receives the progress of long work. Unless `isShown`, nothing is displayed, so do not count anything for it. */
export const WorkProgress = Context.Reference<{
  readonly isShown: boolean
  readonly report: (stage: WorkStage) => void
}>("outreach-forecast/observability/Progress", { defaultValue: () => ({ isShown: false, report: () => {} }) })
