import { VERSION } from "../report/run-record.js";

export function version(): string {
  return VERSION;
}
