import { problem } from "../../http/problems/problem.ts"
import { maxSubKeys, SubKeyNameTaken, SubKeyNotFound, TooManySubKeys } from "./SubKeys.ts"

/** The problems of sub-keys. */
export const SubKeyProblem = {
  SubKeyNotFound: problem(SubKeyNotFound, {
    status: 404,
    code: "not_found",
    title: "Not found",
    detail: "This key has no such sub-key, or it was revoked. GET /api/v1/sub-keys lists its sub-keys.",
    example: new SubKeyNotFound()
  }),
  SubKeyNameTaken: problem(SubKeyNameTaken, {
    status: 409,
    code: "sub_key_name_taken",
    title: "Sub-key name taken",
    detail: ({ id, takenName }) =>
      `The sub-key ${id} already has the name ${JSON.stringify(takenName)}. Choose another name or, if its secret was lost, rotate that sub-key.`,
    explanation: {
      when: "A sub-key was given the name of another usable sub-key of the key. Case is ignored, and so are characters that are not shown.",
      why: "Names tell sub-keys apart. A retry of a request whose response was lost gets this too: the sub-key exists, but its secret was never received.",
      whatToDo:
        "Choose another name. If the secret was lost, rotate the sub-key that the message names: that shows a new one.",
      remedy: "choose another name, or rotate the sub-key whose secret was lost"
    },
    example: new SubKeyNameTaken({ takenName: "CRM", id: "sub_7hGk2LmQ0pRs9TvX" })
  }),
  TooManySubKeys: problem(TooManySubKeys, {
    status: 409,
    code: "too_many_sub_keys",
    title: "Too many sub-keys",
    detail: ({ most }) => `This key has ${most} usable sub-keys, which is the most it may have. Revoke one of them.`,
    explanation: {
      when: `A sub-key was requested for a key that already has ${maxSubKeys} usable ones.`,
      why: "Each sub-key is a secret that can spend the balance of the key, and nobody can keep track of more than that.",
      whatToDo: "Revoke a sub-key that is no longer used, or let several programs share one.",
      remedy: "revoke a sub-key"
    },
    example: new TooManySubKeys({ most: maxSubKeys })
  })
}
