import { expect, it } from "vitest";
import { everyCoordinate } from "../../src/gradients/imputed.js";
import { sgld } from "../../src/integrators/sgld.js";
import { whitened } from "../../src/integrators/whitened.js";
import { Rng } from "../../src/math/rng.js";

it("contracts every direction alike in whitened coordinates", () => {
  // Curvature [[100, 20], [20, 5]] = R·R′ with R = [[10, 0], [2, 1]].
  const integrator = whitened(
    { center: Float64Array.of(3, -1), factor: Float64Array.of(10, 2, 1) },
    sgld({ temperature: 0 }),
  );
  const rng = Rng.seeded(1);
  const state = integrator.init(rng, Float64Array.of(3.7, -2));
  const gradient = {
    at(out: Float64Array, theta: Float64Array) {
      const [x, y] = [theta[0] - 3, theta[1] + 1];
      out[0] = -(100 * x + 20 * y);
      out[1] = -(20 * x + 5 * y);
      return everyCoordinate(2);
    },
  };
  integrator.step(rng, state, gradient, 0.5);
  expect(state.theta[0]).toBeCloseTo(3 + 0.75 * 0.7, 12);
  expect(state.theta[1]).toBeCloseTo(-1 - 0.75, 12);
});
