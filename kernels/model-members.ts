// Sums over the members of many models, which lie one behind the other: see src/selection/posterior/packed-models.ts.

// Of every candidate, added to out: the weights of the models that hold it.
export function addByMember(out: usize, starts: usize, members: usize, weights: usize, n: i32): void {
  for (let m: usize = 0; m < <usize>n; m++) {
    const weight = load<f64>(weights + (m << 3));
    const end = members + (<usize>load<i32>(starts + (m << 2), 4) << 2);
    for (let at = members + (<usize>load<i32>(starts + (m << 2)) << 2); at < end; at += 4) {
      const to = out + (<usize>load<i32>(at) << 3);
      store<f64>(to, load<f64>(to) + weight);
    }
  }
}

// The models that hold each candidate, one candidate after the other; next is where those of each begin, and will be
// where they end.
export function indexMembers(holders: usize, next: usize, starts: usize, members: usize, n: i32): void {
  for (let m: usize = 0; m < <usize>n; m++) {
    const end = members + (<usize>load<i32>(starts + (m << 2), 4) << 2);
    for (let at = members + (<usize>load<i32>(starts + (m << 2)) << 2); at < end; at += 4) {
      const own = next + (<usize>load<i32>(at) << 2);
      const place = load<i32>(own);
      store<i32>(holders + (<usize>place << 2), <i32>m);
      store<i32>(own, place + 1);
    }
  }
}

// Covers models that nobody has covered before; where it is asked for, their members have nothing to gain of them any more.
export function coverModels(
  gain: usize, covered: usize, holders: usize, count: i32, starts: usize, members: usize, weights: usize,
): void {
  for (let h: usize = 0; h < <usize>count; h++) {
    const m = <usize>load<i32>(holders + (h << 2));
    if (load<u8>(covered + m)) continue;
    store<u8>(covered + m, 1);
    if (!gain) continue;
    const weight = load<f64>(weights + (m << 3));
    const end = members + (<usize>load<i32>(starts + (m << 2), 4) << 2);
    for (let at = members + (<usize>load<i32>(starts + (m << 2)) << 2); at < end; at += 4) {
      const to = gain + (<usize>load<i32>(at) << 3);
      store<f64>(to, load<f64>(to) - weight);
    }
  }
}

// The weights of models that nobody covers.
export function uncovered(covered: usize, weights: usize, n: i32): f64 {
  let sum: f64 = 0;
  for (let m: usize = 0; m < <usize>n; m++) if (!load<u8>(covered + m)) sum += load<f64>(weights + (m << 3));
  return sum;
}
