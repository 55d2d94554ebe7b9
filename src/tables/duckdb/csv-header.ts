/** The first line of a CSV file, read by its rules: which character separates, and what the columns are called. */
export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
}

const DELIMITERS = [",", "\t", ";", "|"];

/** The delimiter that cuts the line into most pieces; the comma when none does. */
export function csvHeader(text: string, delimiters: readonly string[] = DELIMITERS, quote = '"'): CsvHeader {
  const readings = delimiters.map((delimiter) => ({
    delimiter,
    names: headerFields(text, delimiter, quote),
  }));
  return readings.reduce((best, reading) => (reading.names.length > best.names.length ? reading : best));
}

function headerFields(text: string, delimiter: string, quote: string): string[] {
  const fields: string[] = [];
  let field = "";
  let quoted = false;
  // A quote opens a field only at its start.
  let opened = false;
  for (let i = text.charCodeAt(0) === 0xfeff ? 1 : 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== quote) field += c;
      else if (text[i + 1] === quote) {
        field += c;
        i += 1;
      } else quoted = false;
    } else if (c === quote && field === "" && !opened) {
      quoted = true;
      opened = true;
    } else if (c === delimiter) {
      fields.push(field);
      field = "";
      opened = false;
    } else if (c === "\n" || c === "\r") break;
    else field += c;
  }
  fields.push(field);
  return fields;
}
