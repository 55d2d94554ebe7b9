/** Hands a file to the user. */
export function download(content: Blob | string, name: string, type = "application/octet-stream"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The name of the data without its endings, for the names of what comes of them. */
export function stemOf(name: string): string {
  const stem = (name.split(/[\\/]/).pop() ?? "").replace(/(\.[A-Za-z0-9]{1,8}){1,2}$/, "");
  return stem.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-") || "sparrow";
}
