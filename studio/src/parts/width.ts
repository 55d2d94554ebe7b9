import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** How wide an element is, and from then on whenever that changes. */
export function useWidth<T extends HTMLElement>(usual: number): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(usual);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    setWidth(box.clientWidth || usual);
    const observer = new ResizeObserver(() => setWidth(box.clientWidth || usual));
    observer.observe(box);
    return () => observer.disconnect();
  }, [usual]);
  return [element, width];
}
