/** Additional properties of a response. Neither is enumerable: they appear in no JSON, no log and no copy of it. */
export interface AnswerInfo {
  /** The ID of the request; quote it when you ask for support. Undefined if something removed it on the way. */
  readonly requestId: string | undefined
  /** The headers of the response. */
  readonly headers: Headers
}

/** A response of the service: its fields, the ID of the request, and the headers. */
export type Answered<Answer> = Answer & AnswerInfo
