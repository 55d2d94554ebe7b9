/** Where in the page we are: the part of the address behind #, so that every place can be linked and gone back to. */

import { signal } from "@preact/signals";

export type View = "open" | "look" | "fit" | "read" | "use" | "runs" | "shared";
export interface Route {
  readonly view: View;
  /** Of a run that was kept. */
  readonly run?: string;
  /** A part of what is read, by its name. */
  readonly part?: string;
  /** What a link carries. */
  readonly shared?: string;
}

const VIEWS: readonly View[] = ["open", "look", "fit", "read", "use", "runs", "shared"];

/** `#open`, `#read/3f2a91c0/models`, `#shared/…`. */
export function addressOf({ view, run, part, shared }: Route): string {
  return `#${[view, run, part, shared].filter((piece) => piece !== undefined).join("/")}`;
}

export function routeOf(hash: string): Route {
  const [name, first, second] = hash.replace(/^#/, "").split("/").map(decoded);
  const view = VIEWS.find((known) => known === name) ?? "open";
  if (view === "shared") return { view, ...(first && { shared: first }) };
  if (view !== "read" && view !== "use") return { view };
  return { view, ...(first && { run: first }), ...(second && { part: second }) };
}

/** What is not encoded as it should be is taken as it stands. */
function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

export const route = signal<Route>(routeOf(location.hash));

addEventListener("hashchange", () => {
  const to = routeOf(location.hash);
  if (addressOf(to) !== addressOf(route.peek())) route.value = to;
});

export function go(to: Route): void {
  location.hash = addressOf(to);
  // The event that the address has changed comes later.
  route.value = to;
}
