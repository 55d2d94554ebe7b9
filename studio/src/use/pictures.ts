/** Pictures of the report as files of their own: colours are no longer those of the page but written out. */

import { reportParts } from "../read/report-sections.js";

export interface Picture {
  readonly name: string;
  readonly svg: SVGSVGElement;
}

export function pictures(): readonly Picture[] {
  const all = reportParts.value.flatMap(({ element }) => [
    ...element.querySelectorAll<SVGSVGElement>("figure > .wide > svg"),
  ]);
  return all.map((svg, i) => ({ name: svg.getAttribute("aria-label") ?? `picture ${i + 1}`, svg }));
}

export function svgText({ svg }: Picture): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const style = getComputedStyle(document.documentElement);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "system-ui, sans-serif");
  copy.style.background = style.getPropertyValue("--paper");
  copy.style.color = style.getPropertyValue("--ink");
  const text = new XMLSerializer().serializeToString(copy);
  return text.replaceAll(
    /var\((--[\w-]+)\)/g,
    (whole, name: string) => style.getPropertyValue(name).trim() || whole,
  );
}

/** Twice as many pixels as the screen has points: sharp in print. */
const SHARP = 2;

export async function pngOf(picture: Picture): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svgText(picture)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const [width, height] = ["width", "height"].map((side) => Number(picture.svg.getAttribute(side)) || 700);
    const canvas = document.createElement("canvas");
    canvas.width = SHARP * width;
    canvas.height = SHARP * height;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("The picture could not be drawn.");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}
