import { checkDescribe, type DescribeOptions } from "../options/describe.js";
import { type Description, describeTable } from "../selection/describe/describe.js";
import type { Data } from "../tables/open.js";
import { readingOf } from "../tables/reading-asked.js";
import { openingOf, withTable } from "./open.js";

export async function describeData(data: Data, options: DescribeOptions): Promise<Description> {
  checkDescribe(options);
  const settings = { ...readingOf(options), ...openingOf(options) };
  return withTable(data, settings, (table) => describeTable(table, options));
}
