/** From this argument on, the asymptotic series below are right to 12 digits. */
const asymptotic = 8

/** ψ(x), the derivative of ln Γ, for x above 0 (DLMF 5.5.2 and 5.11.2). */
export const digamma = (x: number): number => {
  let shifted = x
  let sum = 0
  for (; shifted < asymptotic; shifted++) sum -= 1 / shifted
  const square = 1 / (shifted * shifted)
  const series =
    square *
    (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square * (1 / 132 - square / 47.4)))))
  return sum + Math.log(shifted) - 0.5 / shifted - series
}

/** ψ′(x) for x above 0 (DLMF 5.15.5 and 5.15.8). */
export const trigamma = (x: number): number => {
  let shifted = x
  let sum = 0
  for (; shifted < asymptotic; shifted++) sum += 1 / (shifted * shifted)
  const inverse = 1 / shifted
  const square = inverse * inverse
  const series = 1 / 6 - square * (1 / 30 - square * (1 / 42 - square * (1 / 30 - square * (5 / 66 - square / 3.95))))
  return sum + inverse + square / 2 + inverse * square * series
}
