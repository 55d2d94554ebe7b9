/** Bytes that come in pieces and are asked for in others. */
export class ByteQueue {
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private ended = false;
  private readonly source: AsyncIterator<Uint8Array>;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** Waits until so many bytes are there, or the end; returns how many there are. */
  async fill(count: number): Promise<number> {
    while (!this.ended && this.held < count) {
      const { done, value } = await this.source.next();
      if (done) this.ended = true;
      else if (this.held === 0) {
        this.bytes = value;
        this.at = 0;
      } else {
        const joined = new Uint8Array(this.held + value.length);
        joined.set(this.bytes.subarray(this.at));
        joined.set(value, this.held);
        this.bytes = joined;
        this.at = 0;
      }
    }
    return this.held;
  }

  get held(): number {
    return this.bytes.length - this.at;
  }

  /** What is there, without taking it. */
  view(): Uint8Array {
    return this.bytes.subarray(this.at);
  }

  /** Takes up to so many of the bytes that are there. */
  take(count: number): Uint8Array {
    const taken = this.bytes.subarray(this.at, this.at + count);
    this.at += taken.length;
    return taken;
  }
}
