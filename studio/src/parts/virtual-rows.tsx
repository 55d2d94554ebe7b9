/** Thousands of rows, of which only those in sight are in the page. Rows are equally high. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows beyond the edges, so that scrolling shows no gaps. */
const BEYOND = 6;

/** Rows in sight at once: as many as suit the screen, and all where there are hardly more. */
export const inSight = (count: number, usual: number, most: number): number => (count <= most ? most : usual);

export interface VirtualRowsProps {
  readonly count: number;
  /** In pixels. */
  readonly height: number;
  readonly label: string;
  /** The most that are in sight at once. */
  readonly most: number;
  readonly part: string;
  readonly head: ComponentChildren;
  /** One row, at its place. */
  row(index: number): ComponentChildren;
}

export function VirtualRows({ count, height, label, most, part, head, row }: VirtualRowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = (): void => setFirst(Math.max(0, Math.floor(element.scrollTop / height) - BEYOND));
    look();
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [height]);
  const shown = Math.min(count, most);
  const from = Math.min(first, Math.max(0, count - 1));
  const to = Math.min(count, from + shown + 2 * BEYOND);
  const indices = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return (
    <div
      class={count > shown ? "rows scrolls" : "rows"}
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      data-part={part}
    >
      <div role="rowgroup" class="rows-head">
        {head}
      </div>
      <div
        role="rowgroup"
        class="rows-body"
        ref={box}
        style={{ maxHeight: `${shown * height + 1}px` }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: those without a mouse scroll by keys.
        tabIndex={0}
      >
        <div style={{ height: `${count * height}px`, position: "relative" }} role="presentation">
          <div style={{ transform: `translateY(${from * height}px)` }} role="presentation">
            {indices.map(row)}
          </div>
        </div>
      </div>
    </div>
  );
}
