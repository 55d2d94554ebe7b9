// What n targets y and linear predictors eta, both float64, add to the state of src/kernels/fit-moments.ts: in order, as
// its plain form does.

const LARGEST = 10;
const FEW = 5;

export function fitMoments(state: usize, y: usize, eta: usize, n: i32): void {
  let rows = load<f64>(state), squares = load<f64>(state, 8), fourths = load<f64>(state, 16);
  let mean = load<f64>(state, 24), around = load<f64>(state, 32);
  let least = load<f64>(state, 40), atLeast = load<f64>(state, 48);
  let most = load<f64>(state, 56), atMost = load<f64>(state, 64);
  let sum = load<f64>(state, 72);
  const last = state + ((LARGEST + FEW - 1) << 3);
  for (let i: usize = 0; i < <usize>n; i++) {
    const value = load<f64>(y + (i << 3));
    const error = value - load<f64>(eta + (i << 3));
    const square = error * error;
    squares += square;
    fourths += square * square;
    sum += value;
    rows += 1;
    const away = value - mean;
    mean += away / rows;
    around += away * (value - mean);
    if (value == least) atLeast += 1;
    else if (!(value > least)) {
      least = value;
      atLeast = 1;
    }
    if (value == most) atMost += 1;
    else if (!(value < most)) {
      most = value;
      atMost = 1;
    }
    if (square > load<f64>(last)) keep(last, square);
  }
  store<f64>(state, rows);
  store<f64>(state, squares, 8);
  store<f64>(state, fourths, 16);
  store<f64>(state, mean, 24);
  store<f64>(state, around, 32);
  store<f64>(state, least, 40);
  store<f64>(state, atLeast, 48);
  store<f64>(state, most, 56);
  store<f64>(state, atMost, 64);
  store<f64>(state, sum, 72);
}

// Falling, the smallest at `last`.
function keep(last: usize, square: f64): void {
  let at = last;
  for (let i = 1; i < FEW && load<f64>(at - 8) < square; i++, at -= 8) store<f64>(at, load<f64>(at - 8));
  store<f64>(at, square);
}
