import { assert, describe, it } from "@effect/vitest"
import {
  addGammaRatio,
  addGammaStep,
  betaRange,
  digamma,
  trigamma
} from "../../../src/forecast/counts/SpecialFunctions.ts"

/** The error of a figure, relative to the correct value, or to 1 if that is less. */
const error = (actual: number, right: number) => Math.abs(actual - right) / Math.max(Math.abs(right), 1)

// All figures by mpmath 1.3 with 60 digits.
describe("digamma and trigamma", () => {
  for (const [x, first, second] of [
    [0.001, -1000.5755719318103, 1000001.6425331959],
    [0.5, -1.9635100260214235, 4.934802200544679],
    [1, -0.5772156649015329, 1.6449340668482264],
    [2.5, 0.7031566406452432, 0.49035775610023485],
    [7.5, 1.9467574842460869, 0.1426158966967038],
    [8, 2.01564147795561, 0.13313701469403144],
    [10, 2.251752589066721, 0.10516633568168575],
    [100, 4.600161852738087, 0.010050166663333571],
    [123_456.75, 11.723642121279044, 8.100035437610752e-6]
  ] as const) {
    it(`are correct at ${x}`, () => {
      assert.isBelow(error(digamma(x), first), 2e-14)
      assert.isBelow(Math.abs(trigamma(x) - second) / second, 3e-13)
    })
  }
})

describe("the ratio of gammas", () => {
  for (const [z, x, y, re, im] of [
    [0.5, 1, 0, 0, 0],
    [0.5, -0.25, 0.75, -0.9153768237417594, -0.8197830575724013],
    [1, 0, 1, -0.6509231993018563, -0.3016403204675332],
    [3, 2, 0, 0.28768207245178096, 0],
    [3, -2.5, 4, -3.3108632328706658, -2.8388162754129285],
    [9.5, 0.25, -3, -0.4878219385884989, 0.02767312550910511],
    [10, 1, 0, 0, 0],
    [10, -9.5, 0.5, 9.185118146171588, -1.9020217486190736],
    [12, -5, 1, 1.4250011941192664, -0.6082277430692651],
    [50, -3.5, 20, -4.058244279875519, -1.0700150700364635],
    [1e6, 2.5, 100, -0.004998114992936299, 0.00020016647016641862],
    [1e6, -10, -3, 5.0500145250519336e-5, 3.150016075106051e-5],
    [2, 0, 15, -18.57871376853153, 17.507615254901026],
    [0.001, 0.5, 2, -5.675274923167442, 13.22454410554777],
    [3, -20, 33, -91.58561094544974, 14.19860622241128],
    [1000, -1500, 2500, -3388.898301125154, -1045.227350190004],
    [0.4, -3, 5, -15.645248886437118, 1.8578731642373179]
  ] as const) {
    it(`is correct for ${z} and ${x} + ${y}i, either way`, () => {
      const sum = { re: 0, im: 0 }
      addGammaRatio(sum, 1, z, x, y)
      const turns = Math.round((im - sum.im) / (2 * Math.PI))
      assert.isBelow(error(sum.re, re), 1e-13)
      assert.isBelow(error(sum.im + turns * 2 * Math.PI, im), 1e-13)
      addGammaRatio(sum, -1, z, x, y)
      assert.isBelow(Math.abs(sum.re) + Math.abs(sum.im), 1e-13)
    })
  }

  it("does not overflow far from the real axis", () => {
    const sum = { re: 0, im: 0 }
    addGammaRatio(sum, 1, 0.75, 3, 1e40)
    assert.isBelow(error(sum.re, -1.5707963267948966e40), 1e-13)
  })
})

describe("the step from one gamma to another", () => {
  for (const [gap, x, y, re, im] of [
    [1, 5, 0, 1.6094379124341005, 0],
    [0.5, 0.25, 0, -1.084741573266782, 0],
    [0.5, 0.25, 3, 0.5475379239147897, 0.7853981568850362],
    [7, 12, -4, 19.145986154494217, -1.853889812931977],
    [1e-6, 3, 50, 3.913254902702572e-6, 1.5208362625025745e-6],
    [0.03, -20, 30, 0.10777631508812352, 0.06509811816772718],
    [2.5, -8, 12.5, 6.67809823463377, 5.2386801960032185],
    [300, -700, 1200, 2156.093420186642, 599.7841172361143],
    [1, -1e9, 2e9, 21.527984793163462, 2.0344439357957027],
    [999, 1e6, 5e5, 13_913.55397245785, 462.98466712088003]
  ] as const) {
    it(`is right for a gap of ${gap} at ${x} + ${y}i, either way`, () => {
      const sum = { re: 0, im: 0 }
      addGammaStep(sum, 1, gap, x, y)
      const turns = Math.round((im - sum.im) / (2 * Math.PI))
      assert.isBelow(error(sum.re, re), 1e-13)
      assert.isBelow(error(sum.im + turns * 2 * Math.PI, im), 1e-13)
      addGammaStep(sum, -1, gap, x, y)
      assert.isBelow(Math.abs(sum.re) + Math.abs(sum.im), 1e-12)
    })
  }
})

describe("the range of a beta distribution", () => {
  it("has the same quantiles as in SciPy, however skewed or narrow it is", () => {
    for (const [alpha, beta, low, high] of [
      [2.3, 43.7, 0.015495871665433265, 0.09304033467827948],
      [43.7, 2.3, 0.9069596653217206, 0.9845041283345667],
      [0.5623150184637675, 15.24744699091196, 0.0009080383370637084, 0.09398642026244865],
      [2.8630081098655267, 2.727760946100553, 0.24926739069135312, 0.7725833188098837],
      [33.3, 812.7, 0.031062841307370435, 0.048127448705540275],
      [2, 5, 0.09259525891312873, 0.5103163065514917],
      [0.3, 0.3, 0.0033046182570988427, 0.9966953817429012],
      [1, 1, 0.1, 0.9],
      [5e6, 9.5e7, 0.04997207115907362, 0.0500279326951953],
      [0.04, 13.7, 4.3853098391936826e-27, 0.003275515584200978],
      // Less than a millionth rounds to 0 in hundredths of a percent.
      [2.3, 2_299_997.7, 0, 0],
      [1e8, 3, 1, 1],
      [2.3, Infinity, 0, 0]
    ] as const) {
      const range = betaRange({ alpha, beta })
      assert.closeTo(range.low, low, 1e-11, `${alpha}, ${beta}`)
      assert.closeTo(range.high, high, 1e-11, `${alpha}, ${beta}`)
    }
  })
})
