import { Context } from "effect"

/** The progress of one stage of long work: `done` of `total`, in whatever unit; without a total it is unknown. */
export interface WorkStage {
  readonly work: string
  /** The part that is being worked on. */
  readonly detail?: string
  readonly done?: number
  readonly total?: number
}

/** Where long work reports its progress. Unless `isShown`, do not count anything for it: it is not displayed. */
export const WorkProgress = Context.Reference<{
  readonly isShown: boolean
  readonly report: (stage: WorkStage) => void
}>("outreach-forecast/observability/Progress", { defaultValue: () => ({ isShown: false, report: () => {} }) })
