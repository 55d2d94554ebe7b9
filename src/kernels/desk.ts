/** Numbers that kernels work with where they lie: those of one owner at a time, the others' are put away meanwhile. */

import { chainBuffer, Region } from "./chain-memory.js";

/** Whose numbers they are. */
export interface Owner {
  /** How many of them are to be kept. */
  readonly used: number;
  /** They, while others have the desk. */
  away: Float64Array | undefined;
}

export class Desk {
  private readonly region = new Region();
  private room = 0;
  private view = new Float64Array(0);
  private owner: Owner | undefined;

  /** Where the numbers lie, in bytes. */
  get pointer(): number {
    return this.region.pointer;
  }

  /** The numbers of the owner, with room for at least so many, until somebody else or more room is asked for. */
  of(owner: Owner, numbers: number): Float64Array {
    if (this.owner === owner) return this.hold(numbers);
    this.clear();
    this.owner = owner;
    const values = this.hold(numbers);
    if (owner.away) values.set(owner.away);
    owner.away = undefined;
    return values;
  }

  /** Nobody will ask for these numbers again: they need not be put away. */
  forget(owner: Owner): void {
    if (this.owner === owner) this.owner = undefined;
    owner.away = undefined;
  }

  private clear(): void {
    if (!this.owner) return;
    const { used } = this.owner;
    this.owner.away = used > 0 ? this.hold(used).slice(0, used) : undefined;
  }

  private hold(numbers: number): Float64Array {
    if (numbers > this.room) {
      this.room = 2 * numbers;
      this.region.hold(8 * this.room);
    } else if (this.view.buffer === chainBuffer()) return this.view;
    this.view = new Float64Array(chainBuffer(), this.region.pointer, this.room);
    return this.view;
  }
}
