/**
 * The bytes that a text in base64 stands for. Every thread reads its programs from such texts before it does anything
 * else, when none of its code is compiled yet: 36 kB take 0.1 ms where there is a `Buffer`, 1.5 ms by this loop and 3.7
 * by `Uint8Array.from`.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (typeof Buffer !== "undefined") return new Uint8Array(Buffer.from(text, "base64"));
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
