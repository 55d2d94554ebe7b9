import { resolve } from "node:path";

/** The words that open a file or a page of our own in a browser. On Windows not through cmd, to which a name may be an order. */
export function openingOf(path: string, platform: NodeJS.Platform = process.platform): readonly string[] {
  const words: Partial<Record<NodeJS.Platform, readonly string[]>> = {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  };
  // A name that begins with a dash is a path, not an option; an address of our own stays as it is.
  const place = path.startsWith("http://127.0.0.1:") ? path : resolve(path);
  return [...(words[platform] ?? ["xdg-open"]), place];
}
