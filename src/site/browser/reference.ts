/** Of Scalar, whose script runs before this one, what is used here. */
declare const Scalar: {
  readonly createApiReference: (element: Element | null, configuration: unknown) => unknown
}

const element = document.querySelector("#api-reference-container")
const configuration: unknown = JSON.parse(document.querySelector("#configuration")?.textContent ?? "{}")
Scalar.createApiReference(element, configuration)
