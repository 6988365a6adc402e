import { problem } from "../../http/problems/problem.ts"
import { mostSubKeys, SubKeyNameTaken, SubKeyNotFound, TooManySubKeys } from "./SubKeys.ts"

/** How failures of sub-keys are answered. */
export const SubKeyProblem = {
  SubKeyNotFound: problem(SubKeyNotFound, {
    status: 404,
    code: "not_found",
    title: "Not found",
    retryable: false,
    detail: "This key has no such sub-key, or it was revoked. GET /api/v1/sub-keys lists those that it has.",
    example: new SubKeyNotFound()
  }),
  SubKeyNameTaken: problem(SubKeyNameTaken, {
    status: 409,
    code: "sub_key_name_taken",
    title: "Sub-key name taken",
    retryable: false,
    detail: ({ id, name }) =>
      `The sub-key ${id} already has the name ${JSON.stringify(name)}. Choose another name or, if its secret was lost, rotate that sub-key.`,
    explanation: {
      when: "A sub-key was to get the name that another usable sub-key of the key has, in whichever case.",
      why: "Names tell sub-keys apart. A retry of a request whose response was lost gets this too: the sub-key exists, but nobody has seen its secret.",
      whatToDo:
        "Choose another name. If the secret was lost, rotate the sub-key that the message names: that shows a new one.",
      remedy: "choose another name, or rotate the sub-key whose secret was lost"
    },
    example: new SubKeyNameTaken({ name: "CRM", id: "sub_7hGk2LmQ0pRs9TvX" })
  }),
  TooManySubKeys: problem(TooManySubKeys, {
    status: 409,
    code: "too_many_sub_keys",
    title: "Too many sub-keys",
    retryable: false,
    detail: ({ most }) => `This key has ${most} usable sub-keys, which is the most it may have. Revoke one of them.`,
    explanation: {
      when: `A sub-key was to be created for a key that has ${mostSubKeys} usable ones.`,
      why: "Each sub-key is a secret that opens the balance of the key; more than that are more than anyone keeps track of.",
      whatToDo: "Revoke a sub-key that is no longer used, or let several programs share one.",
      remedy: "revoke a sub-key"
    },
    example: new TooManySubKeys({ most: mostSubKeys })
  })
}
